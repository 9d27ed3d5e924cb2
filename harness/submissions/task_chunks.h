#pragma once

/// Divides the cells of a run among tasks so that all tasks take about the same time.

#include <cstddef>
#include <vector>

#include "harness/runs/run_plan.h"

namespace spca {

/// Work that must stay in one task.
struct WorkUnit {
  std::size_t data = 0;  // units of equal number read the same data
  double seconds = 0;    // >= 0, finite
};

/// Returns the chunk of each unit, for `count` >= 1 chunks. The longest chunk is at most as long
/// as that of the rule "longest unit first, to the chunk with the least load" (Graham, SIAM
/// Journal on Applied Mathematics 17, 1969: at most 4/3 of the best). Within that bound, units of
/// one data set are kept together: chunks are filled data set by data set. If that does not fit,
/// the answer of the rule is returned. No chunk is empty unless there are fewer units than chunks.
std::vector<std::size_t> assign_to_chunks(const std::vector<WorkUnit>& units, std::size_t count);

/// The cells of one task, as indices into RunPlan::cells in ascending order.
struct CellChunk {
  std::vector<std::size_t> cells;
  double predicted_seconds = 0;  // time of solving one cell after the other
  std::size_t unpredicted = 0;   // number of cells whose time is a guess
};

/// Divides `wanted` (ascending indices into `plan.cells`) into at most `count` chunks, none empty.
/// Cells of a path stay together and count as the longest of them. The time of a cell with unknown
/// time is the median over the cells of its solver with known time; if there are none, the median
/// over all cells with known time; if there are none, a second.
std::vector<CellChunk> divide_by_time(const Experiment& experiment, const RunPlan& plan,
                                      const std::vector<std::size_t>& wanted, std::size_t count);

}  // namespace spca
