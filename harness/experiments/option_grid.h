#pragma once

/// The "grid" of a data set or solver entry of an experiment: lists of values for options, crossed
/// ("product") or taken together ("zip"), but for what "exclude" leaves out. Internal to
/// experiment*.cpp.

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "spca/io/json_node.h"

namespace spca {

/// A count that is too large to be written down is this: it only has to exceed every limit.
inline constexpr Index kCountless = std::numeric_limits<Index>::max();
/// Counts >= 0; kCountless where the result does not fit.
Index saturated_product(Index a, Index b);
Index saturated_sum(Index a, Index b);
/// "1000000", or "more than 9e18" for kCountless.
std::string count_text(Index count);

/// Whether complete options are what a match or an exclusion asks for: each option that it names is
/// there and has the value, or one of a list of values; a value stands for a list of one.
bool options_match(const Json& wanted, const Json& options);

/// How many values {"from", "to", "step"} or {"from", "to", "factor"} stands for. Throws InputError
/// for what is no such range. The same for the values themselves, rounded to 15 significant digits
/// so that 0.1, 0.2, 0.3 are what they would be if written.
Index range_count(const JsonNode& node);
std::vector<Json> range_values(const JsonNode& node);

class OptionGrid {
 public:
  /// `accepted_most` limits the length of one list. Reads everything but what depends on the
  /// plugin: names of options and their values.
  OptionGrid(const JsonNode& node, Index accepted_most);

  /// How many combinations there are before any is excluded; nothing is expanded for it.
  Index count() const;
  /// "samples 3 x variables 2", for messages.
  std::string factors() const;
  bool has_exclusions() const { return !exclusions_.empty(); }

  struct Value {
    std::size_t element = 0;  // of the list: the value itself or the range that it is from
    Json value;
  };
  struct Axis {
    std::string option;
    JsonNode node;
    std::vector<JsonNode> elements;
    std::vector<Value> values;
    bool is_zipped = false;
  };
  /// In the order of the file: those of "zip", then those of "product".
  const std::vector<Axis>& axes() const { return axes_; }

  /// Each combination as an object of the grid's options; the first option varies slowest. `visit`
  /// returns false to stop.
  void for_each(const std::function<bool(const Json& options)>& visit) const;

  struct Exclusion {
    JsonNode node;
    bool is_used = false;
  };
  std::vector<Exclusion>& exclusions() { return exclusions_; }

 private:
  void read_axes(const JsonNode& node, bool is_zipped, Index accepted_most);
  std::vector<Axis> axes_;
  Index zip_length_ = 1;
  std::vector<Exclusion> exclusions_;
};

}  // namespace spca
