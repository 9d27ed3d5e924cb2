#pragma once

/// Makes tables of values and certified bounds, which show how near to optimal each
/// solver's answer is proved to be.

#include <vector>

#include "harness/records/record.h"
#include "harness/tables/table.h"
#include "harness/verdicts/published.h"

namespace spca {

/// Returns the tables of kind "bounds" that the experiment declares. Each has one row for each
/// problem: grid, data set, cardinalities, and whether components are disjoint or orthogonal. A row
/// has
///
///   published      the number that is printed for the problem, if the table has one
///   value          the best variance of a solver of the table
///   upper bound    the least certified bound of a solver or a metric of the table
///   gap            (bound - value) / bound
///   CPU s          processor time of the solver with that bound; of several, the last one
///   SOLVER         "optimal": its value reaches the bound of any solver; "best": no value is
///                  better, but the optimum is unknown; "0.25 % less": relative to the best value
///
/// Thus a heuristic without a proof of its own is called optimal if another solver proves it. The
/// tables omit means over repeats, which are not values of one problem; several components that are
/// neither disjoint nor orthogonal, whose sum counts variance twice; and answers whose cardinality
/// does not bind. A table without rows, as in a smaller profile, is omitted.
std::vector<Table> bound_tables(const Experiment& experiment, const std::vector<Record>& records,
                                const std::vector<PublishedComparison>& comparisons);

}  // namespace spca
