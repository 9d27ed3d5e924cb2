#pragma once

/// The page of a site that shows changes: against baselines, and over the history.

#include <filesystem>
#include <string>
#include <vector>

#include "harness/pages/report_data.h"

namespace spca {

/// Returns how the runs differ from the baselines in `folder`, one file an experiment:
///
///   {"folder", "runs": [{"experiment", "baseline", "version", "why_not", "counts", "rows":
///     [{"cell", "metric", "verdict", "before", "now", "why"}], "left_out"}]}
///
/// A run without a baseline of its experiment, profile and settings has the reason in "why_not".
/// Throws InputError for a file there that is no baseline.
Json changes_json(const std::vector<ReportedRun>& runs, const std::filesystem::path& folder,
                  Damage damage);

/// Returns what of the history got worse since a date, or at all (""): {"since", "rows": worse_json}.
/// The file may be "": then the default one, and null if that is not there. Throws InputError for a
/// date that is none, and for a file that is no history.
Json history_json(const std::string& file, const std::string& since);

}  // namespace spca
