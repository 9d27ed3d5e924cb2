#pragma once

/// The verdict on an answer that was found elsewhere.

#include <string>
#include <vector>

#include "harness/instances/answer_file.h"
#include "harness/instances/instance_library.h"

namespace spca {

enum class AnswerOutcome {
  kImproves,     // better than the best known answer
  kReaches,      // as good as it
  kWorse,        // feasible, but worse than it
  kInfeasible,   // not an answer to the instance
  kContradicts,  // beyond a proved bound
  kMisclaims,    // feasible, but its value is not the one that is claimed for it
  kNoData,       // the data set is unknown, or its files are missing or have other bytes
};
/// Returns "improves", "reaches", "worse", "infeasible", "contradiction", "other value" or "no
/// data".
const char* outcome_name(AnswerOutcome outcome);

struct AnswerVerdict {
  KnownInstance known;
  AnswerOutcome outcome = AnswerOutcome::kNoData;
  std::string message;          // empty except for the last four outcomes
  double value = kNotMeasured;  // in the metric of the class
  /// Distance to the bound as a share; NaN without a bound, or if the value is beyond it.
  double gap = kNotMeasured;
  BestAnswer answer;  // with its value, if it is feasible
  /// The loadings that were given are not the best ones on their supports, which have the value.
  bool replaces_loadings = false;

  bool is_usable() const {
    return outcome == AnswerOutcome::kImproves || outcome == AnswerOutcome::kReaches ||
           outcome == AnswerOutcome::kWorse;
  }
};

/// Computes the value of an answer from supports or loadings and the data, and compares it with the
/// best known value and the bound. Throws InputError whose message begins with the answer's place
/// if its id is unknown, and as resolve_answer() and InstanceDataInTurn::get() do.
AnswerVerdict verify_answer(const InstanceLibrary& library, const SubmittedAnswer& given,
                            InstanceDataInTurn& data);

/// Returns one line, such as "pitprops-k5: feasible, 3.40615495, reaches the optimum; ...".
std::string verdict_text(const AnswerVerdict& verdict);
Json verdict_json(const AnswerVerdict& verdict);

}  // namespace spca
