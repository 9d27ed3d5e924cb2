#pragma once

/// One case of the hunt: a question, what is asked besides, and what is wrong with the answers.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tests/properties/question.h"

namespace spca::properties {

struct HuntCase {
  Question question;
  /// What is held against the answer beside the truth: the name of a relation (relations.h), a
  /// place (elsewhere.h), or
  /// kAnswerAlone, kAllMetrics, kLosses, kCertify or kSpectrum.
  std::string check;
};
inline constexpr const char* kAnswerAlone = "answer alone";
inline constexpr const char* kAllMetrics = "all metrics";
inline constexpr const char* kLosses = "losses of encoders";
inline constexpr const char* kCertify = "certify";
inline constexpr const char* kSpectrum = "spectrum";

/// A claim of the program that does not hold.
struct Contradiction {
  std::string claim;  // "a bound is not below the optimum": the same for all cases of one kind
  double found = 0;
  double limit = 0;  // what `found` contradicts
  std::string detail = {};
};

struct CaseOutcome {
  /// How the first answer ended: its status, or "refused" for bad input.
  std::string ending;
  std::vector<Contradiction> contradictions = {};
  std::string note = {};  // why bad input was refused
};

/// Which cases are drawn.
struct HuntPlan {
  std::vector<std::string> solvers;  // they take turns
  std::vector<std::string> kinds;    // of small matrices and large ones
  std::string check;                 // HuntCase::check of all; empty: any
  Index largest_p = 10;              // of small matrices
};
/// All that HuntCase::check may be.
std::vector<std::string> checks();
/// Every registered solver, every kind and every check.
HuntPlan whole_plan();

/// The case of this number, whatever was drawn before.
HuntCase draw_case(const HuntPlan& plan, std::uint64_t seed, std::uint64_t number);
/// The other question if a relation is checked. None if it has no meaning for the question.
std::optional<Question> related_question(const HuntCase& hunted);
/// Runs it. Whatever the library throws is in the outcome.
CaseOutcome run_case(const HuntCase& hunted);

}  // namespace spca::properties
