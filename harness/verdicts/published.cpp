#include "harness/verdicts/published.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "harness/comparisons/significance.h"
#include "harness/records/record_index.h"
#include "spca/measure/metrics.h"

namespace spca {
namespace {

/// Returns whether the published cell names this solver by its label and not by a pattern.
bool names_solver(const PublishedCell& published, const std::string& label) {
  return std::find(published.match.solvers.begin(), published.match.solvers.end(), label) !=
         published.match.solvers.end();
}

/// The reason why there is no verdict on the number: not comparable or not run, in words. The words
/// are "" if there is a verdict.
struct Obstacle {
  NumberVerdict verdict = NumberVerdict::kNotComparable;
  std::string reason;
};

Obstacle obstacle_of(const PublishedCell& published, const Variant& variant,
                     const Aggregate& aggregate) {
  const std::size_t expected = static_cast<std::size_t>(variant.repeats);
  if (!published.not_comparable.empty()) {
    return {.reason = published.not_comparable};
  }
  if (!published.unavailable.empty()) {
    return {.reason = published.unavailable};
  }
  if (aggregate.count + aggregate.not_usable == 0) {
    return {.verdict = NumberVerdict::kNotRun,
            .reason = aggregate.reason.empty() ? "no record" : aggregate.reason};
  }
  if (aggregate.not_usable > 0) {
    return {.verdict = aggregate.skipped == aggregate.not_usable ? NumberVerdict::kNotRun
                                                                 : NumberVerdict::kNotComparable,
            .reason = expected == 1 || aggregate.skipped == expected
                          ? aggregate.reason
                          : fmt::format("{} of {} repeats give no number: {}", aggregate.not_usable,
                                        expected, aggregate.reason)};
  }
  if (aggregate.count < expected) {
    return {.verdict = NumberVerdict::kNotRun,
            .reason = fmt::format("{} of {} repeats have no record", expected - aggregate.count,
                                  expected)};
  }
  if (aggregate.unconstrained && !names_solver(published, variant.solver_label)) {
    return {.reason = "its cardinality is not bound"};
  }
  return {};
}

/// Returns the standard error of the difference of two means. For shares it pools the two samples,
/// as the test of two proportions does: a sample of 50 without a miss would otherwise count as free
/// of error. For other metrics the published spread is unknown and is assumed to equal ours.
double difference_error(const PublishedComparison& ours, const PublishedCell& published,
                        bool share) {
  const double n = static_cast<double>(ours.repeats);
  const double m = published.published_repeats;
  if (!share) {
    return ours.standard_error * std::sqrt(1 + n / m);
  }
  const double p = (n * ours.ours + m * published.value) / (n + m);
  return std::sqrt(std::max(0.0, p * (1 - p)) * (1 / n + 1 / m));
}

/// Returns whether the tolerance includes 0, in which case agreement shows nothing. For a
/// published 0, the experiment's tolerance without the standard errors decides.
bool is_too_noisy(const PublishedComparison& comparison, double difference, double rounding) {
  const PublishedCell& published = *comparison.published;
  return published.value == 0 ? std::abs(difference) > published.tolerance
                              : comparison.tolerance + rounding >= std::abs(published.value);
}

/// Sets the verdict on a number that can be compared.
void judge(PublishedComparison& comparison, Direction direction) {
  const double difference = comparison.ours - comparison.published->value;
  // Doubles near a decimal must count as that decimal: 0.975 is within 0.005 of 0.98.
  const double rounding = 1e-12 * std::abs(comparison.published->value);
  if (std::abs(difference) <= comparison.tolerance + rounding) {
    comparison.verdict = is_too_noisy(comparison, difference, rounding)
                             ? NumberVerdict::kTooNoisy
                             : NumberVerdict::kReproduced;
    return;
  }
  if (direction == Direction::kNone) {
    comparison.verdict = NumberVerdict::kDiffers;
    comparison.on_wrong_side = true;  // without a direction, a number can only agree or not
    return;
  }
  comparison.verdict = difference > 0 ? NumberVerdict::kHigher : NumberVerdict::kLower;
  comparison.on_wrong_side = (difference > 0) != (direction == Direction::kHigherIsBetter);
}

bool is_in_range(const KnownDifference& difference, const PublishedComparison& comparison) {
  const double size = std::abs(comparison.ours - comparison.published->value) /
                      (difference.is_relative ? std::abs(comparison.published->value) : 1);
  return (difference.better ? comparison.is_better() : comparison.on_wrong_side) &&
         size >= difference.least && size <= difference.most;
}

/// Returns the known differences that apply to a comparison.
std::vector<const KnownDifference*> known_of(const Experiment& experiment, const Variant& variant,
                                             const PublishedComparison& comparison) {
  std::vector<const KnownDifference*> known;
  for (const KnownDifference& difference : experiment.known_differences) {
    if (difference.metric == comparison.published->metric && is_in_range(difference, comparison) &&
        difference.match.is_about(variant)) {
      known.push_back(&difference);
    }
  }
  return known;
}

/// Returns the comparison of a number without a cell in this profile or in any.
PublishedComparison without_cell(const PublishedCell& published) {
  const NumberVerdict verdict = !published.is_public               ? NumberVerdict::kNoPublicData
                                : published.not_comparable.empty() ? NumberVerdict::kNotRun
                                                                   : NumberVerdict::kNotComparable;
  return {.published = &published,
          .tolerance = published.tolerance,
          .verdict = verdict,
          .reason = verdict == NumberVerdict::kNotRun ? "its cells are not in this run"
                                                      : published.not_comparable};
}

PublishedComparison compare(const Experiment& experiment, const PublishedCell& published,
                            const Variant& variant, const std::vector<const Record*>& records) {
  const Aggregate total = aggregate(records, published.metric);
  PublishedComparison comparison{.published = &published,
                                 .variant = &variant,
                                 .grid = variant.grid,
                                 .dataset = variant.dataset_label,
                                 .solver = variant.solver_label,
                                 .deflation = deflation_name(variant),
                                 .cardinality = variant.cardinality,
                                 .ours = total.mean,
                                 .standard_error = total.standard_error,
                                 .repeats = total.count,
                                 .tolerance = published.tolerance,
                                 .verdict = NumberVerdict::kNotComparable,
                                 .interval = total.interval(),
                                 .reason = "",
                                 .cardinality_missed = total.cardinality_missed,
                                 .truncated = total.truncated};
  const Obstacle obstacle = obstacle_of(published, variant, total);
  comparison.verdict = obstacle.verdict;
  comparison.reason = obstacle.reason;
  if (comparison.reason.empty()) {
    if (published.published_repeats > 0 && total.count > 1) {
      const bool is_share = total.is_yes_or_no;
      const double half_width = is_share ? kStandardErrors : mean_half_width(total.count);
      const double error = difference_error(comparison, published, is_share);
      comparison.tolerance = std::max(comparison.tolerance, half_width * error);
    }
    judge(comparison, MetricRegistry::instance().get(published.metric, "").traits.direction);
    comparison.known = known_of(experiment, variant, comparison);
  }
  return comparison;
}

/// Returns the best of the comparable ones. If none is comparable, all rank equally and the first
/// is returned with its reason.
PublishedComparison best_of(const std::vector<PublishedComparison>& comparisons) {
  const PublishedComparison& first = comparisons.front();
  const Direction direction =
      MetricRegistry::instance().get(first.published->metric, "").traits.direction;
  const double sign = direction == Direction::kLowerIsBetter ? -1 : 1;
  const auto rank = [sign](const PublishedComparison& comparison) {
    return is_judged(comparison.verdict) ? sign * comparison.ours
                                         : -std::numeric_limits<double>::infinity();
  };
  return *std::max_element(comparisons.begin(), comparisons.end(),
                           [&](const PublishedComparison& a, const PublishedComparison& b) {
                             return rank(a) < rank(b);
                           });
}

/// Returns the number of one record: NaN if it has none, or if its timing was disturbed.
double number_of(const Record& record, const std::string& metric) {
  const bool is_timing = record.timing.contains(metric);
  if (is_timing && !has_comparable_timing(record)) {
    return kNotMeasured;
  }
  const auto& measured = is_timing ? record.timing : record.metrics;
  const auto position = measured.find(metric);
  return position == measured.end() ? kNotMeasured : total_of(metric, position->second);
}

/// Returns the reason why number_of is NaN: no answer, a disturbed time, or a metric that was not
/// measured.
std::string why_no_value(const Record& record, const std::string& metric) {
  if (!is_usable(record.status) || record.metrics.empty() || is_partial(record)) {
    return fmt::format("{}: {}", status_name(record.status), record.message);
  }
  if (!record.timing.contains(metric) || has_comparable_timing(record)) {
    return fmt::format("{} was not measured", metric);
  }
  return record.contended ? "timed beside other cells" : "timed on another machine";
}

}  // namespace

Aggregate aggregate(const std::vector<const Record*>& records, const std::string& metric) {
  Aggregate total;
  total.is_yes_or_no = true;
  double squares = 0;
  for (const Record* record : records) {
    const bool is_whole = is_usable(record->status) && !is_partial(*record);
    const double value = is_whole ? number_of(*record, metric) : kNotMeasured;
    if (!std::isfinite(value)) {
      total.skipped += record->status == Status::kSkipped ? 1 : 0;
      if (total.not_usable++ == 0) {
        total.reason = why_no_value(*record, metric);
      }
      continue;
    }
    // Welford's method: a sum of squares would lose the spread of values near 1e9.
    total.mean = total.count == 0 ? 0 : total.mean;
    total.is_yes_or_no = total.is_yes_or_no && (value == 0 || value == 1);
    const double before = value - total.mean;
    total.mean += before / static_cast<double>(++total.count);
    squares += before * (value - total.mean);
    total.cardinality_missed = total.cardinality_missed || record->cardinality_missed;
    total.truncated = total.truncated || record->truncated;
    total.unconstrained = total.unconstrained || record->unconstrained;
    total.unoptimised = total.unoptimised || record->unoptimised;
  }
  const double n = static_cast<double>(total.count);
  total.standard_error = total.count > 1 ? std::sqrt(squares / (n - 1) / n) : kNotMeasured;
  const MetricEntry* entry = MetricRegistry::instance().find(metric);
  total.is_share = entry != nullptr && entry->traits.is_share && total.count > 1;
  total.is_yes_or_no = total.is_yes_or_no && total.is_share;
  return total;
}

/// Source: E. B. Wilson, JASA 22:209, 1927.
std::optional<Interval> Aggregate::interval() const {
  if (!is_share) {
    return std::nullopt;
  }
  constexpr double kNormal = 1.959963984540054;  // 95 % of the normal law lie within +- this
  const double n = static_cast<double>(count);
  const double square = kNormal * kNormal;
  const double centre = (mean + square / (2 * n)) / (1 + square / n);
  const double half =
      kNormal / (1 + square / n) * std::sqrt(mean * (1 - mean) / n + square / (4 * n * n));
  return Interval{.low = std::max(0.0, centre - half), .high = std::min(1.0, centre + half)};
}

double mean_half_width(std::size_t repeats) {
  return repeats > 1 ? student_half_width(repeats - 1) : kStandardErrors;
}

std::vector<PublishedComparison> compare_with_published(const Experiment& experiment,
                                                        const std::vector<Record>& records) {
  const RecordIndex index(records);
  std::vector<PublishedComparison> comparisons;
  for (const PublishedCell& published : experiment.published) {
    std::vector<PublishedComparison> candidates;
    for (const Variant& variant : experiment.variants) {
      if (published.is_public && published.match.is_about(variant)) {
        candidates.push_back(compare(experiment, published, variant, index.of(variant)));
      }
      if (!candidates.empty() && !published.unavailable.empty()) {
        break;  // an unavailable number is reported once, not for each variant
      }
    }
    if (candidates.empty()) {
      candidates = {without_cell(published)};
    } else if (published.select == Selection::kBest) {
      candidates = {best_of(candidates)};
    }
    std::move(candidates.begin(), candidates.end(), std::back_inserter(comparisons));
  }
  return comparisons;
}

bool PublishedComparison::is_explained() const {
  return std::any_of(known.begin(), known.end(), [](const KnownDifference* difference) {
    return difference->measured_by.has_value();
  });
}

std::string explanation_text(const std::string& why,
                             const std::optional<Measurement>& measured_by) {
  return measured_by ? fmt::format("{} Measured by {}, grid {}.", why, measured_by->experiment,
                                   measured_by->grid)
                     : fmt::format("Unexplained, because nothing measures it: {}", why);
}

std::vector<std::string> explanation_texts(const PublishedComparison& comparison) {
  std::vector<std::string> texts;
  std::transform(comparison.known.begin(), comparison.known.end(), std::back_inserter(texts),
                 [](const KnownDifference* difference) {
                   return explanation_text(difference->why, difference->measured_by);
                 });
  return texts;
}

Count count_of(const PublishedCell& published) {
  switch (published.origin) {
    case Origin::kByHand:
      return Count::kByHand;
    case Origin::kCertified:
      return Count::kCertified;
    case Origin::kProgram:
      return Count::kProgram;
    case Origin::kPaper:
      break;
  }
  switch (published.method) {
    case Method::kOwn:
      return Count::kOwn;
    case Method::kBaseline:
      return Count::kBaseline;
    case Method::kCheck:
      return Count::kCheck;
    case Method::kOther:
      break;
  }
  return Count::kOther;
}

const char* count_name(Count count) {
  switch (count) {
    case Count::kOwn:
      return "the paper's method";
    case Count::kBaseline:
      return "the paper's competitors";
    case Count::kOther:
      return "our other solvers at its numbers";
    case Count::kCheck:
      return "check of the set-up";
    case Count::kByHand:
      return "follows from a formula";
    case Count::kProgram:
      return "another program";
    case Count::kCertified:
      break;
  }
  return "proved optimum";
}

const char* verdict_name(NumberVerdict verdict) {
  switch (verdict) {
    case NumberVerdict::kReproduced:
      return "reproduced";
    case NumberVerdict::kHigher:
      return "higher";
    case NumberVerdict::kLower:
      return "lower";
    case NumberVerdict::kDiffers:
      return "differs";
    case NumberVerdict::kTooNoisy:
      return "too noisy to tell";
    case NumberVerdict::kNotComparable:
      return "not comparable";
    case NumberVerdict::kNoPublicData:
      return "no public data";
    case NumberVerdict::kNotRun:
      break;
  }
  return "not run";
}

bool is_judged(NumberVerdict verdict) {
  return verdict != NumberVerdict::kNotComparable && verdict != NumberVerdict::kNoPublicData &&
         verdict != NumberVerdict::kNotRun;
}

bool PublishedComparison::has_wide_tolerance() const {
  constexpr double kRounding = 1e-9;  // relative: of half units that were computed in two ways
  return tolerance > (1 + kRounding) * published->half_unit;
}

bool is_whole(const Experiment& experiment) {
  const ExperimentOverrides& changed = experiment.overrides;
  return experiment.profile == ExperimentOverrides().profile && !changed.repeats && !changed.seed &&
         !changed.time_limit && !changed.memory_limit && changed.only_solvers.empty() &&
         changed.only_datasets.empty() && changed.settings.empty();
}

std::vector<const KnownDifference*> stale_differences(
    const Experiment& experiment, const std::vector<PublishedComparison>& comparisons) {
  std::vector<const KnownDifference*> stale;
  for (const KnownDifference& difference : experiment.known_differences) {
    bool was_judged = false;
    bool explains = false;
    bool lacks_one = !is_whole(experiment);
    for (const PublishedComparison& comparison : comparisons) {
      if (comparison.variant == nullptr || comparison.published->metric != difference.metric ||
          !difference.match.is_about(*comparison.variant)) {
        continue;
      }
      lacks_one = lacks_one || comparison.verdict == NumberVerdict::kNotRun;
      was_judged = was_judged || is_judged(comparison.verdict);
      explains = explains || std::find(comparison.known.begin(), comparison.known.end(),
                                       &difference) != comparison.known.end();
    }
    if (was_judged && !explains && !lacks_one) {
      stale.push_back(&difference);
    }
  }
  return stale;
}

}  // namespace spca
