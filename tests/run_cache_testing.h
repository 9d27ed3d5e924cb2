#pragma once

/// Runs with a cell cache below the folder of the test.

#include <string>

#include "harness/runs/cache_maintenance.h"
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
  std::size_t entries() const { return list_cache(root_ / "cache").total.entries; }
};

}  // namespace
}  // namespace spca
