#pragma once

/// Counts the verdicts on published numbers and on claims, of one run or of several.

#include <map>
#include <string>
#include <vector>

#include "harness/comparisons/verdict.h"
#include "harness/verdicts/claims.h"
#include "harness/verdicts/published.h"

namespace spca {

struct Tally {
  std::map<Count, std::map<NumberVerdict, std::size_t>> numbers;
  std::map<ClaimVerdict, std::size_t> claims_of_papers, claims_of_ours;
  /// Number of results on the wrong side without a known measurement of the reason.
  std::size_t worse_unexplained = 0;
  std::size_t worse_unknown = 0;   // number of these on which the experiment is silent
  std::size_t failed_unknown = 0;  // number of failing claims without a reason in the experiment
  std::size_t stale = 0;           // number of known differences that no longer apply
  /// True if some cell of the runs failed or could not be measured again; a time limit that its
  /// grid allows is not a failure. verdicts_on() leaves it false.
  bool has_failed = false;
  bool interrupted = false;

  void add(const Experiment& experiment, const std::vector<PublishedComparison>& comparisons,
           const std::vector<JudgedClaim>& claims);
  void add(const Tally& other);

  /// Returns the gravest verdict: failed; worse if a number is on the wrong side or a claim fails
  /// without a recorded reason, or if a known difference is stale; not comparable if nothing was
  /// compared; otherwise match.
  Verdict verdict() const;
  /// Returns {"own", "baseline", "other", "check", "by_hand", "program", "certified": verdict ->
  /// count, "claims", "our_claims": verdict -> count, "worse_unexplained", "worse_unknown",
  /// "claims_unknown", "stale_differences"}.
  Json json() const;
  /// Returns "the paper's method: 2 reproduced; the paper's competitors: 4 reproduced, 6 lower;
  /// claims of the paper: 2 hold; 6 unexplained". Counts of zero are omitted.
  std::string text() const;
};

/// Returns the member of Tally::json with the verdicts of a count.
const char* json_name(Count count);

/// Every verdict on the records of a run. Refers to the experiment.
struct RunVerdicts {
  std::vector<PublishedComparison> comparisons;
  std::vector<JudgedClaim> claims;
  Tally tally;
};
RunVerdicts verdicts_on(const Experiment& experiment, const std::vector<Record>& records);

/// Returns the verdicts on numbers in the order in which they are counted.
const std::vector<NumberVerdict>& number_verdicts();
const std::vector<Count>& all_counts();

}  // namespace spca
