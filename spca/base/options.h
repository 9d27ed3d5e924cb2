#pragma once

/// An options struct describes each of its fields once, in `void describe(OptionVisitor&)`. From
/// that one description come: reading from JSON with range checks, writing to JSON with every
/// default spelt out, the help of `spca describe`, and (later) the JSON Schema.
///
///   struct ThresholdOptions {
///     bool refit = true;
///     void describe(OptionVisitor& visit) { visit("refit", refit, "replace the loadings by ... on
///     their support"); }
///   };

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "spca/base/types.h"

namespace spca {

/// Admissible values: minimum <= value <= maximum, each end excluded where the flag says so.
struct Range {
  double minimum = -std::numeric_limits<double>::infinity();
  double maximum = std::numeric_limits<double>::infinity();
  bool minimum_excluded = false;
  bool maximum_excluded = false;
};

inline Range at_least(double minimum) { return {.minimum = minimum}; }
inline Range above(double minimum) { return {.minimum = minimum, .minimum_excluded = true}; }
inline Range between(double minimum, double maximum) {
  return {.minimum = minimum, .maximum = maximum};
}

/// Admissible words; empty accepts any.
using Choices = std::vector<std::string>;

/// Receives every field of an options struct in the order in which it is described. In JSON a
/// single number or word stands for a list of one; lists are written as lists and cannot be empty.
class OptionVisitor {
 public:
  virtual ~OptionVisitor() = default;
  virtual void operator()(std::string_view name, bool& value, std::string_view help) = 0;
  virtual void operator()(std::string_view name, Index& value, std::string_view help,
                          Range range = {}) = 0;
  virtual void operator()(std::string_view name, double& value, std::string_view help,
                          Range range = {}) = 0;
  virtual void operator()(std::string_view name, std::vector<double>& value, std::string_view help,
                          Range range = {}) = 0;
  virtual void operator()(std::string_view name, std::string& value, std::string_view help,
                          const Choices& choices = {}) = 0;
  virtual void operator()(std::string_view name, std::vector<std::string>& value,
                          std::string_view help, const Choices& choices = {}) = 0;
};

/// A plugin without options uses this.
struct NoOptions {
  void describe(OptionVisitor&) {}
};

/// Visitors behind the three templates below.
class OptionReader : public OptionVisitor {
 public:
  /// `where` is the JSON pointer of `json`, named in errors. Throws InputError unless `json` is an
  /// object.
  OptionReader(const Json& json, std::string_view where);
  void operator()(std::string_view name, bool& value, std::string_view help) override;
  void operator()(std::string_view name, Index& value, std::string_view help, Range range) override;
  void operator()(std::string_view name, double& value, std::string_view help,
                  Range range) override;
  void operator()(std::string_view name, std::vector<double>& value, std::string_view help,
                  Range range) override;
  void operator()(std::string_view name, std::string& value, std::string_view help,
                  const Choices& choices) override;
  void operator()(std::string_view name, std::vector<std::string>& value, std::string_view help,
                  const Choices& choices) override;
  /// Throws InputError for a key that no field has, with a "did you mean".
  void finish() const;

 private:
  const Json* find(std::string_view name);
  const Json& json_;
  std::string where_;
  std::vector<std::string> names_;
};

class OptionWriter : public OptionVisitor {
 public:
  void operator()(std::string_view name, bool& value, std::string_view help) override;
  void operator()(std::string_view name, Index& value, std::string_view help, Range range) override;
  void operator()(std::string_view name, double& value, std::string_view help,
                  Range range) override;
  void operator()(std::string_view name, std::vector<double>& value, std::string_view help,
                  Range range) override;
  void operator()(std::string_view name, std::string& value, std::string_view help,
                  const Choices& choices) override;
  void operator()(std::string_view name, std::vector<std::string>& value, std::string_view help,
                  const Choices& choices) override;
  Json values();        // {"name": value}
  Json descriptions();  // [{"name", "type", "default", "help", "minimum", "exclusive_minimum", ...,
                        // "choices"}]

 private:
  void add(std::string_view name, std::string_view type, Json value, std::string_view help);
  std::vector<Json> descriptions_;
};

/// Fields that `json` does not name keep their defaults. Throws InputError (unknown key, wrong
/// type, out of range, not a choice) with the JSON pointer `where` + "/name".
template <class Options>
Options options_from_json(const Json& json, std::string_view where) {
  Options options;
  OptionReader reader(json, where);
  options.describe(reader);
  reader.finish();
  return options;
}

/// Every field, defaults included.
template <class Options>
Json options_to_json(Options options) {
  OptionWriter writer;
  options.describe(writer);
  return writer.values();
}

template <class Options>
Json describe_options() {
  Options options;
  OptionWriter writer;
  options.describe(writer);
  return writer.descriptions();
}

/// One number for each of `count` components: `values` as they are, or `count` times the only one.
/// Throws InputError at `where` for any other length.
std::vector<double> one_for_each(const std::vector<double>& values, Index count,
                                 std::string_view where);

/// Parses the "name=value" of `--set` into `options`. The value is read as JSON where it is JSON
/// ("0.1", "true", "[1,2]"), otherwise as a word, or where it has commas as a list whose items are
/// read in the same way. Throws InputError without "=".
void set_option(Json& options, const std::string& assignment);

}  // namespace spca
