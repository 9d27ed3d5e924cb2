#include "harness/comparisons/gate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "harness/comparisons/pairing.h"
#include "harness/peers/peer.h"
#include "spca/base/json_text.h"

namespace spca {
namespace {

/// Returns the defaults of a plugin's options. Null if this program lacks the plugin, or if an
/// option has no default.
template <class Entry>
Json default_options(const std::string& name) {
  const Entry* entry = Registry<Entry>::instance().find(name);
  try {
    return entry == nullptr ? Json(nullptr) : entry->complete_options(Json::object(), "");
  } catch (const InputError&) {
    return nullptr;
  }
}

/// Returns whether the defaults of a solver are unknown because it is a peer whose file belongs to
/// the command that made the run.
bool is_peer_of_the_run(const std::string& solver) {
  return is_peer_name(solver) && SolverRegistry::instance().find(solver) == nullptr;
}

/// Compares the options of two cells. A gate must test the effect of a default that changed in the
/// code: the change is noted, and the answers are compared. An option that the experiment now sets
/// differently changes the problem, so that the answers cannot be compared. Where the defaults of a
/// peer are unknown, the change is taken for one of the default.
void compare_options(const Json& ours, const Json& reference, const Json& defaults,
                     CellCheck& check, bool is_peer = false) {
  for (const auto& [key, value] : reference.items()) {
    if (!ours.contains(key)) {
      check.notes.push_back(
          fmt::format("the option {} ({} in the baseline) is gone", key, json_line(value)));
      continue;
    }
    if (ours.at(key) == value) {
      continue;
    }
    const std::string change = fmt::format("{} is {} here, {} in the baseline", key,
                                           json_line(ours.at(key)), json_line(value));
    if (defaults.is_object() && defaults.contains(key) && defaults.at(key) == ours.at(key)) {
      check.notes.push_back("the default of the option " + change);
    } else if (is_peer) {
      check.notes.push_back("the option " + change);
    } else {
      check.problems.push_back({Verdict::kNotComparable, "the option " + change});
    }
  }
  // Refuses an option that the baseline lacks, unless the option has its default value: a newer
  // program may have gained it.
  for (const auto& [key, value] : ours.items()) {
    if (reference.contains(key)) {
      continue;
    }
    const std::string change =
        fmt::format("the option {} is {} here, not in the baseline", key, json_line(value));
    if (defaults.is_object() && defaults.contains(key) && defaults.at(key) != value) {
      check.problems.push_back({Verdict::kNotComparable, change});
    } else {
      check.notes.push_back(change);
    }
  }
}

void compare_questions(const ComparedCell& ours, const ComparedCell& reference, CellCheck& check) {
  if (ours.solver_name != reference.solver_name || ours.dataset_name != reference.dataset_name) {
    check.problems.push_back(
        {Verdict::kNotComparable,
         fmt::format("{} on {} here, {} on {} in the baseline", ours.solver_name, ours.dataset_name,
                     reference.solver_name, reference.dataset_name)});
    return;
  }
  compare_options(ours.solver_options, reference.solver_options,
                  default_options<SolverEntry>(ours.solver_name), check,
                  is_peer_of_the_run(ours.solver_name));
  compare_options(ours.dataset_options, reference.dataset_options,
                  default_options<DatasetEntry>(ours.dataset_name), check);
}

/// Returns the reason why a pair of repeats has no numbers to compare.
CellProblem problem_of(const RepeatPair& pair) {
  const ComparedRepeat& reference = *pair.reference;
  if (pair.ours == nullptr) {
    return {Verdict::kNotComparable, "not in this run"};
  }
  const ComparedRepeat& ours = *pair.ours;
  if (ours.has_answer()) {
    return reference.has_answer()
               ? CellProblem{Verdict::kNotComparable, "its seed is not the baseline's: other draws"}
               : CellProblem{Verdict::kBetter,
                             "answers now; in the baseline " + no_answer_text(reference)};
  }
  if (!owes_answer(ours.status)) {
    return {reference.has_answer() ? Verdict::kNotComparable : Verdict::kNotGated,
            no_answer_text(ours)};
  }
  return {
      Verdict::kFailed,
      no_answer_text(ours) + (reference.has_answer() ? "" : " (no answer in the baseline either)")};
}

/// Turns the notes on options into one that names the seed, too.
void note_changed_seed(CellCheck& check) {
  check.notes = {"its options changed, and its seed with them: " + join(check.notes, "; ")};
}

/// Returns the pairs of answers to the same draws. All other pairs become problems; equal problems
/// are merged and counted. Answers to the same data whose seeds differ because the options of the
/// solver do are compared, and noted.
std::vector<RepeatPair> comparable_pairs(const ComparedCell& ours, const ComparedCell& reference,
                                         CellCheck& check) {
  std::vector<RepeatPair> comparable;
  std::map<std::pair<Verdict, std::string>, std::size_t> problems;
  const bool asks_the_same = check.problems.empty();  // the experiment sets no other option
  bool seed_changed = false;
  for (const RepeatPair& pair : pair_repeats(ours, reference)) {
    if (pair.both_answer() && pair.same_draw()) {
      comparable.push_back(pair);
    } else if (asks_the_same && pair.both_answer() &&
               only_options_change_seed(ours, reference, pair)) {
      comparable.push_back(pair);
      seed_changed = true;
    } else {
      const CellProblem problem = problem_of(pair);
      ++problems[{problem.verdict, problem.reason}];
    }
  }
  if (seed_changed && !check.notes.empty()) {
    note_changed_seed(check);
  }
  for (const auto& [problem, count] : problems) {
    const auto& [verdict, reason] = problem;
    const std::size_t all = reference.repeats.size();
    check.problems.push_back(
        {verdict, all == 1 ? reason : fmt::format("{} of {} repeats: {}", count, all, reason)});
  }
  return comparable;
}

/// Applies the metric's gate to a verdict.
Verdict gated(Verdict verdict, Gate gate) {
  if (gate == Gate::kNone) {
    return Verdict::kNotGated;
  }
  return verdict == Verdict::kWorse && gate == Gate::kSameMachineOnly ? Verdict::kSlower : verdict;
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
    std::erase_if(pairs, [](const RepeatPair& pair) { return !pair.both_timed_alone(); });
    check.reason = !other_machine.empty() ? other_machine
                   : pairs.empty()        ? "measured beside other cells"
                                          : "";
    if (!check.reason.empty()) {
      check.verdict = Verdict::kNotGated;
      return check;
    }
  }
  const PairedValues values = paired_values(pairs, metric);
  check.pairs = compare_pairs(values.ours, values.reference, *rule, is_machine_metric(metric));
  check.verdict = gated(check.pairs.verdict, rule->gate);
  check.reason = rule->gate == Gate::kNone ? "its gate is none" : check.pairs.reason;
  return check;
}

/// Returns the metrics to be compared in a cell: those of the baseline's cell, and the two metrics
/// of a pair of answers.
std::vector<std::string> gated_metrics(const ComparedCell& reference) {
  const std::set<std::string> names = reference.metric_names();
  std::vector<std::string> list(names.begin(), names.end());
  list.push_back(kSupportF1ToReference);
  list.push_back(kAngleToReference);
  return list;
}

bool is_component_metric(const std::string& metric) {
  return metric == kSupportF1ToReference || metric == kAngleToReference;
}

/// Excuses a different answer if it is better. A gate that lets answers change silently is useless,
/// so only a better hard metric of the same cell excuses the change.
void excuse_better_answers(CellCheck& check) {
  const bool is_better =
      std::any_of(check.metrics.begin(), check.metrics.end(), [](const MetricCheck& metric) {
        return metric.verdict == Verdict::kBetter && metric.rule.gate == Gate::kHard;
      });
  for (MetricCheck& metric : check.metrics) {
    if (is_better && is_component_metric(metric.metric) && metric.verdict == Verdict::kWorse) {
      metric.verdict = Verdict::kNotGated;
      metric.reason = "another answer, and a better one";
    }
  }
}

Verdict worst(const CellCheck& check) {
  Verdict verdict = Verdict::kNotGated;
  for (const CellProblem& problem : check.problems) {
    verdict = std::max(verdict, problem.verdict);
  }
  for (const MetricCheck& metric : check.metrics) {
    verdict = std::max(verdict, metric.verdict);
  }
  return verdict;
}

std::string why_missing(const ComparedCell& reference) {
  return !may_be_solver(reference.solver_name)
             ? fmt::format("not in this run: this program has no solver \"{}\"",
                           reference.solver_name)
             : "not in this run";
}

/// Returns the metrics of our cell that the reference lacks. Measures of the machine and metrics
/// that no repeat of ours has are left out: a baseline may lack them on purpose.
std::vector<std::string> metrics_not_in(const ComparedCell& reference, const ComparedCell& ours) {
  const std::set<std::string> known = reference.metric_names();
  std::vector<std::string> metrics;
  for (const std::string& metric : ours.metric_names()) {
    const bool is_measured = std::any_of(
        ours.repeats.begin(), ours.repeats.end(),
        [&](const ComparedRepeat& repeat) { return std::isfinite(repeat.value(metric)); });
    if (!known.contains(metric) && is_measured && !is_machine_metric(metric)) {
      metrics.push_back(metric);
    }
  }
  return metrics;
}

void compare_cells(const Baseline& baseline, const ComparedCell& ours,
                   const std::string& other_machine, CellCheck& check) {
  const ComparedCell& reference = *check.reference;
  if (const std::string change = data_change(ours, reference); !change.empty()) {
    check.problems.push_back({Verdict::kNotComparable, change});
    return;
  }
  compare_questions(ours, reference, check);
  const std::vector<RepeatPair> pairs = comparable_pairs(ours, reference, check);
  for (const std::string& metric : gated_metrics(reference)) {
    if (!pairs.empty()) {
      check.metrics.push_back(
          check_metric(metric, baseline.rule(reference, metric), pairs, other_machine));
    }
  }
  excuse_better_answers(check);
  check.new_metrics = metrics_not_in(reference, ours);
}

/// Returns whether the baseline's overrides take every metric of the cell out of the gate.
bool is_exempt(const Baseline& baseline, const ComparedCell& reference) {
  const std::vector<std::string> metrics = gated_metrics(reference);
  return std::all_of(metrics.begin(), metrics.end(), [&](const std::string& metric) {
    const std::optional<GateRule> rule = baseline.rule(reference, metric);
    return rule && rule->gate == Gate::kNone;
  });
}

CellCheck check_cell(const Baseline& baseline, const ComparedCell& reference,
                     const ComparedCell* ours, const std::string& other_machine) {
  CellCheck check;
  check.reference = &reference;
  if (ours == nullptr) {
    check.problems.push_back({Verdict::kNotComparable, why_missing(reference)});
  } else {
    compare_cells(baseline, *ours, other_machine, check);
  }
  check.verdict = is_exempt(baseline, reference) ? Verdict::kNotGated : worst(check);
  return check;
}

}  // namespace

std::size_t GateReport::count(Verdict wanted) const {
  return static_cast<std::size_t>(std::count_if(
      cells.begin(), cells.end(), [&](const CellCheck& cell) { return cell.verdict == wanted; }));
}

GateReport check_run(const Baseline& baseline, const ComparedRun& run) {
  GateReport report;
  report.experiment =
      run.experiment == baseline.run.experiment
          ? run.experiment
          : fmt::format("{} (this is a run of {})", baseline.run.experiment, run.experiment);
  const std::string difference = machine_difference(run.machine, baseline.run.machine);
  const std::string other_machine = difference.empty() ? "" : "another machine: " + difference;
  Verdict verdict = Verdict::kNotGated;
  const PairedCells cells = pair_cells(run, baseline.run);
  for (const auto& [reference, ours] : cells.pairs) {
    report.cells.push_back(check_cell(baseline, *reference, ours, other_machine));
    verdict = std::max(verdict, report.cells.back().verdict);
  }
  for (const ComparedCell* cell : cells.only_ours) {
    report.new_cells.push_back(cell->label());
  }
  // If every cell is outside the gate, nothing has passed.
  report.verdict = verdict == Verdict::kNotGated ? Verdict::kNotComparable : verdict;
  return report;
}

}  // namespace spca
