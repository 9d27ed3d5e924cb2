#pragma once

/// Computes the contents of a site's pages on solvers and data sets as JSON, which
/// plotting/site_pages.py renders.

#include <filesystem>
#include <string>
#include <vector>

#include "harness/pages/report_data.h"

namespace spca {

/// Returns the standing of every solver and every data set of the runs:
///
///   {"problems": {"all", "compared", "bounded", "certified", "contradicted", "unmeasured"},
///    "machines": [words], "solvers": [...], "kinds": [{"words", "problems", "solvers"}],
///    "datasets": [...]}
///
/// docs/SITE.md defines the numbers.
Json standings_json(const std::vector<ReportedRun>& runs, const std::filesystem::path& data_dir);

}  // namespace spca
