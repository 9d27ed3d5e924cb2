#pragma once

/// Writes the page of a site that shows changes: against baselines, and over the history.

#include <filesystem>
#include <string>
#include <vector>

#include "harness/pages/report_data.h"

namespace spca {

/// Returns the differences of the runs from the baselines in `folder`, one file for each
/// experiment:
///
///   {"folder", "runs": [{"experiment", "baseline", "version", "why_not", "counts", "rows":
///     [{"cell", "metric", "verdict", "before", "now", "why"}], "left_out"}]}
///
/// A run without a baseline of its experiment, profile and settings has the reason in "why_not".
/// Throws InputError for a file in the folder that is not a baseline.
Json changes_json(const std::vector<ReportedRun>& runs, const std::filesystem::path& folder,
                  Damage damage);

/// Returns the numbers of the history that got worse since a date, or ever if `since` is empty:
/// {"since", "rows": worse_json}. If `file` is empty, the default file is read, and the answer is
/// null if that file is missing. Throws InputError for an invalid date or a file that is not a
/// history.
Json history_json(const std::string& file, const std::string& since);

}  // namespace spca
