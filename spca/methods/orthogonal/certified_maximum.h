#pragma once

/// The certified largest value of one component of S - Lambda, as the bounds on several components
/// need it. With gains pi, a support I is worth lambda_max((S - Lambda)_II) + pi(I), |I| = k.
/// That is a pricing problem (support_pricer.h) with the prices max(pi) - pi_i.

#include <functional>
#include <limits>
#include <vector>

#include "spca/base/types.h"
#include "spca/methods/pricing/support_pricer.h"
#include "spca/solving/budget.h"

namespace spca {

/// At most this number of supports are enumerated.
inline constexpr Index kMostSupportsEnumerated = 20'000;

struct MaximumRequest {
  Index k = 1;
  Vector gains;  // pi, p, >= 0; all zero: none
  /// Supports whose value is below the best by at most this are returned, too.
  double margin = 0;
  /// Pairs bound the maximum if the time ends the searches. Wanted only with several cardinalities:
  /// with one, the sum of such bounds is never below the bound by pairs of all components
  /// (overlap_tree.h), which has the best Lambda. Not with gains, whose pricing includes pairs.
  bool by_pairs = false;
  double share = 1;  // of the budget, that the searches may take
  int threads = 1;
};

/// The certified maximum of the values, and the supports found during the search.
struct CertifiedMaximum {
  double bound = std::numeric_limits<double>::infinity();
  std::vector<Support> supports = {};  // supports of large value
  bool is_exact = true;                // no search was ended by its time
  PricingProof proof = {};             // with gains, unless all supports were enumerated
};

/// Bounds the largest value of a symmetric A, which need not be semidefinite: by all supports, if
/// they are few, otherwise by the two searches of `branch-bound`, and with gains by those for
/// prices.
CertifiedMaximum certified_maximum(const Matrix& matrix, const MaximumRequest& request,
                                   const Budget& budget);

/// Returns an upper bound on the largest value with gains, from A, the gains and the hints of a
/// proof, of which nothing is trusted. Infinity if the budget ends before there is one.
double check_maximum(const Matrix& matrix, Index k, const Vector& gains, const PricingProof& proof,
                     Budget& budget);

/// Returns local optima on A, by ascents from each variable and then exchanges from the best: those
/// below the best by at most `margin`. `gains`: pi, p.
std::vector<Support> local_optima(const Matrix& matrix, Index k, const Vector& gains, double margin,
                                  const std::function<bool()>& keep_going);

}  // namespace spca
