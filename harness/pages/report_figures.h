#pragma once

#include <filesystem>

#include "harness/pages/report_data.h"

namespace spca {

/// Draws the figures of a run again into `folder`, because those in the run's folder may be older
/// than its records. If a figure cannot be drawn, the answer contains the reason:
///
///   [{"name", "title", "notes", "path", "why_not"}]
Json figures_json(const ReportedRun& run, const std::filesystem::path& folder,
                  const std::filesystem::path& data_dir);

}  // namespace spca
