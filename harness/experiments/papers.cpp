#include "harness/experiments/papers.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

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
  std::erase_if(all, [](const std::string& name) { return paper_of(name) == kInstancesFolder; });
  if (paper.empty()) {
    return all;
  }
  std::vector<std::string> chosen;
  std::vector<std::string> papers;
  for (const std::string& name : all) {
    const std::string of = paper_of(name).empty() ? kWithoutPaper : paper_of(name);
    if (of == paper) {
      chosen.push_back(name);
    }
    add_once(papers, of);
  }
  if (chosen.empty()) {
    throw InputError(fmt::format("--paper: found \"{}\"{}; accepted: {}", paper,
                                 did_you_mean(paper, papers), join(papers)));
  }
  return chosen;
}

void require_no_paper(const std::string& name) {
  const std::vector<std::string> names = experiment_names();
  const bool is_experiment = std::find(names.begin(), names.end(), name) != names.end();
  const bool is_paper = std::any_of(names.begin(), names.end(), [&](const std::string& one) {
    return !name.empty() && paper_of(one) == name && name != kInstancesFolder;
  });
  if (is_paper && !is_experiment && !std::filesystem::is_regular_file(name)) {
    throw InputError(
        fmt::format("{}: found a paper; accepted: an experiment, or --paper {}", name, name));
  }
}

}  // namespace spca
