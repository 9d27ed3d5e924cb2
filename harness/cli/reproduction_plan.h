#pragma once

/// Many experiments as one: which, and in what order.

#include <string>
#include <vector>

#include "harness/cli/experiment_run.h"

namespace spca::cli {

/// The folder in which an experiment stands: "spannogram" of "spannogram/spiked". Experiments of one
/// paper share it. "" if it stands in none.
std::string paper_of(const std::string& experiment);

/// Returns the experiments of that paper, or all if it is empty. Throws InputError that names
/// --paper and the papers.
std::vector<std::string> experiments_of(const std::string& paper);

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
