#pragma once

/// The certified largest value of one component of S - Lambda, as the bounds on several components
/// need it.

#include <functional>
#include <limits>
#include <vector>

#include "spca/base/types.h"
#include "spca/solving/budget.h"

namespace spca {

/// Values of supports are sums of about k^2 products. A bound is raised by this share of the
/// largest value against rounding.
inline constexpr double kRoundingOfValues = 1e-10;
/// At most this number of supports are enumerated.
inline constexpr Index kMostSupportsEnumerated = 20'000;

struct MaximumRequest {
  Index k = 1;
  /// Supports whose value is below the best by at most this are returned, too.
  double margin = 0;
  /// Pairs bound the maximum if the time ends the searches. Wanted only with several cardinalities:
  /// with one, the sum of such bounds is never below the bound by pairs of all components
  /// (overlap_tree.h), which has the best Lambda.
  bool by_pairs = false;
  double share = 1;  // of the budget, that the searches may take
  int threads = 1;
};

/// The certified maximum of lambda_max(A_II), |I| = k, and the supports found during the search.
struct CertifiedMaximum {
  double bound = std::numeric_limits<double>::infinity();
  std::vector<Support> supports = {};  // supports of large value
  bool is_exact = true;                // no search was ended by its time
};

/// Bounds the largest value of a symmetric A, which need not be semidefinite: by all supports, if
/// they are few, otherwise by the two searches of `branch-bound`.
CertifiedMaximum certified_maximum(const Matrix& matrix, const MaximumRequest& request,
                                   const Budget& budget);

/// Returns local optima on A, by ascents from each variable and then exchanges from the best: those
/// below the best by at most `margin`.
std::vector<Support> local_optima(const Matrix& matrix, Index k, double margin,
                                  const std::function<bool()>& keep_going);

}  // namespace spca
