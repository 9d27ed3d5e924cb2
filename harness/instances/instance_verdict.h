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
  kWorse,        // feasible
  kInfeasible,   // no answer to the instance
  kContradicts,  // beyond a proved bound
  kNoData,       // the data are not in the data folder, or are others
};
/// "improves", "reaches", "worse", "infeasible", "contradiction", "no data".
const char* outcome_name(AnswerOutcome outcome);

struct AnswerVerdict {
  KnownInstance known;
  AnswerOutcome outcome = AnswerOutcome::kNoData;
  std::string message;          // of the last three outcomes
  double value = kNotMeasured;  // in the metric of the class
  /// Distance to the bound as a share; NaN without a bound.
  double gap = kNotMeasured;
  BestAnswer answer;  // with its value, if it is feasible

  bool is_usable() const {
    return outcome == AnswerOutcome::kImproves || outcome == AnswerOutcome::kReaches ||
           outcome == AnswerOutcome::kWorse;
  }
};

/// Computes the value of an answer from supports or loadings and the data, and compares it. Throws
/// InputError whose message begins with the answer's place if its id or a variable is unknown.
AnswerVerdict verify_answer(const InstanceLibrary& library, const SubmittedAnswer& given,
                            InstanceDataInTurn& data);

/// Returns one line, such as "pitprops-k5: feasible, 3.40615495, reaches the optimum; ...".
std::string verdict_text(const AnswerVerdict& verdict);
Json verdict_json(const AnswerVerdict& verdict);

}  // namespace spca
