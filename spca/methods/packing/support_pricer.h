#pragma once

/// The dearest question of the column generation: how much can a support be worth beyond its prices?
///
///   n_k(mu) = max { lambda_max(S_II) - sum over I of mu : |I| = k, I allowed }
///
/// by the searches of `branch-bound` (search_by_turns.h), which stop at a target: what the program
/// already pays for a support of k variables.

#include <memory>

#include "spca/methods/bounds/relaxation_certificate.h"
#include "spca/methods/bounds/support_pricing.h"
#include "spca/solving/budget.h"

namespace spca {

/// What a check begins with. Nothing in it is trusted.
struct PricingProof {
  double target = 0;
  Support start = {};  // k variables
  /// Null if the squares ended the search, or it has just begun.
  std::shared_ptr<const RelaxationCertificate> relaxations = nullptr;
};

struct PricedOptimum {
  double bound = 0;  // n_k <= bound; at least the target
  Support support = {};
  double net = 0;          // of the support
  bool is_proven = false;  // the bound is the target, or the net of the support
  PricingProof proof = {};
};

class SupportPricer {
 public:
  /// `matrix` is S, p x p, positive semidefinite; it must outlive the object.
  explicit SupportPricer(const Matrix& matrix) : matrix_(matrix) {}

  /// Searches until nothing exceeds the target, or a support that does is found, or that has taken so
  /// many multiplications, or the budget is over. `start`: k variables, the best support known.
  PricedOptimum maximise(const SupportPricing& pricing, const Support& start, double most_work,
                         Budget& budget);
  /// Bounds by the relaxation alone. `parts` becomes how much of each variable it takes.
  PricedOptimum relax(const SupportPricing& pricing, const Support& start, Budget& budget,
                      Vector& parts);
  /// An upper bound of n_k from S, the pricing and the hints of a proof. It ends with what it has if
  /// the budget is over.
  double check(const SupportPricing& pricing, const PricingProof& proof, Index k, Budget& budget);

 private:
  bool factor(Budget& budget);

  const Matrix& matrix_;
  std::shared_ptr<const FactoredCovariance> factor_;  // once it is needed
};

}  // namespace spca
