#pragma once

#include <filesystem>

#include "harness/pages/report_data.h"

namespace spca {

/// Draws the figures of a run anew into `folder`, because those in the run's folder may be older than
/// its records. If they cannot be drawn, the answer says why:
///
///   [{"name", "title", "notes", "path", "why_not"}]
Json figures_json(const ReportedRun& run, const std::filesystem::path& folder,
                  const std::filesystem::path& data_dir);

}  // namespace spca
