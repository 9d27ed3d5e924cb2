#pragma once

/// Values beside their certified bounds: what is proven of each solver's answer.

#include <vector>

#include "harness/records/record.h"
#include "harness/verdicts/published.h"
#include "harness/verdicts/table.h"

namespace spca {

/// The tables of kind "bounds" that the experiment declares. Each has one row a problem: grid, data
/// set, cardinalities, and whether components are disjoint or orthogonal. A row has
///
///   published      the number that is printed for it, if the table has one
///   value          the best variance that a solver of the table found
///   upper bound    the least certified bound that a solver or a metric of the table found
///   gap            (bound - value) / bound
///   CPU s          processor time of the solver with that bound, the last one if several have it
///   SOLVER         "optimal": its value reaches the bound, whoever found the bound; "best": none is
///                  better, and nothing is proven; "0.25 % less": below the best value by that
///
/// So a heuristic without a proof of its own is called optimal if another solver proves it. Left out
/// are means over repeats, which are no values of one problem, and several components that are neither
/// disjoint nor orthogonal, whose sum counts variance twice. So are answers whose cardinality does not
/// bind. A table without a row is left out, as in a smaller profile.
std::vector<Table> bound_tables(const Experiment& experiment, const std::vector<Record>& records,
                                const std::vector<PublishedComparison>& comparisons);

}  // namespace spca
