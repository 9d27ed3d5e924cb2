#include "harness/comparisons/paired_comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "spca/base/error.h"
#include "spca/measure/metrics.h"

namespace spca {
namespace {

constexpr double kConfidence = 0.95;
/// Tolerance in radians. Loadings whose variance is within a relative 1e-6 of the optimum may still
/// be turned by the square root of 1e-6, which is 1e-3. The loadings that the same code finds on
/// another machine differ by far less than this tolerance.
constexpr double kAngleTolerance = 1e-4;
constexpr double kF1Tolerance = 1e-9;  // rounding of a mean of ratios of small whole numbers

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) {
    sum += value;
  }
  return sum / static_cast<double>(values.size());
}

std::vector<double> logarithms(const std::vector<double>& values) {
  std::vector<double> logs;
  logs.reserve(values.size());
  for (const double value : values) {
    logs.push_back(std::log(value));
  }
  return logs;
}

/// Returns the reason why the pairs cannot be compared; "" if they can.
std::string why_no_comparison(const std::vector<double>& ours, const std::vector<double>& reference,
                              const GateRule& rule, bool is_machine) {
  const auto finite = [](double value) { return std::isfinite(value); };
  const auto positive = [](double value) { return value > 0; };
  if (ours.empty()) {
    return "no repeat in common";
  }
  if (!std::all_of(ours.begin(), ours.end(), finite)) {
    return "not a number in this run";
  }
  if (!std::all_of(reference.begin(), reference.end(), finite)) {
    return "not a number in the reference";
  }
  if (rule.relative > 0 && rule.absolute == 0 && mean(reference) == 0) {
    return "the reference is 0 and the tolerance is relative only";
  }
  if (is_machine && !(std::all_of(ours.begin(), ours.end(), positive) &&
                      std::all_of(reference.begin(), reference.end(), positive))) {
    return "a measurement that is not above 0";
  }
  return "";
}

/// Returns the amount by which ours is better; below 0: worse.
double gain(double ours, double reference, Direction direction) {
  switch (direction) {
    case Direction::kHigherIsBetter:
      return ours - reference;
    case Direction::kLowerIsBetter:
      return reference - ours;
    case Direction::kNone:
      break;  // without a direction every difference is a loss
  }
  return -std::abs(ours - reference);
}

/// Counts the pairs that differ and returns the mean gain. For a metric without direction, the mean
/// gain is not the gain of the means: a repeat that rose and one that fell are two losses and must
/// not cancel.
double count_changes(const std::vector<double>& ours, const std::vector<double>& reference,
                     const GateRule& rule, PairedComparison& result) {
  double sum = 0;
  for (std::size_t i = 0; i < ours.size(); ++i) {
    const double change = gain(ours[i], reference[i], rule.direction);
    const double tolerance = rule.tolerance(reference[i]);
    result.better += change > tolerance ? 1 : 0;
    result.worse += change < -tolerance ? 1 : 0;
    sum += change;
  }
  return sum / static_cast<double>(ours.size());
}

/// Returns whether the ratio of two machine metrics differs from 1 by more than chance. In
/// logarithms, a ratio and its inverse are equally far from 1.
bool ratio_is_significant(const std::vector<double>& ours, const std::vector<double>& reference,
                          PairedComparison& result) {
  std::vector<double> log_ratios;
  for (std::size_t i = 0; i < ours.size(); ++i) {
    log_ratios.push_back(std::log(ours[i] / reference[i]));
  }
  if (log_ratios.size() < kFewestPairs) {
    return true;  // too few ratios for an interval: the means decide
  }
  const Interval interval = bootstrap_mean(log_ratios, kConfidence);
  result.ratio = Interval{.low = std::exp(interval.low), .high = std::exp(interval.high)};
  return interval.low > 0 || interval.high < 0;
}

bool signs_are_significant(PairedComparison& result, bool is_worse) {
  const std::size_t along = is_worse ? result.worse : result.better;
  const std::size_t against = is_worse ? result.better : result.worse;
  result.p_value = sign_test(along, against);
  // With fewer pairs the exact test can never reject, so it is not used.
  return along + against < kFewestPairs || result.p_value <= kSignificance;
}

}  // namespace

double GateRule::tolerance(double value) const {
  return std::max(absolute, relative * std::abs(value));
}

std::optional<GateRule> default_rule(const std::string& metric) {
  if (metric == kSupportF1ToReference) {
    return GateRule{Direction::kHigherIsBetter, kF1Tolerance, 0, Gate::kHard};
  }
  if (metric == kAngleToReference) {
    return GateRule{Direction::kLowerIsBetter, kAngleTolerance, 0, Gate::kHard};
  }
  const MetricEntry* entry = MetricRegistry::instance().find(metric);
  if (entry == nullptr) {
    return std::nullopt;
  }
  const MetricTraits& traits = entry->traits;
  return GateRule{traits.direction, traits.absolute_tolerance, traits.relative_tolerance,
                  traits.gate};
}

bool is_machine_metric(const std::string& metric) {
  const MetricEntry* entry = MetricRegistry::instance().find(metric);
  return entry != nullptr && entry->traits.timing;
}

PairedComparison compare_pairs(const std::vector<double>& ours,
                               const std::vector<double>& reference, const GateRule& rule,
                               bool is_machine) {
  SPCA_CHECK(ours.size() == reference.size(), "two numbers a pair");
  PairedComparison result;
  result.pairs = ours.size();
  result.reason = why_no_comparison(ours, reference, rule, is_machine);
  if (!result.reason.empty()) {
    return result;
  }
  result.ours = is_machine ? std::exp(mean(logarithms(ours))) : mean(ours);
  result.reference = is_machine ? std::exp(mean(logarithms(reference))) : mean(reference);
  result.difference = result.ours - result.reference;
  result.tolerance = rule.tolerance(result.reference);
  double mean_gain = count_changes(ours, reference, rule, result);
  if (is_machine) {
    // The means of times are geometric, and the gain must match the numbers that are shown.
    mean_gain = gain(result.ours, result.reference, rule.direction);
  }
  const bool is_worse = mean_gain < 0;
  const bool significant = is_machine ? ratio_is_significant(ours, reference, result)
                                      : signs_are_significant(result, is_worse);
  if (std::abs(mean_gain) <= result.tolerance) {
    result.verdict = Verdict::kMatch;
  } else if (!significant) {
    result.verdict = Verdict::kMatch;
    result.reason =
        fmt::format("within chance: {} repeats better, {} worse", result.better, result.worse);
  } else {
    result.verdict = is_worse ? Verdict::kWorse : Verdict::kBetter;
  }
  return result;
}

}  // namespace spca
