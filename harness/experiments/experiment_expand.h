#pragma once

/// Expands the grids of an experiment's JSON to variants. Everything is counted before it is
/// expanded: a misplaced digit in a range must not exhaust the memory. Internal to
/// experiment*.cpp and schema.cpp.

#include <optional>
#include <vector>

#include "harness/experiments/experiment.h"
#include "spca/io/json_node.h"

namespace spca {

/// At most this number of cells by default. A million records are about a gigabyte, and a day of
/// solves of a tenth of a second each. The largest experiment of the project has 285,000 cells.
inline constexpr Index kDefaultMaximumCells = 1'000'000;
/// At most this number of components in one cell.
inline constexpr Index kMostComponents = 10'000;
/// At most this number of ranks, more than any job has: a mistyped digit must not start that number
/// of processes.
inline constexpr Index kMostRanks = 65'536;
/// At most this number of combinations for each cell that may remain, if combinations are excluded.
inline constexpr Index kCombinationsPerCell = 10;
inline constexpr const char* kHowToRaiseTheLimit = "\"maximum_cells\" or --max-cells";

/// The changes to the grids that the command line makes.
struct ExpansionLimits {
  std::optional<Index> maximum_cells;  // replaces the document's
  std::optional<Index> repeats;
  std::vector<std::string> also = {};  // ExperimentOverrides::also
};
struct Expansion {
  /// The variants of the document's grids, in the order of the file.
  std::vector<Variant> variants;
  /// Elements of an "exclude" that match nothing.
  std::vector<JsonNode> unused;
};
/// Expands the grids. Throws InputError, before anything is expanded, if there are more cells than
/// allowed.
Expansion expand_grids(const JsonNode& document, const ExpansionLimits& limits);
/// Reads [k | [k_1, ..., k_r] | {"from", "to", "step"}, ...]; a single k is read as a list of one.
/// If `components` is 0, any length is accepted (in a match). Accepts at most `max_count`
/// cardinalities.
std::vector<std::vector<Index>> read_cardinalities(const JsonNode& node, Index components,
                                                   Index max_count = kDefaultMaximumCells);

}  // namespace spca
