#pragma once

/// Makes the experiment in which solvers solve instances of the library.

#include <optional>
#include <string>
#include <vector>

#include "harness/experiments/solver_choice.h"
#include "harness/instances/instance_library.h"
#include "spca/solving/solver.h"

namespace spca {

/// Returns whether the solver can have an answer of the class: the class has one component or names
/// a deflation, or the solver finds several components at once.
bool is_asked(const InstanceClass& of, const SolverEntry& solver);

struct BenchmarkRequest {
  std::vector<KnownInstance> instances;
  std::vector<SolverChoice> solvers;
  std::optional<double> time_limit = {};  // seconds; nothing: default_time_limit of each instance
};

/// Returns the default time limit of a solve, in seconds: enough for all but the exact solvers,
/// whose best answer at the limit counts.
double default_time_limit(InstanceExtent extent);

/// Returns the experiment: a grid for each class, data and r, in which every solver of the class is
/// asked for each k. Its figures are those of the benchmark's page. Generated data are drawn as in
/// experiments/instances, with seed 1.
Json benchmark_experiment(const BenchmarkRequest& request);

/// Returns what the experiment lacks of another benchmark, in words: "tpower on disjoint_wine_r2",
/// "the time limit 2 s of ...". Empty if each of its cells is also one of the experiment, or if
/// `other` is no benchmark.
std::string find_lost_part(const Json& other, const Json& experiment);

}  // namespace spca
