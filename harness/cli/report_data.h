#pragma once

/// What a report shows, as JSON. It is computed here and rendered by plotting/report.py.

#include <filesystem>
#include <string>
#include <vector>

#include "harness/records/record.h"

namespace spca::cli {

/// A finished or interrupted run, read from its folder.
struct ReportedRun {
  std::filesystem::path directory;
  Json manifest;
  Experiment experiment;
  std::vector<Record> records;
};

/// Reads a run. Throws InputError if the folder holds no run or no record, and as
/// require_intact_run does.
ReportedRun read_reported_run(const std::filesystem::path& directory,
                              const std::filesystem::path& data_dir, Damage damage);

/// Returns {"directory", "claim", "manifest", "records", "by_status", "verdicts", "sum", "comparisons",
/// "claims", "claim_tables", "bound_tables", "stale_differences", "tables", "topics", "troubles"}.
Json report_of_run(const ReportedRun& run, const std::filesystem::path& data_dir);

/// Draws the figures of a run anew into `folder`, because those in the run's folder may be older than
/// its records. If they cannot be drawn, the answer says why:
///
///   [{"name", "title", "notes", "path", "why_not"}]
Json figures_json(const ReportedRun& run, const std::filesystem::path& folder,
                  const std::filesystem::path& data_dir);

/// Returns words with their loadings, by component, for every data set whose variables have names:
///
///   [{"dataset", "variants", "shown", "note", "answers":
///     [{"solver", "deflation", "k", "components": [{"more", "words": [[name, loading], ...]}]}]}]
///
/// Signs are such that the largest loading is positive. If a solver and deflation have many
/// cardinalities, only some are there.
Json topics_of_run(const ReportedRun& run, const std::filesystem::path& data_dir);

/// Returns the cells that at least two of the runs answered. Cells are the same if what determines
/// the answer is the same, whatever their labels:
///
///   {"common", "agreeing", "left_out", "rows": [{..., "values": [one a run]}]}
///
/// Rows are those that differ in the digits shown, largest relative difference first. Times are
/// left out, because they say more of the machines than of the runs.
Json common_cells(const std::vector<ReportedRun>& runs);

}  // namespace spca::cli
