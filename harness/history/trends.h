#pragma once

/// Follows the numbers of an experiment from commit to commit, and finds where they changed.
///
/// A number that the same code reproduces to the last digit (a variance, a count of products) is
/// one series for each cell. If a run on the same machine has another number, that is a change,
/// however small. Runs on different machines may differ by rounding: there a change must exceed the
/// tolerance of the metric.
///
/// A measure of the machine (a time, memory, instructions) is one series for each machine and *cell
/// group*: all cardinalities of one grid, data set, solver and deflation. The value of a run is the
/// geometric mean over the cells. A cell that a run lacks does not shift the mean, because each
/// cell enters by its ratio to its own median over the runs. Changes are those of change_points.h
/// in the logarithms, at the level at which on average at most kFalseShare of all changes of the
/// experiment are false (largest_p_value). Values measured while other cells ran are left out.

#include <optional>
#include <string>
#include <vector>

#include "harness/comparisons/verdict.h"
#include "harness/history/history_file.h"

namespace spca {

/// At most this share of the reported changes is false on average, if the times of unchanged code
/// come in random order.
inline constexpr double kFalseShare = 0.05;

struct TrendPoint {
  std::size_t run = 0;  // index into Trends::runs
  double value = kNotMeasured;
};

struct TrendChange {
  std::size_t point = 0;  // index into Trend::points of the first changed point
  /// For a measure of the machine, the medians of the two levels.
  double before = kNotMeasured, after = kNotMeasured;
  double p_value = kNotMeasured;  // NaN for an exact number
  /// kWorse, kSlower (worse, for a metric of the machine) or kBetter; kMatch: within the tolerance
  /// of the metric; kNotGated: the metric has no better direction.
  Verdict verdict = Verdict::kNotGated;
  /// True for a change for the worse of which at least half remains in the last run or, for a
  /// measure of the machine, in the last level.
  bool stands = false;
};

struct Trend {
  VariantLabels labels;  // without cardinality for a group
  std::string profile;   // empty if all runs have the same profile
  std::string metric;
  bool is_machine = false;
  std::size_t machine = 0;  // index into Trends::machines; for an exact number, of its first run
  std::vector<TrendPoint> points;
  std::vector<TrendChange> changes;  // ascending

  /// Returns "pitprops / tpower / k = 5", with "(smoke)" after the solver if profiles differ; for a
  /// kernel, its name.
  std::string label() const;
  std::string group_label() const;  // label() without the cardinality
};

struct Trends {
  std::string experiment;
  std::vector<HistoryRun> runs;  // ascending by date
  std::vector<Json> machines;
  std::vector<Trend> trends;  // exact numbers by question and metric, then cell groups
  std::size_t contended = 0;  // number of points left out: other cells ran at the time
  double level = 0;           // largest significant p-value
};

/// The part of a history to be examined.
struct TrendRequest {
  std::string experiment;
  std::vector<std::string> metrics = {};  // patterns with * and ?; empty: all
  std::size_t last = 0;                   // number of last runs; 0: all
  bool may_lack_metrics = false;          // true: finding no metric is not an error
};

/// Finds the trends. Throws InputError if the file has no run of the experiment or, unless
/// `may_lack_metrics`, no number of the requested metrics.
Trends find_trends(const HistoryFile& file, const TrendRequest& request);

/// A change for the worse.
struct WorseRow {
  std::string experiment, label;
  VariantLabels labels;
  std::string metric;
  double before = kNotMeasured, after = kNotMeasured;
  double now = kNotMeasured;  // in the last run; for a measure of the machine, the last level
  std::string last_good;      // the commit before the change
  std::string commit, date;   // of the change
  Verdict verdict = Verdict::kWorse;
  double p_value = kNotMeasured;
  bool stands = false;
};

/// Returns the changes for the worse on `since` (utc_moment) or later, the gravest kind first, then
/// by date.
std::vector<WorseRow> worse_since(const Trends& trends, const std::string& since);
/// Returns worse_since over all experiments of the file.
std::vector<WorseRow> worse_since(const HistoryFile& file, const std::vector<std::string>& metrics,
                                  const std::string& since);
/// Returns the rows for pages: a list of objects with every member of WorseRow.
Json worse_json(const std::vector<WorseRow>& rows);

/// Returns {"experiment", "level", "contended", "machines", "runs", "trends"}.
Json trends_json(const Trends& trends);
/// Returns "worse", "slower", "better", "within the tolerance" or "changed".
const char* change_name(Verdict verdict);

}  // namespace spca
