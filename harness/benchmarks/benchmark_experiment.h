#pragma once

/// Makes the experiment in which solvers solve instances of the library.

#include <optional>
#include <string>
#include <vector>

#include "harness/instances/instance_library.h"
#include "spca/solving/solver.h"

namespace spca {

/// A solver as a benchmark shows it.
struct BenchmarkedSolver {
  std::string label;  // "tpower", "peers/r-rsvd"; for a peer's file, its stem
  std::string name;   // as an experiment names it; for a peer's file, the absolute path
  const SolverEntry* entry = nullptr;
};

/// Returns the solvers that the words name, each once: registered names, patterns of them,
/// "peers/NAME", patterns that begin with "peers/", and files NAME.json of peers. Throws InputError
/// whose message begins with `where` if a word names none.
std::vector<BenchmarkedSolver> benchmarked_solvers(const std::vector<std::string>& words,
                                                   const std::string& where);

/// Returns whether the solver can have an answer of the class: the class has one component or names
/// a deflation, or the solver finds several components at once.
bool is_asked(const InstanceClass& of, const SolverEntry& solver);

struct BenchmarkRequest {
  std::vector<KnownInstance> instances;
  std::vector<BenchmarkedSolver> solvers;
  std::optional<double> time_limit = {};  // seconds; nothing: default_time_limit of each instance
};

/// Returns the default time limit of a solve, in seconds: enough for all but the exact solvers,
/// whose best answer at the limit counts.
double default_time_limit(InstanceExtent extent);

/// Returns the experiment: a grid for each class, data and r, in which every solver of the class is
/// asked for each k. Its figures are those of the benchmark's page. Generated data are drawn as in
/// experiments/instances, with seed 1.
Json benchmark_experiment(const BenchmarkRequest& request);

}  // namespace spca
