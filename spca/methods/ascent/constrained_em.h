#pragma once

/// Expectation maximisation for sparse components that may have to be nonnegative, one after the
/// other or all at once.
///
/// One after the other
///   maximise w'S_Q w s.t. ||w||_2 = 1, ||w||_0 <= k; S_Q = (I - QQ') S (I - QQ'), Q a basis of the
///   components before: the generalised deflation of Mackey, NIPS 2008. A step is w = S_Q w.
/// All at once
///   minimise ||X - Z W'||_F^2 + gamma ||W'W - I||_F^2 over W, Z = X W (W'W)^-1, column j of k_j
///   nonzeros. A step is W by projected gradient steps for this Z; only products with S are needed.
/// Constraints
///   Each column of a step is soft-thresholded at its (k + 1)-th largest entry and made unit.
///   Negative entries become zero if the components are nonnegative. At the end the iteration is
///   repeated without a threshold, on the support found.
///
/// Source  Sigg, Buhmann, Expectation-maximization for sparse and non-negative PCA, ICML 2008

#include "spca/solving/solver.h"

namespace spca {

struct ConstrainedEmRule {
  bool nonnegative = false;
  double orthogonality = 1;  // gamma relative to Tr S
  Index restarts = 10;       // number of random starts
  double tolerance = 1e-8;   // relative change of the objective that ends an iteration
};

/// Returns r unit components, each with at most k_j nonzeros, found one after the other. A
/// component for which no variance is left is empty.
std::vector<Component> em_one_after_the_other(const Problem& problem, const ConstrainedEmRule& rule,
                                              Budget& budget);
/// The same as em_one_after_the_other(), found all at once.
std::vector<Component> em_all_at_once(const Problem& problem, const ConstrainedEmRule& rule,
                                      Budget& budget);

}  // namespace spca
