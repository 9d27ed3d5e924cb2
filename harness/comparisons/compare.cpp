#include "harness/comparisons/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "harness/comparisons/pairing.h"
#include "spca/base/error.h"

namespace spca {
namespace {

/// The repeats that both runs answer, and their properties as pairs.
struct AnsweredPairs {
  std::vector<RepeatPair> pairs;
  bool same_draws = true;    // all seeds agree
  std::size_t left_out = 0;  // number of repeats that were timed while other cells ran
};

AnsweredPairs answered_pairs(const CellPair& cells, const std::string& metric) {
  AnsweredPairs answered;
  for (const RepeatPair& pair : pair_repeats(*cells.ours, *cells.reference)) {
    if (!pair.both_answer()) {
      continue;
    }
    if (is_machine_metric(metric) && !pair.both_timed_alone()) {
      ++answered.left_out;
      continue;
    }
    answered.pairs.push_back(pair);
    answered.same_draws =
        answered.same_draws &&
        (pair.same_draw() || only_options_change_seed(*cells.ours, *cells.reference, pair));
  }
  return answered;
}

/// Returns whether the difference exceeds its tolerance and is more than chance. If no test can
/// reject, compare_pairs lets the means decide; here the difference is then not significant.
bool is_significant(const PairedComparison& pairs) {
  if (pairs.pairs < kFewestPairs || std::abs(pairs.difference) <= pairs.tolerance) {
    return false;
  }
  if (pairs.ratio) {
    return pairs.ratio->low > 1 || pairs.ratio->high < 1;
  }
  return 2 * pairs.p_value <= kSignificance;  // two-sided
}

MetricDifference compare_metric(const CellPair& cells, const std::string& metric,
                                const std::string& other_machine) {
  MetricDifference result;
  result.metric = metric;
  const AnsweredPairs answered = answered_pairs(cells, metric);
  const bool is_machine = is_machine_metric(metric);
  if (answered.pairs.empty()) {
    result.reason = answered.left_out > 0 ? "measured beside other cells" : "no answer in common";
    return result;
  }
  GateRule rule = default_rule(metric).value_or(GateRule{Direction::kNone, 0, 0, Gate::kNone});
  if (rule.direction == Direction::kNone) {
    result.has_direction = false;
    rule.direction = Direction::kHigherIsBetter;  // the sign test needs a direction
  }
  const PairedValues values = paired_values(answered.pairs, metric);
  result.pairs = compare_pairs(values.ours, values.reference, rule, is_machine);
  const bool other_times = is_machine && !other_machine.empty();
  const bool other_data = !data_change(*cells.ours, *cells.reference).empty();
  result.significant =
      answered.same_draws && !other_data && !other_times && is_significant(result.pairs);
  const auto lacks_numbers = [](const std::vector<double>& numbers) {
    return std::any_of(numbers.begin(), numbers.end(),
                       [](double number) { return !std::isfinite(number); });
  };
  const bool in_a = lacks_numbers(values.reference);
  const bool in_b = lacks_numbers(values.ours);
  result.reason = result.pairs.verdict == Verdict::kNotComparable
                      ? (in_a && in_b ? "not a number in either"
                         : in_a       ? "not a number in A"
                         : in_b       ? "not a number in B"
                                      : result.pairs.reason)
                  : other_times                       ? "different machines"
                  : other_data                        ? "other data"
                  : !answered.same_draws              ? "other draws: not paired"
                  : result.pairs.pairs < kFewestPairs ? "too few repeats for a test"
                                                      : "";
  return result;
}

/// Describes the answers that only one of the runs has: a comparison of numbers alone would hide
/// them.
std::string compare_answers(const CellPair& cells) {
  std::map<std::string, std::size_t> counts;
  for (const auto& [first, second] : pair_repeats(*cells.ours, *cells.reference)) {
    const bool second_answers = second != nullptr && second->has_answer();
    if (first->has_answer() != second_answers) {
      ++counts[second_answers      ? "an answer in B only; in A " + no_answer_text(*first)
               : second == nullptr ? "an answer in A only; in B not run"
                                   : "an answer in A only; in B " + no_answer_text(*second)];
    }
  }
  for (const auto& [second, first] : pair_repeats(*cells.reference, *cells.ours)) {
    if (first == nullptr && second->has_answer()) {
      ++counts["an answer in B only; in A not run"];
    }
  }
  const std::size_t repeats = std::max(cells.reference->repeats.size(), cells.ours->repeats.size());
  std::vector<std::string> lines;
  lines.reserve(counts.size());
  for (const auto& [what, count] : counts) {
    lines.push_back(repeats == 1 ? what
                                 : fmt::format("{} of {} repeats: {}", count, repeats, what));
  }
  return join(lines, "; ");
}

CellDifference compare_cell(const CellPair& cells, const std::string& other_machine) {
  CellDifference difference{.first = cells.reference,
                            .second = cells.ours,
                            .answers = compare_answers(cells),
                            .data = data_change(*cells.ours, *cells.reference),
                            .metrics = {}};
  std::set<std::string> names = cells.reference->metric_names();
  names.merge(cells.ours->metric_names());
  for (const std::string& metric : names) {
    difference.metrics.push_back(compare_metric(cells, metric, other_machine));
  }
  return difference;
}

}  // namespace

RunComparison compare_runs(const ComparedRun& first, const ComparedRun& second) {
  RunComparison comparison;
  comparison.machine_difference = machine_difference(second.machine, first.machine);
  const PairedCells cells = pair_cells(second, first);
  for (const CellPair& pair : cells.pairs) {
    if (pair.ours != nullptr) {
      comparison.cells.push_back(compare_cell(pair, comparison.machine_difference));
    } else {
      comparison.only_first.push_back(pair.reference->label());
    }
  }
  for (const ComparedCell* cell : cells.only_ours) {
    comparison.only_second.push_back(cell->label());
  }
  return comparison;
}

}  // namespace spca
