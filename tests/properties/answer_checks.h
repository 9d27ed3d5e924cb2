#pragma once

/// What one answer has to satisfy, whoever gave it.

#include <vector>

#include "tests/properties/hunt_case.h"
#include "tests/properties/truth.h"

namespace spca::properties {

/// Values that two ways of rounding give differ by less than this share.
inline constexpr double kRounding = 1e-10;
/// What a search that may end within some gap of the optimum leaves (branch-price: 1e-9).
inline constexpr double kProven = 3e-9;

/// The facts about one answer that several checks need.
struct Examined {
  const Question& question;
  const Json& answer;
  const Matrix& covariance;  // exact_covariance()
  const Truth& truth;
  double rounding = 0;  // an absolute bound of that of the value
};

/// Feasible, value and bound as they must be.
void check_answer(const Examined& examined, std::vector<Contradiction>& wrong);
/// Every registered metric: none throws, and no bound among them is below what it bounds. Those of
/// encoders are check_losses()'s.
void check_metrics(const Examined& examined, const calls::Data& data,
                   std::vector<Contradiction>& wrong);
/// The losses of an encoder and what bounds them, for any components, in the judge's own metrics.
void check_losses(const Examined& examined, const calls::Data& data,
                  std::vector<Contradiction>& wrong);
/// Eigenvalues, eigenpairs and bounds of cardinalities of S, whoever was asked.
void check_spectrum(const Examined& examined, const calls::Data& data,
                    std::vector<Contradiction>& wrong);
/// What `certify` says of the components.
void check_certify(const Examined& examined, const calls::Data& data,
                   std::vector<Contradiction>& wrong);

}  // namespace spca::properties
