#pragma once

/// What the pages of a site show beside reports, as JSON. It is computed here and rendered by
/// plotting/site_pages.py.

#include <filesystem>
#include <string>
#include <vector>

#include "harness/pages/report_data.h"

namespace spca {

/// Returns where every solver and every data set of the runs stands:
///
///   {"problems": {"all", "compared", "bounded", "certified", "contradicted", "unmeasured"},
///    "machines": [words], "solvers": [...], "datasets": [...]}
///
/// docs/SITE.md says what the numbers mean.
Json standings_json(const std::vector<ReportedRun>& runs, const std::filesystem::path& data_dir);

}  // namespace spca
