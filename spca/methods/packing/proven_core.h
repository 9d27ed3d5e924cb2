#pragma once

/// Disjoint supports with a proof, where S has too many variables to be formed whole.
///
/// The bound of disjoint_bound.h covers the variables outside a core by the most that they can
/// add to a support (outside_variables.h). So the core has the variables that can pay for a place
/// in a support. They follow from prices, which are those of the linear program on a previous core.
/// If the search ends with a gap, the variables outside are the cause, and a larger core is tried.
///
/// Supports of many variables are bounded by pairs (pair_bound.h), whose steps take time quadratic
/// in the size of the core: it is small at first, and larger if the variables outside raise the
/// bound much.

#include "spca/methods/packing/disjoint_bound.h"
#include "spca/solving/certificate.h"
#include "spca/solving/problem.h"

namespace spca {

/// The optimum, with supports in terms of all variables, and the core of its proof, ascending.
struct ProvenOptimum {
  Support core;
  DisjointOptimum optimum;
};

/// Returns the result of disjoint_optimum() on a core of at most about `most_in_core` variables, or
/// on all variables if there are only few more. S is positive semidefinite. `best`: r disjoint
/// supports, |I_j| = k_j, of all variables. The value is never below theirs. If time runs out
/// before a proof begins, the answer has no bound, and is the best known one.
ProvenOptimum proven_optimum(const Problem& problem, const std::vector<Support>& best,
                             Index most_in_core, double accuracy, Budget& budget);

/// Returns a certificate of the bound for any S, which is padded (padding.h) and made semidefinite
/// (shifted_covariance.h) as the problem was. Null if there is no proof.
std::shared_ptr<const BoundCertificate> certificate_of(ProvenOptimum proven);

}  // namespace spca
