#pragma once

/// Computes the contents of the page of a site that shows changes: from baselines, and over the
/// history. plotting/site_pages.py renders them.

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
/// Throws InputError if the file of such an experiment is not a baseline.
Json changes_json(const std::vector<ReportedRun>& runs, const std::filesystem::path& folder,
                  Damage damage);

/// Returns the numbers of the history that got worse since a date, or ever if `since` is empty:
/// {"since", "rows": worse_json}. If `file` is empty, the default file is read; if that file is
/// missing, the answer is null, or with a date InputError is thrown. Throws InputError for an
/// invalid date or a file that is not a history.
Json history_json(const std::string& file, const std::string& since);

}  // namespace spca
