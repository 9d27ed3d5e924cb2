#pragma once

/// The checks that every answer must pass.

#include <vector>

#include "tests/properties/hunt_case.h"
#include "tests/properties/truth.h"

namespace spca::properties {

/// Bound on the relative difference of one value computed in two ways.
inline constexpr double kRounding = 1e-10;

/// The facts about one answer that several checks need.
struct Examined {
  const Question& question;
  const Json& answer;
  const Matrix& covariance;  // exact_covariance()
  const Truth& truth;
  double rounding = 0;  // storage_rounding(): a bound on the rounding of the entries of S
};

/// Checks that the answer is feasible, and that its value and bound are right.
void check_answer(const Examined& examined, std::vector<Contradiction>& wrong);
/// Checks every registered metric that is not a time: it must not throw, and an upper bound must
/// not be below the optimum that it bounds. check_losses() checks the metrics of encoders.
void check_metrics(const Examined& examined, const calls::Data& data,
                   std::vector<Contradiction>& wrong);
/// Checks the metrics of encoders on any components: the losses and their bounds.
void check_losses(const Examined& examined, const calls::Data& data,
                  std::vector<Contradiction>& wrong);
/// Checks eigenvalues, eigenpairs and the bounds of cardinalities of S, which no solver affects.
void check_spectrum(const Examined& examined, const calls::Data& data,
                    std::vector<Contradiction>& wrong);
/// Checks the bound that `certify` gives for the components.
void check_certify(const Examined& examined, const calls::Data& data,
                   std::vector<Contradiction>& wrong);

}  // namespace spca::properties
