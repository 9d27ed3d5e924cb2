#pragma once

/// Performance profiles of the solvers of two runs. Source: Dolan, More, Mathematical Programming
/// 91, 2002.

#include <cstddef>
#include <string>
#include <vector>

#include "harness/verdicts/compared_run.h"

namespace spca {

/// For each solver the share of the problems on which its cost is at most tau times that of the
/// best.
struct PerformanceProfile {
  std::string grid;
  std::string metric;       // what is compared
  std::vector<double> tau;  // ascending from 1
  struct Row {
    std::string solver;         // with "A: " or "B: " in front
    std::vector<double> share;  // in [0, 1], one for each tau
  };
  std::vector<Row> rows;
  std::size_t problems = 0;
  std::string reason;  // why there are no problems
};

/// Profiles by value, one for each grid that both runs have: the solvers of a grid have the same
/// problems. A problem is a data set, a cardinality and a repeat that both runs have. A solver is
/// one of either run, with its deflation. Solvers that no cardinality binds do not take part. No
/// answer counts as infinitely bad.
///
/// The cost is the reciprocal of the value: a solver within factor tau reaches at least 1 / tau of
/// the best value. The value is the first of these metrics that the grid has: explained_variance,
/// projected_variance, adjusted_variance, their shares, the ratio to PCA and the symmetric
/// variance, support_f1, support_recovery.
std::vector<PerformanceProfile> value_profiles(const ComparedRun& first, const ComparedRun& second);

/// The same by time: the cost is solve_seconds. Only problems that no solver solved beside other
/// cells take part, and none if the runs are of different machines.
std::vector<PerformanceProfile> time_profiles(const ComparedRun& first, const ComparedRun& second);

}  // namespace spca
