#include "harness/history/trends.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include "harness/comparisons/paired_comparison.h"
#include "harness/experiments/experiment_match.h"
#include "harness/history/change_points.h"
#include "harness/records/median.h"
#include "harness/tables/number_text.h"
#include "spca/base/error.h"
#include "spca/base/text.h"
#include "spca/io/json_file.h"

namespace spca {
namespace {

/// Returns how a metric is judged. The metrics of kernels are in no registry: lower is better for
/// times, higher for rates.
GateRule rule_of(const std::string& metric) {
  if (metric == kAnswersMetric) {
    return {};
  }
  if (const std::optional<GateRule> rule = default_rule(metric)) {
    return *rule;
  }
  const Direction direction = metric.ends_with("_seconds")      ? Direction::kLowerIsBetter
                              : metric.ends_with("_per_second") ? Direction::kHigherIsBetter
                                                                : Direction::kNone;
  return {.direction = direction, .gate = Gate::kNone};
}

bool is_worse(Direction direction, double before, double after) {
  return direction == Direction::kHigherIsBetter ? after < before : after > before;
}

/// Returns the verdict on a change that is known not to be chance.
Verdict verdict_of(const Trend& trend, double before, double after) {
  const GateRule rule = rule_of(trend.metric);
  if (!trend.is_machine && std::abs(after - before) <= rule.tolerance(before)) {
    return Verdict::kMatch;
  }
  if (rule.direction == Direction::kNone) {
    return Verdict::kNotGated;
  }
  if (!is_worse(rule.direction, before, after)) {
    return Verdict::kBetter;
  }
  return trend.is_machine ? Verdict::kSlower : Verdict::kWorse;
}

/// Returns whether at least half of the step from `before` to `after` remains at `now`.
bool still_stands(double before, double after, double now) {
  return (now - before) / (after - before) >= 0.5;
}

void judge_changes(Trend& trend, double now) {
  for (TrendChange& change : trend.changes) {
    change.verdict = verdict_of(trend, change.before, change.after);
    const bool bad = change.verdict == Verdict::kWorse || change.verdict == Verdict::kSlower;
    change.stands = bad && still_stands(change.before, change.after, now);
  }
}

/// Compares each run exactly with the previous run on its machine since the last change. If there
/// is none, compares it within the tolerance with the previous run on any machine.
void find_exact_changes(Trend& trend, const std::vector<std::size_t>& machine_of_run) {
  const GateRule rule = rule_of(trend.metric);
  std::map<std::size_t, double> last_of_machine;
  for (std::size_t i = 0; i < trend.points.size(); ++i) {
    const double value = trend.points[i].value;
    const std::size_t machine = machine_of_run[trend.points[i].run];
    if (i > 0) {
      const auto same = last_of_machine.find(machine);
      const double before =
          same == last_of_machine.end() ? trend.points[i - 1].value : same->second;
      const double tolerance = same == last_of_machine.end() ? rule.tolerance(before) : 0;
      if (std::abs(value - before) > tolerance) {
        trend.changes.push_back({.point = i, .before = before, .after = value});
        last_of_machine.clear();
      }
    }
    last_of_machine[machine] = value;
  }
  judge_changes(trend, trend.points.back().value);
}

std::vector<double> logarithms_of(const Trend& trend) {
  std::vector<double> logarithms;
  for (const TrendPoint& point : trend.points) {
    logarithms.push_back(std::log(point.value));
  }
  return logarithms;
}

/// Returns the median of the points from `begin` to before `end`.
double level_between(const Trend& trend, std::size_t begin, std::size_t end) {
  std::vector<double> values;
  for (std::size_t i = begin; i < end; ++i) {
    values.push_back(trend.points[i].value);
  }
  return median_of(std::move(values));
}

void find_noisy_changes(Trend& trend, double level) {
  const std::vector<ChangePoint> changes_found = change_points(logarithms_of(trend), level);
  std::size_t begin = 0;
  for (std::size_t i = 0; i < changes_found.size(); ++i) {
    const std::size_t end =
        i + 1 < changes_found.size() ? changes_found[i + 1].first : trend.points.size();
    trend.changes.push_back({.point = changes_found[i].first,
                             .before = level_between(trend, begin, changes_found[i].first),
                             .after = level_between(trend, changes_found[i].first, end),
                             .p_value = changes_found[i].p_value});
    begin = changes_found[i].first;
  }
  if (!changes_found.empty()) {
    judge_changes(trend, level_between(trend, begin, trend.points.size()));
  }
}

/// A cell group on one machine while it is collected. `cells` maps question and run to the
/// logarithm of the value.
struct Group {
  VariantLabels labels;
  std::string profile;
  std::map<std::int64_t, std::map<std::size_t, double>> cells;
};

/// Returns the geometric mean of the cells for each run. A cell that a run lacks does not shift it
/// (trends.h).
std::vector<TrendPoint> group_points(const Group& group) {
  double base = 0;
  std::map<std::size_t, std::pair<double, std::size_t>> sums;  // run -> sum and count of log ratios
  for (const auto& [question, values] : group.cells) {
    std::vector<double> all;
    for (const auto& [run, value] : values) {
      all.push_back(value);
    }
    const double median = median_of(std::move(all));
    base += median / static_cast<double>(group.cells.size());
    for (const auto& [run, value] : values) {
      sums[run].first += value - median;
      ++sums[run].second;
    }
  }
  std::vector<TrendPoint> points;
  for (const auto& [run, sum] : sums) {
    points.push_back(
        {.run = run, .value = std::exp(base + sum.first / static_cast<double>(sum.second))});
  }
  return points;
}

bool is_wanted(const TrendRequest& request, const std::string& metric) {
  return request.metrics.empty() ||
         std::any_of(request.metrics.begin(), request.metrics.end(),
                     [&](const std::string& glob) { return glob_matches(glob, metric); });
}

InputError unknown_experiment(const HistoryFile& file, const std::string& experiment) {
  std::vector<std::string> names;
  for (const HistoryRun& run : file.runs()) {
    if (std::find(names.begin(), names.end(), run.experiment) == names.end()) {
      names.push_back(run.experiment);
    }
  }
  return InputError(
      fmt::format("EXPERIMENT: found {}{}, of which {} has no run; accepted: {}",
                  in_quotes(experiment), did_you_mean(experiment, names), file.path().string(),
                  names.empty() ? "nothing yet: `spca history add RUN` adds one" : join(names)));
}

/// Collects the rows of the file for find_trends.
class TrendFinder {
 public:
  TrendFinder(const HistoryFile& file, const TrendRequest& request)
      : file_(file), request_(request), questions_(file.questions(request.experiment)) {
    trends_.experiment = request.experiment;
    trends_.runs = file.runs(request.experiment);
    if (trends_.runs.empty()) {
      throw unknown_experiment(file, request.experiment);
    }
    if (request.last > 0 && trends_.runs.size() > request.last) {
      trends_.runs.erase(trends_.runs.begin(),
                         trends_.runs.end() - static_cast<std::ptrdiff_t>(request.last));
    }
    number_machines();
  }

