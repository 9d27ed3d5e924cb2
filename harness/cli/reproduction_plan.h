#pragma once

/// The order in which `spca reproduce` runs experiments.

#include <string>
#include <vector>

#include "harness/cli/experiment_run.h"

namespace spca::cli {

/// An experiment that is to be run, and what that costs, about.
struct PlannedRun {
  std::string name;
  std::filesystem::path directory;  // empty: default_run_directory decides
  std::size_t cells = 0;            // to be solved or measured
  double seconds = 0;               // of the clock
};

/// Returns the experiments, cheapest first, so that results come early. A cell of which no earlier
/// record tells the time counts as the others of its experiment do, or, if there is none, as a
/// second or its time limit, whichever is less. Throws InputError as run_once does.
std::vector<PlannedRun> plan_reproduction(const std::vector<std::string>& names,
                                          const RunArguments& arguments,
                                          const GlobalOptions& global);

}  // namespace spca::cli
