#pragma once

/// Compares one metric of one cell in two runs repeat by repeat: is the run better or worse than
/// the reference by more than a tolerance and by more than chance?

#include <optional>
#include <string>
#include <vector>

#include "harness/comparisons/significance.h"
#include "harness/comparisons/verdict.h"
#include "spca/measure/metrics.h"

namespace spca {

/// The rule for comparing two numbers of a metric: from the metric's traits, unless a baseline
/// overrides it.
struct GateRule {
  Direction direction = Direction::kHigherIsBetter;
  double absolute = 0;  // in the metric's unit, >= 0
  double relative = 0;  // relative to |reference|, >= 0
  Gate gate = Gate::kHard;

  /// Returns max(absolute, relative |reference|): two numbers that differ by at most this count as
  /// equal.
  double tolerance(double reference) const;
};

/// Two metrics of a pair of answers: the agreement of the run's components with the reference's, up
/// to sign and order. No solver and no experiment names these metrics.
inline constexpr const char* kSupportF1ToReference = "support_f1_to_reference";
inline constexpr const char* kAngleToReference = "angle_to_reference";  // radians

/// Returns the rule of a registered metric or of the two above. Empty for another name.
std::optional<GateRule> default_rule(const std::string& metric);
/// Returns whether the metric is a time or another measure of the machine.
bool is_machine_metric(const std::string& metric);

struct PairedComparison {
  /// One of match, better, worse, not comparable.
  Verdict verdict = Verdict::kNotComparable;
  std::string reason;          // why it is not comparable, or why a difference does not count
  double ours = kNotMeasured;  // mean over the pairs; for a machine metric the geometric mean
  double reference = kNotMeasured;
  double difference = kNotMeasured;  // ours - reference
  double tolerance = kNotMeasured;   // tolerance on |difference|
  std::size_t pairs = 0;
  std::size_t better = 0, worse = 0;  // number of pairs that differ beyond their tolerance
  double p_value = kNotMeasured;      // one-sided sign test in the direction of the difference
  std::optional<Interval> ratio;      // machine metric: 95 % bootstrap interval of ours / reference
};

/// Compares two lists of numbers of the same repeats in the same order.
///
/// The verdict is worse or better if the means differ beyond the tolerance and by more than chance.
/// For a machine metric, the bootstrap interval of the ratio must exclude 1. For any other metric,
/// the sign test over the pairs that differ must reject at kSignificance. With fewer than
/// kFewestPairs pairs, or pairs that differ, no test could reject: then the means decide. For a
/// metric without a direction, every difference is worse.
///
/// The verdict is not comparable if there are no pairs, if a number is not finite, if the mean of
/// the reference is 0 and the tolerance is only relative, or if a machine metric is not above 0.
PairedComparison compare_pairs(const std::vector<double>& ours,
                               const std::vector<double>& reference, const GateRule& rule,
                               bool is_machine);

}  // namespace spca