  Trends find() {
    gather();
    for (Trend& trend : trends_.trends) {
      find_exact_changes(trend, machine_of_run_);
    }
    add_groups();
    if (trends_.trends.empty() && !request_.metrics.empty() && !request_.may_lack_metrics) {
      throw InputError(
          fmt::format("--metric: found \"{}\", which matches no metric of {}; "
                      "accepted: {}",
                      join(request_.metrics), request_.experiment, join(names_)));
    }
    return std::move(trends_);
  }

 private:
  void number_machines() {
    for (std::size_t i = 0; i < trends_.runs.size(); ++i) {
      const HistoryRun& run = trends_.runs[i];
      position_of_run_[run.number] = i;
      const auto known = std::find(trends_.machines.begin(), trends_.machines.end(), run.machine);
      machine_of_run_.push_back(static_cast<std::size_t>(known - trends_.machines.begin()));
      if (known == trends_.machines.end()) {
        trends_.machines.push_back(run.machine);
      }
    }
  }

  /// Returns Trend::profile of a question.
  std::string profile_of(const HistoryQuestion& question) const {
    const bool differ = std::any_of(
        trends_.runs.begin(), trends_.runs.end(),
        [&](const HistoryRun& run) { return run.profile != trends_.runs.front().profile; });
    return differ && question.json.contains("profile")
               ? question.json.at("profile").get<std::string>()
               : std::string();
  }

