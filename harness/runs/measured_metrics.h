#pragma once

/// Which metrics a record has, and which sources measured them. Records of one answer may differ in
/// that, because `spca measure` adds metrics to what is solved.

#include <string>
#include <string_view>

#include "harness/records/record.h"
#include "harness/runs/runner_cell.h"

namespace spca {

/// Whether a record that was measured by `measured_by` has all metrics that the cell's experiment
/// asks for, and more, all of them as the sources of now measure them.
bool has_more_metrics(const RunContext& context, std::size_t cell, std::string_view line,
                      const std::string& measured_by);

/// The line with the metrics alone that the cell's experiment asks for. Needs has_more_metrics().
std::string with_metrics_asked_for(const RunContext& context, std::size_t cell,
                                   const std::string& line);

/// Whether two records of one key are the same answer: all but times is equal, and so is each metric
/// that both have.
bool is_same_answer(const Record& one, const Record& other);

/// Whether two lines are of one solve: their loadings and what they cost are the same text.
bool is_same_solve(std::string_view one, std::string_view other);

/// Adds to `record` the metrics that only `other` has, which is_same_answer(). Metrics of time are
/// added only if both are of one solve.
void add_metrics(const Record& other, const Variant& variant, Record& record);

}  // namespace spca
