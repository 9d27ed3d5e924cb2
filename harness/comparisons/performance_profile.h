#pragma once

/// Computes performance profiles of the solvers of two runs. Source: Dolan, More, Mathematical
/// Programming 91, 2002.

#include <cstddef>
#include <string>
#include <vector>

#include "harness/comparisons/compared_run.h"

namespace spca {

/// For each solver, the share of the problems on which its cost is at most tau times the best cost.
struct PerformanceProfile {
  std::string grid;
  std::string metric;       // the metric that is compared
  std::vector<double> tau;  // ascending from 1
  struct Row {
    std::string solver;         // begins with "A: " or "B: "
    std::vector<double> share;  // in [0, 1], one for each tau
  };
  std::vector<Row> rows;
  std::size_t problems = 0;
  std::string reason;  // why there are no problems
};

/// Returns profiles by value, one for each grid that both runs have: the solvers of a grid have the
/// same problems. A problem is a data set, a cardinality and a repeat that both runs have. A solver
/// belongs to one of the runs and includes its deflation. Solvers that no cardinality binds do not
/// take part. A missing answer has infinite cost.
///
/// The cost is the reciprocal of the value: a solver within factor tau reaches at least 1 / tau of
/// the best value. The value is the first of these metrics that the grid has: explained_variance,
/// projected_variance, adjusted_variance, their shares, the ratio to PCA and the symmetric
/// variance, support_f1, support_recovery.
std::vector<PerformanceProfile> value_profiles(const ComparedRun& first, const ComparedRun& second);

/// Returns profiles by time: the cost is solve_seconds. A problem takes part if no solver solved it
/// while other cells ran; none does if the runs are from different machines.
std::vector<PerformanceProfile> time_profiles(const ComparedRun& first, const ComparedRun& second);

}  // namespace spca
