#pragma once

/// Computes the contents of a report as JSON, which plotting/report.py renders.

#include <filesystem>
#include <string>
#include <vector>

#include "harness/records/record.h"

namespace spca {

/// A finished or interrupted run that was read from its folder.
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

/// Returns {"directory", "claim", "remarks", "manifest", "records", "by_status", "contended",
/// "verdicts", "sum", "answer", "paper_tables", "comparisons", "claims", "claim_tables",
/// "first_tables", "bound_tables", "stale_differences", "tables", "topics", "troubles"}. "answer"
/// says in a few words whether the paper comes out; it is "" if the experiment has neither a number
/// with is_of_paper() nor a statement of a paper. "first_tables" is an empty list, which
/// ReportPage::put_first() fills.
///
/// A comparison also has "place", the kind and number of its table's PaperPlace, "title", the
/// table's title with its place, and "shows_interval".
Json report_of_run(const ReportedRun& run, const std::filesystem::path& data_dir);

/// Returns the name of each paper of the runs, {"bipart": "bipart: authors, title, venue"}, from
/// the beginning that most sources of its experiments share; without one, {"bipart": "bipart"}.
Json paper_names(const std::vector<ReportedRun>& runs);

}  // namespace spca
