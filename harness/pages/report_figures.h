#pragma once

#include <filesystem>

#include "harness/pages/report_data.h"

namespace spca {

/// Draws the figures of a run again into `folder`, because those in the run's folder may be older
/// than its records. Returns
///
///   [{"name", "title", "notes", "path", "why_not", "chart"}]
///
/// "why_not" is the reason if a figure cannot be drawn. If drawing fails as a whole, the list has
/// one entry named "all".
Json figures_json(const ReportedRun& run, const std::filesystem::path& folder,
                  const std::filesystem::path& data_dir);

}  // namespace spca