  void gather() {
    std::map<std::pair<std::int64_t, std::string>, Trend> exact;
    for (const HistoryPoint& point : file_.points(request_.experiment)) {
      const auto position = position_of_run_.find(point.run);
      const auto question = questions_.find(point.question);
      if (position == position_of_run_.end() || question == questions_.end()) {
        continue;  // a run before the last ones, or one that was added after they were read
      }
      add_once(names_, point.metric);
      if (!is_wanted(request_, point.metric)) {
        continue;
      }
      const std::size_t machine = machine_of_run_[position->second];
      if (point.by_repeat.empty()) {
        Trend& trend = exact[{point.question, point.metric}];
        if (trend.points.empty()) {
          trend.labels = question->second.labels();
          trend.profile = profile_of(question->second);
          trend.metric = point.metric;
          trend.machine = machine;
        }
        trend.points.push_back({.run = position->second, .value = point.mean});
      } else if (point.contended) {
        ++trends_.contended;
      } else if (point.mean > 0) {
        add_to_group(point, question->second, position->second, machine);
      }
    }
    for (auto& [key, trend] : exact) {
      std::sort(trend.points.begin(), trend.points.end(),
                [](const TrendPoint& a, const TrendPoint& b) { return a.run < b.run; });
      trends_.trends.push_back(std::move(trend));
    }
  }

  void add_to_group(const HistoryPoint& point, const HistoryQuestion& question, std::size_t run,
                    std::size_t machine) {
    VariantLabels labels = question.labels();
    labels.cardinality.clear();
    const std::string profile = profile_of(question);
    Group& group = groups_[{identity_text(labels), profile, point.metric, machine}];
    group.labels = labels;
    group.profile = profile;
    group.cells[point.question][run] = std::log(point.mean);
  }

  void add_groups() {
    const std::size_t first = trends_.trends.size();
    std::vector<double> p_values;
    for (const auto& [key, group] : groups_) {
      Trend trend{.labels = group.labels,
                  .profile = group.profile,
                  .metric = std::get<2>(key),
                  .is_machine = true,
                  .machine = std::get<3>(key),
                  .points = group_points(group),
                  .changes = {}};
      p_values.push_back(most_different_part(logarithms_of(trend)).p_value);
      trends_.trends.push_back(std::move(trend));
    }
    trends_.level = largest_p_value(p_values, kFalseShare);
    for (std::size_t i = first; i < trends_.trends.size(); ++i) {
      if (p_values[i - first] <= trends_.level) {
        find_noisy_changes(trends_.trends[i], trends_.level);
      }
    }
  }

