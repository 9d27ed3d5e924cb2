#pragma once

/// Divides the cells of a run among tasks so that all tasks take about the same time.

#include <cstddef>
#include <vector>

#include "harness/runs/run_plan.h"

namespace spca {

/// Work that no task may divide.
struct WorkUnit {
  std::size_t data = 0;  // units of the same number read the same data
  double seconds = 0;    // >= 0, finite
};

/// Which of `count` >= 1 chunks each unit belongs to. The longest chunk is no longer than the one
/// that the rule "longest unit first, to the chunk with least so far" gives (Graham, SIAM Journal on
/// Applied Mathematics 17, 1969: at most 4/3 of the best). Within that, units of one data set are
/// kept together: chunks are filled up data set by data set. If this does not fit, the rule's own
/// answer is returned. No chunk is empty if there are as many units.
std::vector<std::size_t> assign_to_chunks(const std::vector<WorkUnit>& units, std::size_t count);

/// The cells of one task, as indices into RunPlan::cells in ascending order.
struct CellChunk {
  std::vector<std::size_t> cells;
  double predicted_seconds = 0;  // of solving, one cell after the other
  std::size_t unpredicted = 0;   // cells whose time is a guess
};

/// Divides `wanted` (ascending indices into `plan.cells`) into at most `count` chunks, none empty.
/// Cells of a path stay together and count as the longest of them. A cell of unknown time counts as
/// the median of the cells of its solver whose time is known, else of all of them, else as
/// a second.
std::vector<CellChunk> divide_by_time(const Experiment& experiment, const RunPlan& plan,
                                      const std::vector<std::size_t>& wanted, std::size_t count);

}  // namespace spca
