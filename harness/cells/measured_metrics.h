#pragma once

/// Determines which metrics a record has, and which sources measured them. Records of one answer
/// may differ in both, because `spca measure` adds metrics to solved cells.

#include <string>
#include <string_view>

#include "harness/cells/runner_cell.h"
#include "harness/records/record.h"

namespace spca {

/// Returns whether a record with this `measured_by` has all metrics that the cell's experiment
/// requests, and more, all of them measured by the present sources.
bool has_more_metrics(const RunContext& context, std::size_t cell, std::string_view line,
                      const std::string& measured_by);

/// Returns the line with only the metrics that the cell's experiment requests. Requires
/// has_more_metrics().
std::string with_metrics_asked_for(const RunContext& context, std::size_t cell,
                                   const std::string& line);

/// Returns whether two records of one key are the same answer: their stable_part() is equal, except
/// for `measured_by`, and for a bound or metrics that only one of them has.
bool is_same_answer(const Record& one, const Record& other);

/// Returns whether two lines are from one solve: their loadings and costs are the same text.
bool is_same_solve(std::string_view one, std::string_view other);

/// Adds to `record` the metrics, and the bound, that only `other` has. Requires is_same_answer().
/// Metrics of time are added only if both records are from one solve.
void add_metrics(const Record& other, const Variant& variant, Record& record);

}  // namespace spca
