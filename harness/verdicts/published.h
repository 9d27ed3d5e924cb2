#pragma once

#include <string>
#include <vector>

#include "harness/records/record.h"

namespace spca {

enum class Verdict { kMatch, kBetter, kWorse, kNotComparable };
/// "match", "better", "worse", "not comparable".
const char* verdict_name(Verdict verdict);

/// One published number beside ours.
struct Comparison {
  const PublishedCell* published = nullptr;
  std::string grid, dataset, solver, deflation;
  std::vector<Index> cardinality;
  double ours = kNotMeasured;            // mean over the repeats
  double standard_error = kNotMeasured;  // of that mean; NaN with one repeat
  std::size_t repeats = 0;
  double tolerance = 0;
  Verdict verdict = Verdict::kNotComparable;
  std::string reason;  // why it is not comparable
  bool cardinality_missed = false;
  std::vector<std::string> explanations;  // known differences that match
};

/// Two means differ beyond chance where they are this many standard errors apart: 1 in 100 by
/// chance alone.
inline constexpr double kStandardErrors = 2.58;

/// Every published cell of the experiment against the records: match where |ours - published| <=
/// tolerance, else better or worse by the metric's direction. Where the published number is itself
/// a mean over repeats the tolerance is at least kStandardErrors standard errors of the difference
/// of the two means. Not comparable, with the reason: no record, not all repeats, a repeat without
/// a number, or a cardinality that does not bind where the match does not name the solver.
std::vector<Comparison> compare_with_published(const Experiment& experiment,
                                               const std::vector<Record>& records);

/// Mean and standard error of one metric over the usable records of one variant. A metric that is
/// one number a component counts as the sum over the components.
struct Aggregate {
  double mean = kNotMeasured;
  double standard_error = kNotMeasured;
  std::size_t count = 0;       // of repeats that gave a number
  std::size_t not_usable = 0;  // failed, skipped, invalid
  bool cardinality_missed = false;
  bool unconstrained = false;
  std::string reason;  // message of the first record that is not usable
};
Aggregate aggregate(const std::vector<const Record*>& records, const std::string& metric);

}  // namespace spca
