#pragma once

/// Reads the "grid" of a data set or solver entry of an experiment: lists of values for options,
/// which are crossed ("product") or taken together ("zip"), and the exclusions ("exclude"), which
/// the caller applies. Internal to experiment*.cpp.

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "spca/io/json_node.h"

namespace spca {

/// Represents a count that is too large for Index. It exceeds every limit.
inline constexpr Index kCountless = std::numeric_limits<Index>::max();
/// Multiplies counts >= 0. Returns kCountless if the product does not fit.
Index saturated_product(Index a, Index b);
Index saturated_sum(Index a, Index b);
/// Returns "1000000", or "more than 9e18" for kCountless.
std::string count_text(Index count);

/// Returns true if complete options satisfy a match or an exclusion: each option that `wanted`
/// names must exist and have the value, or one of a list of values. A value equals a list of that
/// value alone.
bool options_match(const Json& wanted, const Json& options);

/// Returns the number of values of {"from", "to", "step"} or {"from", "to", "factor"}, and the
/// values themselves. Values are rounded to 15 significant digits, so that 0.1, 0.2, 0.3 equal the
/// written numbers. Both functions throw InputError if the node is not such a range.
Index range_count(const JsonNode& node);
std::vector<Json> range_values(const JsonNode& node);

class OptionGrid {
 public:
  /// Reads the options and their values, without comparing them with a plugin. At most
  /// `accepted_most` values are accepted in one list.
  OptionGrid(const JsonNode& node, Index accepted_most);

  /// Returns the number of combinations before any is excluded, without expanding them.
  Index count() const;
  /// Returns a text for messages, such as "samples 3 x variables 2".
  std::string factors() const;
  bool has_exclusions() const { return !exclusions_.empty(); }

  struct Value {
    std::size_t element = 0;  // index in the list, of the value or of the range that contains it
    Json value;
  };
  struct Axis {
    std::string option;
    JsonNode node;
    std::vector<JsonNode> elements;
    std::vector<Value> values;
    bool is_zipped = false;
  };
  /// Returns the axes in the order of the file: first those of "zip", then those of "product".
  const std::vector<Axis>& axes() const { return axes_; }

  /// Visits each combination as an object of the grid's options. The first option varies slowest.
  /// `visit` returns false to stop.
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
