#include "harness/verdicts/gate.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numbers>
#include <set>

#include "harness/peers/peer.h"
#include "spca/measure/metric_formulas.h"

namespace spca {
namespace {

/// A repeat in this run and in the baseline; both have an answer.
struct RepeatPair {
  const RepeatEvidence* ours;
  const RepeatEvidence* reference;
};

/// The defaults of a plugin's options; null where this program does not have it, or it has an
/// option without a default.
template <class Entry>
Json default_options(const std::string& name) {
  const Entry* entry = Registry<Entry>::instance().find(name);
  try {
    return entry == nullptr ? Json(nullptr) : entry->complete_options(Json::object(), "");
  } catch (const InputError&) {
    return nullptr;
  }
}

/// A default that changed in the code is what a gate is there for; an option that the experiment
/// sets otherwise than before asks another question.
void compare_options(const Json& ours, const Json& reference, const Json& defaults,
                     CellCheck& check) {
  for (const auto& [key, value] : reference.items()) {
    if (!ours.contains(key)) {
      check.notes.push_back(
          fmt::format("the option {} ({} in the baseline) is gone", key, value.dump()));
      continue;
    }
    if (ours.at(key) == value) {
      continue;
    }
    const std::string change =
        fmt::format("{} is {} here, {} in the baseline", key, ours.at(key).dump(), value.dump());
    if (defaults.is_object() && defaults.contains(key) && defaults.at(key) == ours.at(key)) {
      check.notes.push_back("the default of the option " + change);
    } else {
      check.problems.push_back({GateVerdict::kNotComparable, "the option " + change});
    }
  }
}

void compare_questions(const CellEvidence& ours, const CellEvidence& reference, CellCheck& check) {
  if (ours.solver_name != reference.solver_name || ours.dataset_name != reference.dataset_name) {
    check.problems.push_back(
        {GateVerdict::kNotComparable,
         fmt::format("{} on {} here, {} on {} in the baseline", ours.solver_name, ours.dataset_name,
                     reference.solver_name, reference.dataset_name)});
    return;
  }
  compare_options(ours.solver_options, reference.solver_options,
                  default_options<SolverEntry>(ours.solver_name), check);
  compare_options(ours.dataset_options, reference.dataset_options,
                  default_options<DatasetEntry>(ours.dataset_name), check);
}

/// What is wrong with a repeat that is no pair of answers.
CellProblem problem_of(const RepeatEvidence* ours, const RepeatEvidence& reference) {
  if (ours == nullptr) {
    return {GateVerdict::kNotComparable, "not in this run"};
  }
  if (!ours->has_answer() && ours->status != Status::kSkipped) {
    return {GateVerdict::kFailed,
            no_answer_text(*ours) + (reference.has_answer() ? ""
                                                            : " (no answer in the baseline "
                                                              "either)")};
  }
  if (ours->has_answer()) {
    return reference.has_answer()
               ? CellProblem{GateVerdict::kNotComparable,
                             "its seed is not the baseline's: other draws"}
               : CellProblem{GateVerdict::kBetter,
                             "answers now; in the baseline " + no_answer_text(reference)};
  }
  return {reference.has_answer() ? GateVerdict::kNotComparable : GateVerdict::kNotGated,
          no_answer_text(*ours)};
}

/// The pairs of answers to the same draws; whatever else there is becomes a problem, equal ones
/// together.
std::vector<RepeatPair> pair_repeats(const CellEvidence& ours, const CellEvidence& reference,
                                     CellCheck& check) {
  std::vector<RepeatPair> pairs;
  std::map<std::pair<GateVerdict, std::string>, std::size_t> problems;
  for (const RepeatEvidence& repeat : reference.repeats) {
    const RepeatEvidence* found = ours.find(repeat.repeat);
    if (found != nullptr && found->has_answer() && repeat.has_answer() &&
        found->seed == repeat.seed) {
      pairs.push_back({found, &repeat});
    } else {
      const CellProblem problem = problem_of(found, repeat);
      ++problems[{problem.verdict, problem.reason}];
    }
  }
  for (const auto& [problem, count] : problems) {
    const std::size_t all = reference.repeats.size();
    check.problems.push_back({problem.first, all == 1 ? problem.second
                                                      : fmt::format("{} of {} repeats: {}", count,
                                                                    all, problem.second)});
  }
  return pairs;
}

double support_agreement(const std::vector<Component>& a, const std::vector<Component>& b) {
  const bool ordered = a.size() <= b.size();  // a matching of all rows needs as many columns
  return best_matching(ordered ? support_f1_scores(a, b) : support_f1_scores(b, a)) /
         static_cast<double>(std::max(a.size(), b.size()));
}

double subspace_angle(const std::vector<Component>& a, const std::vector<Component>& b) {
  return a.size() == b.size() ? largest_principal_angle(a, b) : std::numbers::pi / 2;
}

/// The numbers of one metric over the pairs.
void collect(const std::vector<RepeatPair>& pairs, const std::string& metric,
             std::vector<double>& ours, std::vector<double>& reference) {
  const auto value = [&](const RepeatEvidence& repeat) {
    const auto position = repeat.metrics.find(metric);
    return position == repeat.metrics.end() ? kNotMeasured : position->second;
  };
  for (const RepeatPair& pair : pairs) {
    if (metric == kSupportF1ToReference) {
      ours.push_back(support_agreement(pair.ours->components, pair.reference->components));
      reference.push_back(1);
    } else if (metric == kAngleToReference) {
      ours.push_back(subspace_angle(pair.ours->components, pair.reference->components));
      reference.push_back(0);
    } else {
      ours.push_back(value(*pair.ours));
      reference.push_back(value(*pair.reference));
    }
  }
}

GateVerdict verdict_of(Change change, Gate gate) {
  if (gate == Gate::kNone) {
    return GateVerdict::kNotGated;
  }
  switch (change) {
    case Change::kSame:
      return GateVerdict::kMatch;
    case Change::kBetter:
      return GateVerdict::kBetter;
    case Change::kWorse:
      return gate == Gate::kHard ? GateVerdict::kWorse : GateVerdict::kSlower;
    case Change::kNotComparable:
      break;
  }
  return GateVerdict::kNotComparable;
}

MetricCheck check_metric(const std::string& metric, const std::optional<GateRule>& rule,
                         std::vector<RepeatPair> pairs, const std::string& other_machine) {
  MetricCheck check;
  check.metric = metric;
  if (!rule) {
    check.reason = "this program has no such metric";
    return check;
  }
  check.rule = *rule;
  if (rule->gate == Gate::kSameMachineOnly) {
    std::erase_if(pairs, [](const RepeatPair& pair) {
      return pair.ours->contended || pair.reference->contended;
    });
    check.reason = !other_machine.empty() ? other_machine
                   : pairs.empty()        ? "measured beside other cells"
                                          : "";
    if (!check.reason.empty()) {
      check.verdict = GateVerdict::kNotGated;
      return check;
    }
  }
  std::vector<double> ours;
  std::vector<double> reference;
  collect(pairs, metric, ours, reference);
  check.pairs = compare_pairs(ours, reference, *rule, is_machine_metric(metric));
  check.verdict = verdict_of(check.pairs.change, rule->gate);
  check.reason = rule->gate == Gate::kNone ? "its gate is none" : check.pairs.reason;
  return check;
}

std::vector<std::string> metrics_of(const CellEvidence& cell) {
  std::set<std::string> names;
  for (const RepeatEvidence& repeat : cell.repeats) {
    for (const auto& [name, value] : repeat.metrics) {
      names.insert(name);
    }
  }
  std::vector<std::string> list(names.begin(), names.end());
  list.push_back(kSupportF1ToReference);
  list.push_back(kAngleToReference);
  return list;
}

bool is_component_metric(const std::string& metric) {
  return metric == kSupportF1ToReference || metric == kAngleToReference;
}

/// Another answer is a regression unless it is a better one.
void excuse_better_answers(CellCheck& check) {
  const bool is_better =
      std::any_of(check.metrics.begin(), check.metrics.end(), [](const MetricCheck& metric) {
        return metric.verdict == GateVerdict::kBetter && metric.rule.gate == Gate::kHard;
      });
  for (MetricCheck& metric : check.metrics) {
    if (is_better && is_component_metric(metric.metric) && metric.verdict == GateVerdict::kWorse) {
      metric.verdict = GateVerdict::kNotGated;
      metric.reason = "another answer, and a better one";
    }
  }
}

GateVerdict worst(const CellCheck& check) {
  GateVerdict verdict = GateVerdict::kNotGated;
  for (const CellProblem& problem : check.problems) {
    verdict = std::max(verdict, problem.verdict);
  }
  for (const MetricCheck& metric : check.metrics) {
    verdict = std::max(verdict, metric.verdict);
  }
  return verdict;
}

std::string why_missing(const CellEvidence& reference) {
  return !may_be_solver(reference.solver_name)
             ? fmt::format("not in this run: this program has no solver \"{}\"",
                           reference.solver_name)
             : "not in this run";
}

void compare_cells(const Baseline& baseline, const CellEvidence& ours,
                   const std::string& other_machine, CellCheck& check) {
  const CellEvidence& reference = *check.reference;
  compare_questions(ours, reference, check);
  const std::vector<RepeatPair> pairs = pair_repeats(ours, reference, check);
  for (const std::string& metric : metrics_of(reference)) {
    if (!pairs.empty()) {
      check.metrics.push_back(
          check_metric(metric, baseline.rule(reference, metric), pairs, other_machine));
    }
  }
  excuse_better_answers(check);
}

/// Whether the baseline's overrides take every metric of the cell out of the gate.
bool is_exempt(const Baseline& baseline, const CellEvidence& reference) {
  const std::vector<std::string> metrics = metrics_of(reference);
  return std::all_of(metrics.begin(), metrics.end(), [&](const std::string& metric) {
    const std::optional<GateRule> rule = baseline.rule(reference, metric);
    return rule && rule->gate == Gate::kNone;
  });
}

CellCheck check_cell(const Baseline& baseline, const CellEvidence& reference,
                     const CellEvidence* ours, const std::string& other_machine) {
  CellCheck check;
  check.reference = &reference;
  if (ours == nullptr) {
    check.problems.push_back({GateVerdict::kNotComparable, why_missing(reference)});
  } else {
    compare_cells(baseline, *ours, other_machine, check);
  }
  check.verdict = is_exempt(baseline, reference) ? GateVerdict::kNotGated : worst(check);
  return check;
}

}  // namespace

const char* verdict_name(GateVerdict verdict) {
  switch (verdict) {
    case GateVerdict::kNotGated:
      return "not gated";
    case GateVerdict::kMatch:
      return "match";
    case GateVerdict::kBetter:
      return "better";
    case GateVerdict::kSlower:
      return "slower";
    case GateVerdict::kNotComparable:
      return "not comparable";
    case GateVerdict::kWorse:
      return "worse";
    case GateVerdict::kFailed:
      break;
  }
  return "failed";
}

int exit_code(GateVerdict verdict) {
  switch (verdict) {
    case GateVerdict::kNotGated:
    case GateVerdict::kMatch:
    case GateVerdict::kBetter:
      return 0;
    case GateVerdict::kSlower:
      return 6;
    case GateVerdict::kNotComparable:
      return 5;
    case GateVerdict::kWorse:
      return 4;
    case GateVerdict::kFailed:
      break;
  }
  return 3;
}

std::size_t GateReport::count(GateVerdict wanted) const {
  return static_cast<std::size_t>(std::count_if(
      cells.begin(), cells.end(), [&](const CellCheck& cell) { return cell.verdict == wanted; }));
}

GateReport check_run(const Baseline& baseline, const RunEvidence& run) {
  GateReport report;
  report.experiment =
      run.experiment == baseline.evidence.experiment
          ? run.experiment
          : fmt::format("{} (this is a run of {})", baseline.evidence.experiment, run.experiment);
  const EvidenceIndex ours(run.cells);
  const EvidenceIndex reference(baseline.evidence.cells);
  const std::string difference = machine_difference(run.machine, baseline.evidence.machine);
  const std::string other_machine = difference.empty() ? "" : "another machine: " + difference;
  GateVerdict verdict = GateVerdict::kNotGated;
  for (const CellEvidence& cell : baseline.evidence.cells) {
    report.cells.push_back(check_cell(baseline, cell, ours.find(cell), other_machine));
    verdict = std::max(verdict, report.cells.back().verdict);
  }
  for (const CellEvidence& cell : run.cells) {
    if (reference.find(cell) == nullptr) {
      report.new_cells.push_back(cell.label());
    }
  }
  // Where nothing was compared nothing has passed.
  report.verdict = verdict == GateVerdict::kNotGated ? GateVerdict::kNotComparable : verdict;
  return report;
}

}  // namespace spca
