#include "harness/verdicts/published.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "harness/records/record_index.h"
#include "spca/base/error.h"

namespace spca {
namespace {

/// Whether the published cell asks for this solver by its label and not by a pattern.
bool names_solver(const PublishedCell& published, const std::string& label) {
  return std::find(published.match.solvers.begin(), published.match.solvers.end(), label) !=
         published.match.solvers.end();
}

/// Why the variant gives no number to compare; "" if it does.
std::string why_no_number(const PublishedCell& published, const Variant& variant,
                          const Aggregate& aggregate) {
  const std::size_t expected = static_cast<std::size_t>(variant.repeats);
  if (!published.unavailable.empty()) {
    return published.unavailable;
  }
  if (aggregate.count + aggregate.not_usable == 0) {
    return aggregate.reason.empty() ? "no record" : aggregate.reason;
  }
  if (aggregate.not_usable > 0) {
    return expected == 1 ? aggregate.reason
                         : fmt::format("{} of {} repeats give no number: {}", aggregate.not_usable,
                                       expected, aggregate.reason);
  }
  if (aggregate.count < expected) {
    return fmt::format("{} of {} repeats have no record", expected - aggregate.count, expected);
  }
  if (aggregate.unconstrained && !names_solver(published, variant.solver_label)) {
    return "its cardinality is not bound";
  }
  return "";
}

/// Whether every repeat gave 0 or 1, so that the mean is the share of a yes.
bool is_share(const std::vector<const Record*>& records, const std::string& metric) {
  return std::all_of(records.begin(), records.end(), [&](const Record* record) {
    const auto position = record->metrics.find(metric);
    return position != record->metrics.end() && position->second.size() == 1 &&
           (position->second[0] == 0 || position->second[0] == 1);
  });
}

/// Standard error of the difference of two means. For shares it pools the two samples, as the test
/// of two proportions does: a sample of 50 with no miss would otherwise count as free of error. For
/// other metrics the published spread is not known and is taken to be ours.
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

/// The verdict on a number that can be compared.
Verdict verdict_of(const PublishedComparison& comparison, Direction direction) {
  const double difference = comparison.ours - comparison.published->value;
  // Doubles around a decimal: 0.975 against 0.98 is within 0.005.
  const double rounding = 1e-12 * std::abs(comparison.published->value);
  if (std::abs(difference) <= comparison.tolerance + rounding) {
    return Verdict::kMatch;
  }
  if (direction == Direction::kNone) {
    return Verdict::kWorse;  // a metric that has no better can only agree or not
  }
  return (difference > 0) == (direction == Direction::kHigherIsBetter) ? Verdict::kBetter
                                                                       : Verdict::kWorse;
}

/// Why the experiment expects a difference here, as far as it says so.
std::vector<std::string> explanations_for(const Experiment& experiment, const Variant& variant,
                                          const std::string& metric) {
  std::vector<std::string> explanations;
  for (const KnownDifference& difference : experiment.known_differences) {
    if ((difference.metric.empty() || difference.metric == metric) &&
        difference.match.matches(variant)) {
      explanations.push_back(difference.why);
    }
  }
  return explanations;
}

PublishedComparison compare(const Experiment& experiment, const PublishedCell& published,
                            const Variant& variant, const std::vector<const Record*>& records) {
  const Aggregate total = aggregate(records, published.metric);
  PublishedComparison comparison{.published = &published,
                                 .grid = variant.grid,
                                 .dataset = variant.dataset_label,
                                 .solver = variant.solver_label,
                                 .deflation = deflation_name(variant),
                                 .cardinality = variant.cardinality,
                                 .ours = total.mean,
                                 .standard_error = total.standard_error,
                                 .repeats = total.count,
                                 .tolerance = published.tolerance,
                                 .verdict = Verdict::kNotComparable,
                                 .reason = why_no_number(published, variant, total),
                                 .cardinality_missed = total.cardinality_missed,
                                 .truncated = total.truncated,
                                 .explanations = {}};
  if (comparison.reason.empty()) {
    if (published.published_repeats > 0 && total.count > 1) {
      const double error =
          difference_error(comparison, published, is_share(records, published.metric));
      comparison.tolerance = std::max(comparison.tolerance, kStandardErrors * error);
    }
    comparison.verdict = verdict_of(
        comparison, MetricRegistry::instance().get(published.metric, "").traits.direction);
    comparison.explanations = explanations_for(experiment, variant, published.metric);
  }
  return comparison;
}

/// The best of those that are comparable. If none is, all rank the same and the first is returned,
/// with its reason.
PublishedComparison best_of(const std::vector<PublishedComparison>& comparisons) {
  const PublishedComparison& first = comparisons.front();
  const Direction direction =
      MetricRegistry::instance().get(first.published->metric, "").traits.direction;
  const double sign = direction == Direction::kLowerIsBetter ? -1 : 1;
  const auto rank = [sign](const PublishedComparison& comparison) {
    return comparison.verdict == Verdict::kNotComparable ? -std::numeric_limits<double>::infinity()
                                                         : sign * comparison.ours;
  };
  return *std::max_element(comparisons.begin(), comparisons.end(),
                           [&](const PublishedComparison& a, const PublishedComparison& b) {
                             return rank(a) < rank(b);
                           });
}

/// The number of one record: NaN if it has none, or if its timing was disturbed.
double number_of(const Record& record, const std::string& metric) {
  const bool is_timing = record.timing.contains(metric);
  if (is_timing && !has_comparable_timing(record)) {
    return kNotMeasured;
  }
  const auto& measured = is_timing ? record.timing : record.metrics;
  const auto position = measured.find(metric);
  return position == measured.end() ? kNotMeasured : total_of(metric, position->second);
}

/// Why number_of is NaN: no answer, a disturbed time, or a metric that was not measured.
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
  double squares = 0;
  for (const Record* record : records) {
    const bool is_whole = is_usable(record->status) && !is_partial(*record);
    const double value = is_whole ? number_of(*record, metric) : kNotMeasured;
    if (!std::isfinite(value)) {
      if (total.not_usable++ == 0) {
        total.reason = why_no_value(*record, metric);
      }
      continue;
    }
    // Welford: a sum of squares would lose the spread of values near 1e9.
    total.mean = total.count == 0 ? 0 : total.mean;
    const double before = value - total.mean;
    total.mean += before / static_cast<double>(++total.count);
    squares += before * (value - total.mean);
    total.cardinality_missed = total.cardinality_missed || record->cardinality_missed;
    total.truncated = total.truncated || record->truncated;
    total.unconstrained = total.unconstrained || record->unconstrained;
  }
  const double n = static_cast<double>(total.count);
  total.standard_error = total.count > 1 ? std::sqrt(squares / (n - 1) / n) : kNotMeasured;
  return total;
}

std::vector<PublishedComparison> compare_with_published(const Experiment& experiment,
                                                        const std::vector<Record>& records) {
  const RecordIndex index(records);
  std::vector<PublishedComparison> comparisons;
  for (const PublishedCell& published : experiment.published) {
    std::vector<PublishedComparison> candidates;
    for (const Variant& variant : experiment.variants) {
      if (published.match.matches(variant)) {
        candidates.push_back(compare(experiment, published, variant, index.of(variant)));
      }
      if (!candidates.empty() && !published.unavailable.empty()) {
        break;  // a curve that is missing is missing once
      }
    }
    SPCA_CHECK(!candidates.empty(), "a published number that no variant matches");
    if (published.select == Selection::kBest) {
      candidates = {best_of(candidates)};
    }
    std::move(candidates.begin(), candidates.end(), std::back_inserter(comparisons));
  }
  return comparisons;
}

}  // namespace spca
