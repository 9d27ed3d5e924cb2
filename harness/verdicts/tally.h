#pragma once

/// How often each verdict was given: every sum of verdicts that the program prints is a Tally.

#include <map>
#include <string>
#include <vector>

#include "harness/verdicts/claims.h"
#include "harness/verdicts/published.h"

namespace spca {

struct Tally {
  std::map<Count, std::map<Verdict, std::size_t>> numbers;
  std::map<ClaimVerdict, std::size_t> claims_of_papers, claims_of_ours;
  std::size_t worse_unexplained = 0;  // worse, and nothing that measures it is known
  std::size_t worse_unknown = 0;      // of these, those of which the experiment says nothing at all
  std::size_t failed_unknown = 0;     // claims that fail, and the experiment does not say why
  std::size_t stale = 0;              // known differences that explain nothing any more
  bool has_failed = false;            // some cell of the runs failed
  bool interrupted = false;

  void add(const Experiment& experiment, const std::vector<PublishedComparison>& comparisons,
           const std::vector<JudgedClaim>& claims);
  void add(const Tally& other);

  /// The gravest: failed; worse if a number is worse or a claim fails and the experiment does not
  /// say why, or if a known difference is stale; not comparable if nothing was compared; or match.
  Verdict verdict() const;
  /// {"own", "baseline", "other", "by_hand", "certified": verdict -> count, "claims",
  /// "our_claims": verdict -> count, "worse_unexplained", "worse_unknown", "claims_unknown",
  /// "stale_differences"}.
  Json json() const;
  /// "printed, own method: 2 match; printed, baselines: 4 match, 6 worse; claims: 2 hold; 6 worse
  /// are not explained". Counts of nothing are left out.
  std::string text() const;
};

/// Every verdict on the records of a run. Refers to the experiment.
struct RunVerdicts {
  std::vector<PublishedComparison> comparisons;
  std::vector<JudgedClaim> claims;
  Tally tally;
};
RunVerdicts verdicts_on(const Experiment& experiment, const std::vector<Record>& records);

/// The verdicts on numbers, in the order in which they are counted.
const std::vector<Verdict>& number_verdicts();
const std::vector<Count>& all_counts();

}  // namespace spca
