#pragma once

/// Which cells run together.

#include <map>
#include <string>
#include <vector>

#include "harness/experiments/experiment.h"

namespace spca {

/// Cells that one call of solve() answers: a single cell, or the cardinalities of a solver that
/// finds them all on its way to the largest (Traits::path), in ascending order.
struct Job {
  std::vector<std::size_t> cells;  // indices into Experiment::cells()
  bool only_measures = false;      // one cell, whose answer is there: nothing is solved
  /// The line of that answer if no run folder has it yet: its metrics were being measured when the
  /// process ended.
  std::string found = {};
  /// Metrics that ended such a process, with the reason: they are not measured again. The empty name
  /// is the upper bound.
  std::map<std::string, std::string> failed = {};
};

/// Jobs that one child runs, one after the other.
using Block = std::vector<Job>;

/// What of a variant decides with which others it runs: numbers in the order in which they occur.
struct VariantGroups {
  std::size_t data = 0;    // same data set and options
  std::size_t solver = 0;  // also same solver, options, components and deflation
};
std::vector<VariantGroups> group_variants(const std::vector<Variant>& variants);

/// Whether the answers of a variant come from the path of one solve.
bool is_path_variant(const Variant& variant);

/// The cells in `wanted` (indices into `cells`) by what is solved at once: one cell, or those of a
/// path. In the order in which they first occur.
std::vector<std::vector<std::size_t>> cells_solved_at_once(const Experiment& experiment,
                                                           const std::vector<Cell>& cells,
                                                           const std::vector<std::size_t>& wanted);

/// Blocks of the cells in `pending` (ascending indices into `cells`), for `jobs` children at once.
///
/// Generated data: a range of repeats of one data set with all their solvers, so that the data of a
/// repeat are drawn once; some kRepeatsOfABlock repeats, so that a fork costs little beside them,
/// and at least a few blocks for each child, so that they end at about the same time. Where there
/// are fewer repeats than that, and for data from files, a block is one solver and deflation with
/// all its cardinalities. Answers do not depend on the blocks.
std::vector<Block> make_blocks(const Experiment& experiment, const std::vector<Cell>& cells,
                               const std::vector<std::size_t>& pending, int jobs);

/// The same for cells whose answers are there and whose metrics are measured anew.
std::vector<Block> make_measuring_blocks(const Experiment& experiment,
                                         const std::vector<Cell>& cells,
                                         const std::vector<std::size_t>& stale, int jobs);

inline constexpr Index kRepeatsOfABlock = 50;

}  // namespace spca
