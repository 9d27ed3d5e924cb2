#pragma once

/// What a report shows, as JSON: computed here, rendered by plotting/report.py.

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

/// Throws InputError where the folder holds no run or no record.
ReportedRun read_reported_run(const std::filesystem::path& directory,
                              const std::filesystem::path& data_dir);

/// {"directory", "claim", "manifest", "records", "by_status", "verdicts", "comparisons", "tables",
/// "topics", "troubles"}.
Json report_of_run(const ReportedRun& run, const std::filesystem::path& data_dir);

/// Words with their loadings, by component: [{"dataset", "variants", "shown", "note", "answers":
/// [{"solver", "deflation", "k", "components": [{"more", "words": [[name, loading], ...]}]}]}], for
/// every data set whose variables have names. Signs are such that the largest loading is positive.
/// Of a solver and deflation with many cardinalities only some are there.
Json topics_of_run(const ReportedRun& run, const std::filesystem::path& data_dir);

/// Cells that at least two of the runs answered, told by what determines the answer and not by
/// labels: {"common", "agreeing", "left_out", "rows": [{..., "values": [one a run]}]}. Rows
/// are those that differ in the digits shown, largest relative difference first; times are left
/// out, for they say more of the machines than of the runs.
Json common_cells(const std::vector<ReportedRun>& runs);

}  // namespace spca::cli
