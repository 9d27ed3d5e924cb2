#include "harness/experiments/papers.h"

#include <fmt/format.h>

#include "harness/experiments/experiment.h"
#include "spca/base/error.h"
#include "spca/base/text.h"

namespace spca {

std::string paper_of(const std::string& experiment) {
  const std::size_t slash = experiment.find('/');
  return slash == std::string::npos ? "" : experiment.substr(0, slash);
}

std::vector<std::string> experiments_of(const std::string& paper) {
  std::vector<std::string> all = experiment_names();
  if (paper.empty()) {
    return all;
  }
  std::vector<std::string> chosen;
  std::vector<std::string> papers;
  for (const std::string& name : all) {
    if (paper_of(name) == paper) {
      chosen.push_back(name);
    }
    if (!paper_of(name).empty()) {
      add_once(papers, paper_of(name));
    }
  }
  if (chosen.empty()) {
    throw InputError(fmt::format("--paper: found \"{}\"{}; accepted: {}", paper,
                                 did_you_mean(paper, papers), join(papers)));
  }
  return chosen;
}

}  // namespace spca
