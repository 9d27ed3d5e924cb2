#pragma once

/// Judges the claims of an experiment by the records of a run.

#include <map>
#include <string>
#include <vector>

#include "harness/records/record.h"

namespace spca {

enum class ClaimVerdict { kHolds, kUndecided, kFails, kNotRun };
/// Returns the verdict as written in JSON: "holds", "undecided", "fails" or "not run".
const char* claim_verdict_name(ClaimVerdict verdict);
/// Returns the verdict as shown to users: "holds", "can't tell", "fails" or "not run".
const char* claim_verdict_words(ClaimVerdict verdict);

/// One pair of cells of a claim, or one component of a pair if the claim is about a fact. Repeat i
/// of the left cell is compared with repeat i of the right cell: both have the same draw, unless
/// their data sets differ.
struct ClaimCase {
  ClaimPair cells;
  Index component = 0;          // from 0: of the fact, or Claim::component - 1; otherwise 0
  double left = kNotMeasured;   // mean over the repeats; for times the geometric mean
  double right = kNotMeasured;  // likewise, without the factor; or the claim's number
  /// Mean of left - factor * right over the repeats. For times: of log(left / (factor * right)).
  double difference = kNotMeasured;
  double standard_error = kNotMeasured;  // of that mean; for one repeat that of Claim::error_metric
  double half_width = 0;                 // of the 99 % interval of the difference
  double slack = 0;                      // in the unit of the difference
  std::size_t repeats = 0;
  ClaimVerdict verdict = ClaimVerdict::kNotRun;
  std::string reason;  // why the case was not run; otherwise empty
};

/// A claim with the verdict on each pair of its cells.
struct JudgedClaim {
  const Claim* claim = nullptr;
  std::vector<ClaimCase> cases;
  ClaimVerdict verdict = ClaimVerdict::kNotRun;

  std::size_t count(ClaimVerdict of) const;
  /// Returns the deciding case: the least favourable one among those with the claim's verdict. Null
  /// if there is no case.
  const ClaimCase* hardest() const;
};

/// Judges every claim of the experiment, which must outlive the result.
///
/// Let d be the mean over the repeats of left - factor * right, e the half-width of its 99 %
/// interval (mean_half_width() standard errors), and t the slack. A difference of at most t does
/// not count:
///
///   left >= right   holds if d - e >= -t, fails if d + e < -t
///   left >  right   holds if d - e >   t, fails if d + e <= t
///
/// and is undecided in between; <= and < are defined by exchanging left and right. If one side has
/// one repeat and the data are not drawn anew, it is compared with each repeat of the other side.
/// If only one pair of repeats is compared, the standard error is that of Claim::error_metric for
/// independent numbers; without that metric it is 0, and the two numbers decide. If the factor is 1
/// and several repeats of both cells are all 0 or 1, e is kStandardErrors standard errors of the
/// difference of two paired shares, with half a pair added to each outcome, so that it is positive
/// even if no repeat differs. For times, d is the mean difference of logarithms, so that e and t
/// refer to the ratio, and cells that did not run alone on one machine count as not run.
///
/// A claim fails if one pair fails. Otherwise it is undecided if one pair is undecided, and holds
/// if all pairs that were run hold. A pair is not run if a cell is missing or a repeat has no
/// number; a claim is not run if no pair was run.
std::vector<JudgedClaim> judge_claims(const Experiment& experiment,
                                      const std::vector<Record>& records);

/// Returns a text such as "3 hold, 1 fails".
std::string claim_counts(const std::map<ClaimVerdict, std::size_t>& counts);
/// Returns the number of cases of each verdict: "999 hold, 1 can't tell".
std::string cases_text(const JudgedClaim& judged);
/// Returns the reason why a claim was not run or why it fails; "" for other verdicts.
std::string claim_note(const JudgedClaim& judged);

/// Returns the claim as a formula: "explained_variance: solver C > solver A".
std::string claim_text(const Claim& claim);

}  // namespace spca
