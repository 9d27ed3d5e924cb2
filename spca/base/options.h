#pragma once

/// An options struct describes each of its fields once, in `void describe(OptionVisitor&)`. Four
/// things come from that description:
///
/// - reading from JSON, with range checks;
/// - writing to JSON with every default spelt out (options_json.h);
/// - the help of `spca describe`;
/// - the JSON Schema.
///
/// An example:
///
///   struct ThresholdOptions {
///     bool refit = true;
///     void describe(OptionVisitor& visit) {
///       visit("refit", refit, "replace the loadings by ... on their support");
///     }
///   };

#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "spca/base/types.h"

namespace spca {

/// The admissible values: minimum <= value <= maximum. A flag excludes the end that it names.
struct Range {
  double minimum = -std::numeric_limits<double>::infinity();  // none
  double maximum = std::numeric_limits<double>::infinity();   // none
  bool minimum_excluded = false;                              // value > minimum
  bool maximum_excluded = false;                              // value < maximum
};

/// value >= minimum.
inline Range at_least(double minimum) { return {.minimum = minimum}; }
/// value > minimum.
inline Range above(double minimum) { return {.minimum = minimum, .minimum_excluded = true}; }
/// minimum <= value <= maximum.
inline Range between(double minimum, double maximum) {
  return {.minimum = minimum, .maximum = maximum};
}

/// The admissible words. An empty list accepts any word.
using Choices = std::vector<std::string>;

/// Receives every field of an options struct, in the order in which the struct describes them. In
/// JSON a single number or word stands for a list of one. Lists are written as lists and cannot be
/// empty.
class OptionVisitor {
 public:
  virtual ~OptionVisitor() = default;
  /// A flag. As for every type, `value` holds the default when the field is visited.
  virtual void operator()(std::string_view name, bool& value, std::string_view help) = 0;
  /// A whole number within the range.
  virtual void operator()(std::string_view name, Index& value, std::string_view help,
                          Range range = {}) = 0;
  /// A finite number within the range.
  virtual void operator()(std::string_view name, double& value, std::string_view help,
                          Range range = {}) = 0;
  /// One number or more, each within the range.
  virtual void operator()(std::string_view name, std::vector<double>& value, std::string_view help,
                          Range range = {}) = 0;
  /// One of the words.
  virtual void operator()(std::string_view name, std::string& value, std::string_view help,
                          const Choices& choices = {}) = 0;
  /// One of the words or more.
  virtual void operator()(std::string_view name, std::vector<std::string>& value,
                          std::string_view help, const Choices& choices = {}) = 0;
};

/// A plugin without options uses this.
struct NoOptions {
  /// Visits nothing.
  void describe(OptionVisitor&) {}
};

/// The struct that holds the options of a plugin, with its type erased.
struct OptionsType {
  /// Returns a new struct with its defaults.
  std::shared_ptr<void> (*make)();
  /// Calls `describe` of the struct.
  void (*describe)(void* options, OptionVisitor& visit);
};
/// Returns the OptionsType of a struct with a `describe(OptionVisitor&)`.
template <class Options>
OptionsType options_type() {
  return {
      .make = []() -> std::shared_ptr<void> { return std::make_shared<Options>(); },
      .describe = [](void* options,
                     OptionVisitor& visit) { static_cast<Options*>(options)->describe(visit); }};
}

/// Returns one number for each of `count` components: `values` itself, or its only number `count`
/// times. Throws InputError, naming `where`, if `values` has any other length.
std::vector<double> one_for_each(const std::vector<double>& values, Index count,
                                 std::string_view where);

}  // namespace spca
