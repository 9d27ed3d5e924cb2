#pragma once

/// The arguments of `spca solve` as text, and the request that they describe.

#include <string>
#include <vector>

#include "harness/answers/request.h"
#include "harness/cli/data_arguments.h"

namespace spca::cli {

/// The arguments as text; empty if not given.
struct SolveArguments {
  DataArguments data;
  std::string solver, cardinality, components, deflation, seed, time_limit, threads, certify;
  std::vector<std::string> settings;
  std::string output, scores;
  bool json = false, quiet = false, verbose = false;
};

void declare_solve_arguments(Declarations& declare, SolveArguments& arguments);

/// Checks the arguments, loads the data that they name, and prepares the solve. Throws InputError
/// that names the option or the file.
Request make_request(const SolveArguments& arguments, const GlobalOptions& global);

}  // namespace spca::cli
