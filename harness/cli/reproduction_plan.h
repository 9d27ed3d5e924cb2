#pragma once

/// The order in which `spca reproduce` runs experiments.

#include <string>
#include <vector>

#include "harness/cli/experiment_run.h"

namespace spca::cli {

/// An experiment to run, with its approximate cost.
struct PlannedRun {
  std::string name;
  std::filesystem::path directory;  // empty: default_run_directory decides
  std::size_t cells = 0;            // to be solved or measured
  double seconds = 0;               // of elapsed time
};

/// Returns the experiments, cheapest first, so that results come early. A cell whose time no
/// earlier record gives counts as the mean of the other cells of its experiment. If no cell has a
/// time, the first repeat of a variant counts one second, or the time limit if that is less, and
/// each further repeat a hundredth of that. Throws InputError as run_once does.
std::vector<PlannedRun> plan_reproduction(const std::vector<std::string>& names,
                                          const RunArguments& arguments,
                                          const GlobalOptions& global);

}  // namespace spca::cli
