#include "harness/verdicts/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "spca/base/error.h"

namespace spca {
namespace {

struct Values {
  std::vector<double> first, second;
  bool paired = true;        // all seeds agree
  std::size_t left_out = 0;  // repeats that were timed beside other cells
};

double value(const RepeatEvidence& repeat, const std::string& metric) {
  const auto position = repeat.metrics.find(metric);
  return position == repeat.metrics.end() ? kNotMeasured : position->second;
}

/// Of the repeats that both answered.
Values common_values(const CellEvidence& first, const CellEvidence& second,
                     const std::string& metric) {
  Values values;
  for (const RepeatEvidence& repeat : first.repeats) {
    const RepeatEvidence* other = second.find(repeat.repeat);
    if (other == nullptr || !other->has_answer() || !repeat.has_answer()) {
      continue;
    }
    if (is_machine_metric(metric) && (repeat.contended || other->contended)) {
      ++values.left_out;
      continue;
    }
    values.first.push_back(value(repeat, metric));
    values.second.push_back(value(*other, metric));
    values.paired = values.paired && repeat.seed == other->seed;
  }
  return values;
}

bool is_significant(const PairedComparison& pairs) {
  if (pairs.pairs < kFewestPairs || std::abs(pairs.difference) <= pairs.tolerance) {
    return false;
  }
  if (pairs.ratio) {
    return pairs.ratio->low > 1 || pairs.ratio->high < 1;
  }
  return 2 * pairs.p_value <= kSignificance;
}

MetricDifference compare_metric(const CellEvidence& first, const CellEvidence& second,
                                const std::string& metric, const std::string& other_machine) {
  MetricDifference result;
  result.metric = metric;
  const Values values = common_values(first, second, metric);
  const bool is_machine = is_machine_metric(metric);
  if (values.first.empty()) {
    result.reason = values.left_out > 0 ? "measured beside other cells" : "no answer in common";
    return result;
  }
  GateRule rule = default_rule(metric).value_or(GateRule{Direction::kNone, 0, 0, Gate::kNone});
  if (rule.direction == Direction::kNone) {
    result.has_direction = false;
    rule.direction = Direction::kHigherIsBetter;  // the sign test needs to tell up from down
  }
  result.pairs = compare_pairs(values.second, values.first, rule, is_machine);
  result.significant = values.paired && is_significant(result.pairs);
  const bool lacks = std::any_of(values.second.begin(), values.second.end(),
                                 [](double number) { return !std::isfinite(number); });
  result.reason = result.pairs.change == Change::kNotComparable
                      ? (lacks ? "not a number in B" : result.pairs.reason)
                  : is_machine && !other_machine.empty() ? "different machines"
                  : !values.paired                       ? "other draws: not paired"
                  : result.pairs.pairs < kFewestPairs    ? "too few repeats for a test"
                                                         : "";
  return result;
}

std::set<std::string> measured_in(const CellEvidence& cell) {
  std::set<std::string> names;
  for (const RepeatEvidence& repeat : cell.repeats) {
    for (const auto& [name, number] : repeat.metrics) {
      names.insert(name);
    }
  }
  return names;
}

/// A comparison of numbers alone would not show what one run failed to answer.
std::string compare_answers(const CellEvidence& first, const CellEvidence& second) {
  std::map<std::string, std::size_t> counts;
  for (const RepeatEvidence& repeat : first.repeats) {
    const RepeatEvidence* other = second.find(repeat.repeat);
    const bool others = other != nullptr && other->has_answer();
    if (repeat.has_answer() != others) {
      ++counts[others             ? "an answer in B only; in A " + no_answer_text(repeat)
               : other == nullptr ? "an answer in A only; in B not run"
                                  : "an answer in A only; in B " + no_answer_text(*other)];
    }
  }
  std::vector<std::string> words;
  for (const auto& [what, count] : counts) {
    words.push_back(first.repeats.size() == 1
                        ? what
                        : fmt::format("{} of {} repeats: {}", count, first.repeats.size(), what));
  }
  return join(words, "; ");
}

CellDifference compare_cell(const CellEvidence& first, const CellEvidence& second,
                            const std::string& other_machine) {
  CellDifference difference{
      .first = &first, .second = &second, .answers = compare_answers(first, second), .metrics = {}};
  std::set<std::string> names = measured_in(first);
  names.merge(measured_in(second));
  for (const std::string& metric : names) {
    difference.metrics.push_back(compare_metric(first, second, metric, other_machine));
  }
  return difference;
}

}  // namespace

RunComparison compare_runs(const RunEvidence& first, const RunEvidence& second) {
  RunComparison comparison;
  comparison.machine_difference = machine_difference(second.machine, first.machine);
  const EvidenceIndex in_first(first.cells);
  const EvidenceIndex in_second(second.cells);
  for (const CellEvidence& cell : first.cells) {
    if (const CellEvidence* other = in_second.find(cell)) {
      comparison.cells.push_back(compare_cell(cell, *other, comparison.machine_difference));
    } else {
      comparison.only_first.push_back(cell.label());
    }
  }
  for (const CellEvidence& cell : second.cells) {
    if (in_first.find(cell) == nullptr) {
      comparison.only_second.push_back(cell.label());
    }
  }
  return comparison;
}

}  // namespace spca
