#pragma once

/// Compares published numbers with measured ones for `spca reproduce`.

#include <string>
#include <vector>

#include "harness/records/record.h"
#include "harness/verdicts/verdict.h"

namespace spca {

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
  /// One of match, better, worse, not comparable, not run.
  Verdict verdict = Verdict::kNotRun;
  std::string reason = {};  // why it is not comparable or was not run
  bool cardinality_missed = false;
  bool truncated = false;
  /// The matching known differences whose range contains the difference. The experiment owns them.
  std::vector<const KnownDifference*> known = {};

  /// Returns whether one of them names a measurement.
  bool is_explained() const;
};

/// Returns the text on a known difference: the reason, and the measurement, or that there is none.
std::string explanation_text(const KnownDifference& difference);
/// Returns explanation_text of each known difference of the comparison.
std::vector<std::string> explanation_texts(const PublishedComparison& comparison);

/// The counts of published numbers. They must not be added, because a number means something else
/// in each.
enum class Count {
  kOwn,        // printed by the paper for its own method, run as the paper says
  kBaseline,   // printed by the paper for another method, run as the paper says
  kOther,      // printed by the paper; compared with any other solver
  kByHand,     // known by a formula
  kCertified,  // an optimum that this project has proven
};
Count count_of(const PublishedCell& published);
/// Returns "printed, own method", "printed, baselines", "printed, other solvers", "known by hand"
/// or "certified by us".
const char* count_name(Count count);

/// Number of standard errors beyond which two means differ by more than chance, which alone reaches
/// that once in 100 times.
inline constexpr double kStandardErrors = 2.58;

/// Compares every published number of the experiment with the records. `experiment` must outlive
/// the result.
///
/// The verdict is match if |ours - published| <= tolerance, otherwise better or worse by the
/// metric's direction. If the published number is itself a mean over repeats, the tolerance is at
/// least kStandardErrors standard errors of the difference of the two means.
///
/// The verdict is not comparable, with the reason, for a number of other data or of another metric,
/// whatever its value; if a repeat has no number; and if the cardinality does not bind, unless the
/// published number names the solver. The verdict is not run if there is no record or not all
/// repeats, if cells were skipped, and for numbers whose cells are in other profiles only.
std::vector<PublishedComparison> compare_with_published(const Experiment& experiment,
                                                        const std::vector<Record>& records);

/// Returns the known differences that no longer apply: published numbers that they match were
/// compared, but no difference is in their range. Only a whole run can show that: for another
/// profile, with settings, or if a number that they match was not run, nothing is returned.
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
  std::size_t not_usable = 0;  // number of failed, skipped and invalid repeats
  std::size_t skipped = 0;     // number of these
  bool cardinality_missed = false;
  bool truncated = false;
  bool unconstrained = false;
  std::string reason;  // message of the first unusable record
};
/// Aggregates `records`: those of one variant, one for each repeat.
Aggregate aggregate(const std::vector<const Record*>& records, const std::string& metric);

}  // namespace spca
