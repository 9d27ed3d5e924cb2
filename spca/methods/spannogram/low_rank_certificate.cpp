#include "spca/methods/spannogram/low_rank_certificate.h"

#include <algorithm>

#include "spca/spectrum/low_rank.h"

namespace spca {

double LowRankCertificate::do_check(const Covariance& covariance, Index k, Budget& budget) const {
  const LowRank low_rank = low_rank_approximation(covariance, rank_);
  if (low_rank.rank() == 0) {
    return low_rank.residual;  // S = 0
  }
  // The search began with the faces of the cube of V, which all_directions() converts to W.
  return bound_by_tree(reduced_factor(low_rank), std::min(k, covariance.variables()), tree_,
                       all_directions(reduction(low_rank).cwiseInverse()),
                       [&] { return budget.next(); }) +
         low_rank.residual;
}

}  // namespace spca