  const HistoryFile& file_;
  const TrendRequest& request_;
  std::map<std::int64_t, HistoryQuestion> questions_;
  Trends trends_;
  std::map<std::int64_t, std::size_t> position_of_run_;
  std::vector<std::size_t> machine_of_run_;
  std::vector<std::string> names_;  // names of the metrics
  std::map<std::tuple<std::string, std::string, std::string, std::size_t>, Group> groups_;
};

/// Sorts the gravest rows first, then by date, then in the order of the trends.
void sort_rows(std::vector<WorseRow>& rows) {
  std::stable_sort(rows.begin(), rows.end(), [](const WorseRow& a, const WorseRow& b) {
    return std::pair(b.verdict, a.date) < std::pair(a.verdict, b.date);
  });
}

}  // namespace

const char* change_name(Verdict verdict) {
  switch (verdict) {
    case Verdict::kMatch:
      return "within the tolerance";
    case Verdict::kNotGated:
      return "changed";
    default:
      return verdict_name(verdict);
  }
}

std::string Trend::group_label() const {
  if (labels.dataset.empty()) {
    return labels.solver;  // a kernel
  }
  return fmt::format("{}{} / {}{}{}", labels.grid == labels.dataset ? "" : labels.grid + " / ",
                     labels.dataset, labels.solver,
                     labels.deflation.empty() ? "" : ", " + labels.deflation,
                     profile.empty() ? "" : fmt::format(" ({})", profile));
}

std::string Trend::label() const {
  return labels.cardinality.empty()
             ? group_label()
             : fmt::format("{} / k = {}", group_label(), cardinality_text(labels.cardinality));
}

Trends find_trends(const HistoryFile& file, const TrendRequest& request) {
  return TrendFinder(file, request).find();
}

std::vector<WorseRow> worse_since(const Trends& trends, const std::string& since) {
  std::vector<WorseRow> rows;
  for (const Trend& trend : trends.trends) {
    for (std::size_t i = 0; i < trend.changes.size(); ++i) {
      const TrendChange& change = trend.changes[i];
      const HistoryRun& run = trends.runs[trend.points[change.point].run];
      if ((change.verdict != Verdict::kWorse && change.verdict != Verdict::kSlower) ||
          run.date < since) {
        continue;
      }
      rows.push_back(
          {.experiment = trends.experiment,
           .label = trend.label(),
           .labels = trend.labels,
           .metric = trend.metric,
           .before = change.before,
           .after = change.after,
           .now = trend.is_machine ? trend.changes.back().after : trend.points.back().value,
           .last_good = trends.runs[trend.points[change.point - 1].run].commit,
           .commit = run.commit,
           .date = run.date,
           .verdict = change.verdict,
           .p_value = change.p_value,
           .stands = change.stands});
    }
  }
  sort_rows(rows);
  return rows;
}

std::vector<WorseRow> worse_since(const HistoryFile& file, const std::vector<std::string>& metrics,
                                  const std::string& since) {
  std::vector<std::string> experiments;
  for (const HistoryRun& run : file.runs()) {
    add_once(experiments, run.experiment);
  }
  std::vector<WorseRow> rows;
  for (const std::string& experiment : experiments) {
    const std::vector<WorseRow> more = worse_since(
        find_trends(file, {.experiment = experiment, .metrics = metrics, .may_lack_metrics = true}),
        since);
    rows.insert(rows.end(), more.begin(), more.end());
  }
  sort_rows(rows);
  return rows;
}

Json worse_json(const std::vector<WorseRow>& rows) {
  Json list = Json::array();
  for (const WorseRow& row : rows) {
    list.push_back({{"experiment", row.experiment},
                    {"cell", row.label},
                    {"grid", row.labels.grid},
                    {"dataset", row.labels.dataset},
                    {"solver", row.labels.solver},
                    {"deflation", row.labels.deflation},
                    {"cardinality", row.labels.cardinality},
                    {"metric", row.metric},
                    {"before", number_to_json(row.before)},
                    {"after", number_to_json(row.after)},
                    {"now", number_to_json(row.now)},
                    {"last_good", row.last_good},
                    {"commit", row.commit},
                    {"date", row.date},
                    {"verdict", change_name(row.verdict)},
                    {"p_value", number_to_json(row.p_value)},
                    {"stands", row.stands}});
  }
  return list;
}

Json trends_json(const Trends& trends) {
  Json runs = Json::array();
  for (const HistoryRun& run : trends.runs) {
    runs.push_back({{"commit", run.commit},
                    {"date", run.date},
                    {"revision", run.revision},
                    {"kind", run.kind},
                    {"profile", run.profile}});
  }
  Json list = Json::array();
  for (const Trend& trend : trends.trends) {
    Json points = Json::array();
    for (const TrendPoint& point : trend.points) {
      points.push_back({{"run", point.run}, {"value", number_to_json(point.value)}});
    }
    Json changes = Json::array();
    for (const TrendChange& change : trend.changes) {
      const HistoryRun& run = trends.runs[trend.points[change.point].run];
      changes.push_back({{"run", trend.points[change.point].run},
                         {"commit", run.commit},
                         {"date", run.date},
                         {"before", number_to_json(change.before)},
                         {"after", number_to_json(change.after)},
                         {"p_value", number_to_json(change.p_value)},
                         {"verdict", change_name(change.verdict)},
                         {"stands", change.stands}});
    }
    list.push_back({{"cell", trend.label()},
                    {"group", trend.group_label()},
                    {"grid", trend.labels.grid},
                    {"dataset", trend.labels.dataset},
                    {"solver", trend.labels.solver},
                    {"deflation", trend.labels.deflation},
                    {"cardinality", trend.labels.cardinality},
                    {"metric", trend.metric},
                    {"machine", trend.machine},
                    {"of_machine", trend.is_machine},
                    {"points", points},
                    {"changes", changes}});
  }
  return {
      {"experiment", trends.experiment}, {"level", trends.level}, {"contended", trends.contended},
      {"machines", trends.machines},     {"runs", runs},          {"trends", list}};
}

}  // namespace spca
