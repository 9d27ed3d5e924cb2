#pragma once

/// What became of an experiment's numbers from commit to commit, and where they changed.
///
/// A number that the same code gives again to the last digit (a variance, a count of products) is
/// one series a cell. A run of the same machine that gives another number is a change, however
/// small. Runs of different machines may differ by rounding: there a change must exceed the
/// tolerance of the metric.
///
/// A measure of the machine (a time, memory, instructions) is one series a *cell group* and machine:
/// all cardinalities of one grid, data set, solver and deflation. Its value of a run is the geometric
/// mean over the cells. A cell that a run lacks does not move it: each cell enters by its ratio to
/// its own median over the runs. Changes are those of change_points.h in the logarithms, at the level
/// by which at most kFalseShare of all changes of the experiment are false on average
/// (largest_p_value). What was measured beside other cells is left out.

#include <optional>
#include <string>
#include <vector>

#include "harness/history/history_file.h"
#include "harness/verdicts/verdict.h"

namespace spca {

/// Which share of the changes that are reported may be false, on average, if times come in random
/// order.
inline constexpr double kFalseShare = 0.05;

struct TrendPoint {
  std::size_t run = 0;  // place in Trends::runs
  double value = kNotMeasured;
};

struct TrendChange {
  std::size_t point = 0;  // place in Trend::points of the first one that is changed
  double before = kNotMeasured, after = kNotMeasured;  // of a machine: medians of the two levels
  double p_value = kNotMeasured;                       // NaN: the number is exact
  /// kWorse, kSlower (worse, of a metric of the machine), kBetter; kMatch: within the tolerance of
  /// the metric; kNotGated: no direction is better.
  Verdict verdict = Verdict::kNotGated;
  /// A change for the worse of which at least half is still there in the last run.
  bool stands = false;
};

struct Trend {
  VariantLabels labels;  // of a group: without cardinality
  std::string profile;   // empty if all runs have the same
  std::string metric;
  bool is_machine = false;
  std::size_t machine = 0;  // place in Trends::machines; of an exact number: of its first run
  std::vector<TrendPoint> points;
  std::vector<TrendChange> changes;  // ascending

  /// "pitprops / tpower / k = 5", with "(smoke)" behind the solver if profiles differ; of a kernel its
  /// name.
  std::string label() const;
  std::string group_label() const;  // without the cardinality
};

struct Trends {
  std::string experiment;
  std::vector<HistoryRun> runs;  // ascending by date
  std::vector<Json> machines;
  std::vector<Trend> trends;  // exact ones first, each by question; then those of groups
  std::size_t contended = 0;  // points that were left out for it
  double level = 0;           // largest p-value that counts
};

/// What of a history is looked at.
struct TrendRequest {
  std::string experiment;
  std::vector<std::string> metrics = {};  // patterns with * and ?; empty: all
  std::size_t last = 0;                   // runs; 0: all
  bool may_lack_metrics = false;          // then none of them is no error
};

/// Throws InputError if the file has no such experiment, or no such metric of it.
Trends find_trends(const HistoryFile& file, const TrendRequest& request);

/// A change for the worse.
struct WorseRow {
  std::string experiment, label;
  VariantLabels labels;
  std::string metric;
  double before = kNotMeasured, after = kNotMeasured;
  double now = kNotMeasured;  // in the last run; of a machine: the last level
  std::string last_good;      // the commit before
  std::string commit, date;   // of the change
  Verdict verdict = Verdict::kWorse;
  double p_value = kNotMeasured;
  bool stands = false;
};

/// What got worse on `since` (utc_moment) or later, the gravest kind first, then by date.
std::vector<WorseRow> worse_since(const Trends& trends, const std::string& since);
/// The same of every experiment of the file.
std::vector<WorseRow> worse_since(const HistoryFile& file, const std::vector<std::string>& metrics,
                                  const std::string& since);
/// A list of objects, for pages: every member of WorseRow.
Json worse_json(const std::vector<WorseRow>& rows);

/// {"experiment", "level", "contended", "machines", "runs", "trends"}.
Json trends_json(const Trends& trends);
/// "worse", "slower", "better", "within the tolerance", "changed".
const char* change_name(Verdict verdict);

}  // namespace spca
