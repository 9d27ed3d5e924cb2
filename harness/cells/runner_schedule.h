#pragma once

/// Decides which cells run together.

#include <map>
#include <string>
#include <vector>

#include "harness/experiments/experiment.h"

namespace spca {

/// The cells that one call of solve() answers: a single cell, or several cardinalities of a solver
/// that finds all of them on its way to the largest (Traits::path), in ascending order.
struct Job {
  std::vector<std::size_t> cells;  // indices into Experiment::cells()
  bool only_measures = false;      // one cell with an answer: nothing is solved
  /// The line of an answer that no run folder has yet, because the process ended while it measured
  /// the answer's metrics.
  std::string found = {};
  /// Metrics that ended such a process, with the reason. They are not measured again. The empty
  /// name means the upper bound.
  std::map<std::string, std::string> failed = {};
};

/// Jobs that one child runs, one after the other.
using Block = std::vector<Job>;

/// Returns whether no other block may run at the same time: Variant::alone of its cells.
bool runs_alone(const Block& block, const Experiment& experiment, const std::vector<Cell>& cells);

/// The groups to which a variant belongs, numbered by first occurrence. They decide which variants
/// run together.
struct VariantGroups {
  std::size_t data = 0;    // equal data set, options and ranks, and equally alone
  std::size_t solver = 0;  // also equal solver, options, components, tuning and deflation
};
std::vector<VariantGroups> group_variants(const std::vector<Variant>& variants);

/// Returns whether the answers of a variant come from the path of one solve.
bool is_path_variant(const Variant& variant);

/// Groups the cells in `wanted` (indices into `cells`) by solve: one cell, or the cells of a path.
/// Groups are in the order of first occurrence.
std::vector<std::vector<std::size_t>> cells_solved_at_once(const Experiment& experiment,
                                                           const std::vector<Cell>& cells,
                                                           const std::vector<std::size_t>& wanted);

/// Divides the cells in `pending` (ascending indices into `cells`) into blocks for `jobs`
/// simultaneous children.
///
/// For generated data, a block is a range of repeats of one data set with all solvers, so that the
/// data of a repeat are drawn once. It has at most kRepeatsOfABlock repeats, for which the cost of
/// a fork is small, and fewer if there would not be a few blocks for each child, so that the
/// children end at about the same time. If there are fewer repeats than such blocks, a block is
/// one repeat of one solver and deflation with all its cardinalities. For data from files, a block
/// is one solver and deflation with all its cardinalities and repeats. Answers do not depend on the
/// blocks. Blocks that run alone are the last, so that the others need not wait for them.
std::vector<Block> make_blocks(const Experiment& experiment, const std::vector<Cell>& cells,
                               const std::vector<std::size_t>& pending, int jobs);

/// Like make_blocks, for cells with answers whose metrics must be measured again.
std::vector<Block> make_measuring_blocks(const Experiment& experiment,
                                         const std::vector<Cell>& cells,
                                         const std::vector<std::size_t>& stale, int jobs);

inline constexpr Index kRepeatsOfABlock = 50;

}  // namespace spca
