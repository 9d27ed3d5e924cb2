#pragma once

/// Published numbers beside ours, as `spca reproduce` shows them.

#include <string>
#include <vector>

#include "harness/records/record.h"
#include "harness/verdicts/verdict.h"

namespace spca {

/// One published number beside ours.
struct PublishedComparison {
  const PublishedCell* published = nullptr;
  const Variant* variant =
      nullptr;  // null if no cell of this run is compared; then the labels are ""
  std::string grid = {}, dataset = {}, solver = {}, deflation = {};
  std::vector<Index> cardinality = {};
  double ours = kNotMeasured;            // mean over the repeats
  double standard_error = kNotMeasured;  // of that mean; NaN with one repeat
  std::size_t repeats = 0;
  double tolerance = 0;
  /// One of match, better, worse, not comparable, not run.
  Verdict verdict = Verdict::kNotRun;
  std::string reason = {};  // why it is not comparable or was not run
  bool cardinality_missed = false;
  bool truncated = false;
  /// Known differences that match and in whose range the difference lies. The experiment holds
  /// them.
  std::vector<const KnownDifference*> known = {};

  /// Whether one of them says what measures it.
  bool is_explained() const;
};

/// What is printed of a known difference: why, and what measures it, or that it is not explained.
std::string explanation_text(const KnownDifference& difference);
/// The same of each that is known of the comparison.
std::vector<std::string> explanation_texts(const PublishedComparison& comparison);

/// The counts of published numbers, which never add up to one: in each a number means something
/// else.
enum class Count {
  kOwn,        // printed by the paper for its own method, which is run as the paper says
  kBaseline,   // printed by the paper for another method, which is run as the paper says
  kOther,      // printed by the paper, and what any other solver reaches there
  kByHand,     // known by a formula
  kCertified,  // an optimum that we proved
};
Count count_of(const PublishedCell& published);
/// "printed, own method", "printed, baselines", "printed, other solvers", "known by hand",
/// "certified by us".
const char* count_name(Count count);

/// Two means that are this many standard errors apart differ by more than chance: chance alone does
/// that once in 100 times.
inline constexpr double kStandardErrors = 2.58;

/// Holds every published number of the experiment against the records. `experiment` must outlive
/// the result.
///
/// The verdict is match if |ours - published| <= tolerance, otherwise better or worse by the
/// metric's direction. If the published number is itself a mean over repeats, the tolerance is at
/// least kStandardErrors standard errors of the difference of the two means.
///
/// Not comparable, with the reason, are: a number of other data or of another metric, whatever we
/// find; a repeat without a number; a cardinality that does not bind, unless the published number
/// names the solver. Not run are: no record, not all repeats, cells that were skipped, and numbers
/// whose cells are in other profiles only.
std::vector<PublishedComparison> compare_with_published(const Experiment& experiment,
                                                        const std::vector<Record>& records);

/// Known differences that explain nothing any more: published numbers that they match were
/// compared, but no difference lies in their range. Only a whole run can tell: of another profile,
/// with settings, or if a number that they match was not run, none is returned.
std::vector<const KnownDifference*> stale_differences(
    const Experiment& experiment, const std::vector<PublishedComparison>& comparisons);
/// Whether the run is that of the whole experiment as it is written.
bool is_whole(const Experiment& experiment);

/// Mean and standard error of one metric over the usable records of one variant. Each record counts
/// by its total (total_of in metrics.h).
struct Aggregate {
  double mean = kNotMeasured;
  double standard_error = kNotMeasured;
  std::size_t count = 0;       // of repeats that gave a number
  std::size_t not_usable = 0;  // failed, skipped, invalid
  std::size_t skipped = 0;     // of these
  bool cardinality_missed = false;
  bool truncated = false;
  bool unconstrained = false;
  std::string reason;  // message of the first record that is not usable
};
/// `records`: of one variant, one for each repeat.
Aggregate aggregate(const std::vector<const Record*>& records, const std::string& metric);

}  // namespace spca
