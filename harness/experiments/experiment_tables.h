#pragma once

/// The tables that an experiment declares. The readers are internal to experiment*.cpp.

#include <string>
#include <vector>

#include "harness/experiments/experiment_match.h"

namespace spca {

struct TableSpec {
  std::string title;
  std::string metric;
  std::string rows = "solver";  // solver | dataset | cardinality | deflation | grid
  std::string columns = "cardinality";
  CellMatch where;
};

/// The metric to which certified bounds apply.
inline constexpr const char* kBoundedMetric = "explained_variance";

/// A table of kind "bounds": the proven bounds on values (harness/verdicts/bound_tables.h).
struct BoundTableSpec {
  std::string title;
  CellMatch where;
};

/// Returns whether a table's "kind" is "bounds". Throws if it is neither "bounds" nor "metric", the
/// default.
bool is_bound_table(const JsonNode& node);
TableSpec read_table(const JsonNode& node);
BoundTableSpec read_bound_table(const JsonNode& node);
/// The kinds of tables, the default first.
inline const std::vector<std::string> kTableKinds = {"metric", "bounds"};

}  // namespace spca
