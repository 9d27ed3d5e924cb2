#pragma once

/// One case of the hunt: a question, the check of its answer, and the contradictions found.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tests/properties/question.h"

namespace spca::properties {

struct HuntCase {
  Question question;
  /// The check of the answer beside the comparison with the truth: the name of a relation
  /// (relations.h) or of another program (elsewhere.h), or kAnswerAlone, kAllMetrics, kLosses,
  /// kCertify or kSpectrum.
  std::string check;
};
inline constexpr const char* kAnswerAlone = "answer alone";
inline constexpr const char* kAllMetrics = "all metrics";
inline constexpr const char* kLosses = "losses of encoders";
inline constexpr const char* kCertify = "certify";
inline constexpr const char* kSpectrum = "spectrum";

/// A claim of the program that does not hold.
struct Contradiction {
  std::string claim;  // such as "a bound is not below the optimum"; without numbers of the case
  double found = 0;
  double limit = 0;  // the number that `found` contradicts
  std::string detail = {};
};

struct CaseOutcome {
  /// The status of the first answer; or "refused" for bad input, "numerical_failure", "exception",
  /// "crash", or kNotBuilt (elsewhere.h).
  std::string ending;
  std::vector<Contradiction> contradictions = {};
  std::string note = {};  // the message of an InputError or a NumericalError
};

/// The sets from which cases are drawn.
struct HuntPlan {
  std::vector<std::string> solvers;  // used in turn
  std::vector<std::string> kinds;    // kinds of small and of large matrices
  std::string check;                 // HuntCase::check of small matrices; empty: any
  Index largest_p = 10;              // largest number of variables of small matrices
};
/// Returns all values of HuntCase::check.
std::vector<std::string> checks();
/// Returns the plan with every registered solver, every kind and every check.
HuntPlan whole_plan();

/// Draws the case of this number, which does not depend on the cases drawn before.
HuntCase draw_case(const HuntPlan& plan, std::uint64_t seed, std::uint64_t number);
/// Returns the related question if a relation is checked. None if the relation has no meaning for
/// the question.
std::optional<Question> related_question(const HuntCase& hunted);
/// Runs a case. Records every exception of the library in the outcome.
CaseOutcome run_case(const HuntCase& hunted);

}  // namespace spca::properties
