#pragma once

#include <filesystem>

#include "harness/runs/runner.h"

namespace spca {

/// One run of an experiment: its folder and how it ended.
struct FinishedRun {
  Experiment experiment;
  std::filesystem::path directory;
  RunSummary summary;
};

/// Returns {"cells", "kept", "reused", "run", "measured", "unmeasured", "by_status": {...},
/// "interrupted", "seconds"}.
Json summary_json(const RunSummary& summary);

}  // namespace spca
