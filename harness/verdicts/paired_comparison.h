#pragma once

/// One metric of one cell in two runs, repeat by repeat.

#include <optional>
#include <string>
#include <vector>

#include "harness/verdicts/significance.h"
#include "spca/measure/metrics.h"

namespace spca {

/// How a metric is judged: from its traits, unless a baseline says otherwise.
struct GateRule {
  Direction direction = Direction::kHigherIsBetter;
  double absolute = 0;  // tolerance: max(absolute, relative |reference|)
  double relative = 0;
  Gate gate = Gate::kHard;

  double tolerance(double reference) const;
};

/// Agreement of the components with the reference's, up to sign and order: metrics of a pair of
/// answers, which no solver and no experiment names.
inline constexpr const char* kSupportF1ToReference = "support_f1_to_reference";
inline constexpr const char* kAngleToReference = "angle_to_reference";

/// Of a registered metric or of the two above; empty for another name.
std::optional<GateRule> default_rule(const std::string& metric);
/// Whether the metric is a time or another measure of the machine.
bool is_machine_metric(const std::string& metric);

enum class Change { kSame, kBetter, kWorse, kNotComparable };

struct PairedComparison {
  Change change = Change::kNotComparable;
  std::string reason;          // why it is not comparable, or why a difference does not count
  double ours = kNotMeasured;  // mean over the pairs; for a machine metric their geometric mean
  double reference = kNotMeasured;
  double difference = kNotMeasured;  // ours - reference
  double tolerance = kNotMeasured;   // on |difference|
  std::size_t pairs = 0;
  std::size_t better = 0, worse = 0;  // pairs that differ beyond their tolerance
  double p_value = kNotMeasured;      // one-sided sign test in the direction of the difference
  std::optional<Interval> ratio;      // machine metric: 95 % bootstrap interval of ours / reference
};

/// `ours` and `reference` are of the same repeats in the same order. Worse where the means differ
/// beyond the tolerance and, given kFewestPairs, that is more than chance: for a machine metric the
/// bootstrap interval of the ratio is beyond 1; for any other the sign test over the pairs that
/// differ rejects at kSignificance (with fewer such pairs it could not: then the means decide).
/// Without a direction every difference is worse. Not comparable: no pairs, a number that is not
/// finite, a reference of 0 under a tolerance that is relative only, a time that is not positive.
PairedComparison compare_pairs(const std::vector<double>& ours,
                               const std::vector<double>& reference, const GateRule& rule,
                               bool is_machine);

}  // namespace spca
