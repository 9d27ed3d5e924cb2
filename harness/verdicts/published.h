#pragma once

/// Compares published numbers with measured ones for `spca reproduce`.

#include <string>
#include <vector>

#include <optional>

#include "harness/comparisons/significance.h"
#include "harness/records/record.h"

namespace spca {

/// The verdict on a published number.
enum class NumberVerdict {
  kReproduced,     // ours is within the tolerance, and 0 would not be
  kHigher,         // ours is higher beyond the tolerance
  kLower,          // ours is lower beyond the tolerance
  kDiffers,        // different beyond the tolerance, in a metric without a direction
  kTooNoisy,       // ours is within the tolerance, and so would 0 be: no evidence either way
  kNotComparable,  // other data or another metric, or no number of ours
  kNoPublicData,   // the paper's data are not public
  kNotRun,         // its cells were not run, or were skipped
};
/// Returns "reproduced", "higher", "lower", "differs", "too noisy to tell", "not comparable", "no
/// public data" or "not run".
const char* verdict_name(NumberVerdict verdict);
/// Returns whether the verdict rests on two numbers.
bool is_judged(NumberVerdict verdict);

/// One published number and its measured counterpart, called ours.
struct PublishedComparison {
  const PublishedCell* published = nullptr;
  const Variant* variant =
      nullptr;  // null if no cell of this run is compared; then the labels are ""
  std::string grid = {}, dataset = {}, solver = {}, deflation = {};
  std::vector<Index> cardinality = {};
  double ours = kNotMeasured;            // mean over the repeats
  double standard_error = kNotMeasured;  // of that mean; NaN for one repeat
  std::size_t repeats = 0;
  double tolerance = 0;
  NumberVerdict verdict = NumberVerdict::kNotRun;
  /// True if ours is beyond the tolerance on the wrong side of the published number: lower where
  /// higher is better, higher where lower is better, either where the metric has no direction.
  bool on_wrong_side = false;
  /// If the metric is a share and has several repeats: Wilson's 95 % interval of their mean.
  std::optional<Interval> interval = {};
  std::string reason = {};  // why it is not comparable or was not run
  bool cardinality_missed = false;
  bool truncated = false;
  /// The matching known differences whose range contains the difference. The experiment owns them.
  std::vector<const KnownDifference*> known = {};

  /// Returns whether one of the known differences names a measurement.
  bool is_explained() const;
  /// Returns whether ours is beyond the tolerance on the better side of the published number.
  bool is_better() const {
    return !on_wrong_side &&
           (verdict == NumberVerdict::kHigher || verdict == NumberVerdict::kLower);
  }
  /// Returns whether the tolerance is wider than half a unit of the last printed digit.
  bool has_wide_tolerance() const;
};

/// Returns the reason `why` of a difference or of a failing claim with its measurement, or with the
/// words that nothing measures it.
std::string explanation_text(const std::string& why, const std::optional<Measurement>& measured_by);
/// Returns explanation_text of each known difference of the comparison.
std::vector<std::string> explanation_texts(const PublishedComparison& comparison);

/// The counts of published numbers. They must not be added, because a number means something else
/// in each.
enum class Count {
  kOwn,        // printed by the paper for its own method, run as the paper says
  kBaseline,   // printed by the paper for another method, run as the paper says
  kOther,      // printed by the paper; compared with any other solver
  kCheck,      // printed by the paper; fixed by the set-up
  kByHand,     // follows from a formula
  kCertified,  // an optimum that this project has proven
  kProgram,    // computed by another program
};
Count count_of(const PublishedCell& published);
/// Returns "the paper's method", "the paper's competitors", "our other solvers at its numbers",
/// "check of the set-up", "follows from a formula", "proved optimum" or "another program".
const char* count_name(Count count);

/// At fewer draws than this, tables show Wilson's interval of a share. It is at least 0.06 wide at
/// one half.
inline constexpr std::size_t kFewDraws = 1000;
inline constexpr const char* kIntervalNote =
    "[low, high]: Wilson's 95 % interval of a share of few draws.";

/// Two shares that differ by more than this number of standard errors differ by more than chance,
/// which alone exceeds it once in 100 comparisons. For means see mean_half_width().
inline constexpr double kStandardErrors = 2.58;
/// Returns the same for a mean over `repeats` >= 1, whose standard error is itself an estimate: by
/// Student's t distribution; kStandardErrors for one repeat, whose error the caller knows.
double mean_half_width(std::size_t repeats);
/// The rule in words, for the notes of tables.
inline constexpr const char* kHalfWidthRule =
    "the half-width of the 99 % interval of the difference of the two means (Student's t)";

/// Compares every published number of the experiment with the records. `experiment` must outlive
/// the result.
///
/// The verdict is reproduced if |ours - published| <= tolerance; otherwise higher or lower, or
/// differs if the metric has no direction. If the published number is itself a mean over repeats,
/// the tolerance is at least the half-width of the 99 % interval of the difference of the two
/// means: kStandardErrors standard errors for shares, otherwise mean_half_width().
///
/// A number within a tolerance of at least |published| is too noisy to tell, because 0 would be
/// reproduced, too. A published 0 is reproduced within the tolerance of the experiment, and too
/// noisy to tell within standard errors alone.
///
/// The verdict is not comparable, with the reason, for a number of other data or of another metric,
/// whatever its value; if a repeat has no number; and if the cardinality does not bind, unless the
/// published number names the solver. The verdict is no public data if the data were never
/// published. It is not run if a repeat has no record, if cells were skipped, and for numbers whose
/// cells are in other profiles only.
std::vector<PublishedComparison> compare_with_published(const Experiment& experiment,
                                                        const std::vector<Record>& records);

/// Returns the known differences that no longer apply: published numbers that they match were
/// compared, but no difference is in their range. Only a whole run (is_whole()) can show that: for
/// another run nothing is returned, nor is a difference that matches a number that was not run.
std::vector<const KnownDifference*> stale_differences(
    const Experiment& experiment, const std::vector<PublishedComparison>& comparisons);
/// Returns whether the run covers the whole experiment as written.
bool is_whole(const Experiment& experiment);

/// The mean and standard error of one metric over the usable records of one variant. Each record is
/// represented by its total (total_of in metrics.h).
struct Aggregate {
  double mean = kNotMeasured;
  double standard_error = kNotMeasured;
  std::size_t count = 0;       // number of repeats with a number
  std::size_t not_usable = 0;  // number of records without a number: failed, not measured, ...
  std::size_t skipped = 0;     // number of skipped ones among these
  bool cardinality_missed = false;
  bool truncated = false;
  bool unconstrained = false;
  bool unoptimised = false;
  bool is_share = false;      // MetricTraits::is_share, if there are several numbers
  bool is_yes_or_no = false;  // is_share, and each number is 0 or 1
  std::string reason;         // why the first of the records without a number has none

  /// Returns Wilson's 95 % interval if this is a share. Numbers between 0 and 1 vary less than
  /// those that are 0 or 1, so the interval is wide enough for them, too.
  std::optional<Interval> interval() const;
};
/// Aggregates `records`: those of one variant, one for each repeat.
Aggregate aggregate(const std::vector<const Record*>& records, const std::string& metric);

}  // namespace spca
