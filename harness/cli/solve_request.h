#pragma once

/// Turns the arguments of `spca solve` into a request to the harness.

#include <memory>
#include <string>
#include <vector>

#include "harness/cli/data_arguments.h"
#include "spca/solving/solve.h"

namespace spca::cli {

/// The arguments as given; empty if not given.
struct SolveArguments {
  DataArguments data;
  std::string solver, cardinality, components, deflation, seed, time_limit, threads;
  std::vector<std::string> settings;
};

void declare_solve_words(Declarations& declare, SolveArguments& arguments);

struct PreparedSolve {
  Dataset dataset;
  std::uint64_t seed = 1;
  SolveRequest request;
  /// True if no cardinality binds: for a dense solver, or a penalty taken as it is set.
  bool unconstrained = false;
  double reading_seconds = 0;  // wall time until S was there
};

/// Checks what can be checked before the data are read, reads them, and checks the rest. Throws
/// InputError that opens with the option's name.
PreparedSolve prepare_solve(const SolveArguments& arguments, const GlobalOptions& global);

}  // namespace spca::cli
