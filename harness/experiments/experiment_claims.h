#pragma once

/// The claims and known differences of an experiment. The functions read_*() are internal to
/// experiment*.cpp.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "harness/experiments/experiment_match.h"

namespace spca {

/// The experiment, and its grid, whose results support an explanation.
struct Measurement {
  std::string experiment, grid;
};

/// A known difference between published and measured numbers. It explains only differences within
/// its range.
struct KnownDifference {
  CellMatch match;
  std::string metric;
  bool better = false;         // true if the measured number is better than the published one
  double least = 0, most = 0;  // 0 <= least <= most: |measured - published|
  bool is_relative = false;    // true if the range is relative to |published|
  std::string why;
  std::optional<Measurement> measured_by;  // if empty, the difference explains nothing
};

/// The relation between the left and right sides of a claim.
enum class Relation { kAtLeast, kAtMost, kAbove, kBelow };
/// Returns ">=", "<=", ">" or "<".
const char* relation_sign(Relation relation);

/// A statement about an order: `left is factor * right` for every pair of cells, where `is` is a
/// relation. harness/verdicts/claims.h defines when it holds.
struct Claim {
  std::string text;
  std::string where;  // place in the paper that states the claim; "": this project states it
  CellMatch left;
  std::optional<CellMatch> right;  // empty: the right side is `number`
  double number = kNotMeasured;
  /// Two cells make a pair if they agree in grid, data set and cardinality. Each flag is true if
  /// left or right names that property, which then need not agree.
  bool names_grid = false, names_dataset = false, names_cardinality = false;
  Relation is = Relation::kAtLeast;
  std::string metric;  // the metric of both sides, or the fact if is_fact
  /// True if `metric` names a fact of the records, which is compared component by component.
  bool is_fact = false;
  /// The component to compare, from 1, of a metric with one number for each; 0: the total.
  Index component = 0;
  double factor = 1;               // > 0
  double slack = 0;                // >= 0: differences of at most this do not count
  bool slack_is_relative = false;  // true if the slack is relative to |factor * right|
  /// The metric with the standard error of one repeat's number, such as that over the folds of a
  /// cross-validation; "" if one repeat has no error.
  std::string error_metric;
  std::string why;  // the reason why the claim fails, if it is known
  std::optional<Measurement> measured_by;
};

/// Two cells that a claim compares; `right` is null if the right side is a number.
struct ClaimPair {
  const Variant* left = nullptr;
  const Variant* right = nullptr;
};
/// Returns the pairs of a claim in the order of the left cells.
std::vector<ClaimPair> claim_pairs(const Claim& claim, const std::vector<Variant>& variants);

/// Checks that the measurement of each known difference and of each claim exists: the experiment
/// can be found and has a grid of that name. Throws InputError with file, line and JSON pointer.
void check_measurements(const std::filesystem::path& path, const std::string& profile);

KnownDifference read_known_difference(const JsonNode& node);
Claim read_claim(const JsonNode& node);

}  // namespace spca
