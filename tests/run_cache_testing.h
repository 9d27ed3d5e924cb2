#pragma once

/// Runs with a cache of cells below the folder of the test.

#include <algorithm>
#include <string>
#include <vector>

#include "tests/runner_testing.h"

namespace spca {
namespace {

class RunCache : public Runner {
 protected:
  RunRequest cached(const Experiment& experiment, const std::string& name, int jobs = 1) const {
    RunRequest request = this->request(experiment, name, jobs);
    request.cache_dir = root_ / "cache";
    return request;
  }
  std::vector<fs::path> segments() const {
    std::vector<fs::path> paths;
    for (const auto& entry : fs::directory_iterator(root_ / "cache")) {
      if (entry.path().extension() == ".jsonl") {
        paths.push_back(entry.path());
      }
    }
    std::sort(paths.begin(), paths.end());
    return paths;
  }
};

}  // namespace
}  // namespace spca
