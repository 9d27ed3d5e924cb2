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
  std::string grid, dataset, solver, deflation;
  std::vector<Index> cardinality;
  double ours = kNotMeasured;            // mean over the repeats
  double standard_error = kNotMeasured;  // of that mean; NaN with one repeat
  std::size_t repeats = 0;
  double tolerance = 0;
  /// One of match, better, worse, not comparable.
  Verdict verdict = Verdict::kNotComparable;
  std::string reason;  // why it is not comparable
  bool cardinality_missed = false;
  bool truncated = false;
  std::vector<std::string> explanations;  // known differences that match
};

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
/// Not comparable, with the reason: no record, not all repeats, or a repeat without a number. So is
/// a cardinality that does not bind, unless the published number names the solver.
std::vector<PublishedComparison> compare_with_published(const Experiment& experiment,
                                                        const std::vector<Record>& records);

/// Mean and standard error of one metric over the usable records of one variant. Each record counts
/// by its total (total_of in metrics.h).
struct Aggregate {
  double mean = kNotMeasured;
  double standard_error = kNotMeasured;
  std::size_t count = 0;       // of repeats that gave a number
  std::size_t not_usable = 0;  // failed, skipped, invalid
  bool cardinality_missed = false;
  bool truncated = false;
  bool unconstrained = false;
  std::string reason;  // message of the first record that is not usable
};
/// `records`: of one variant, one for each repeat.
Aggregate aggregate(const std::vector<const Record*>& records, const std::string& metric);

}  // namespace spca
