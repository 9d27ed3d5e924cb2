#pragma once

/// Proofs for all variables from those of a core, so that the steps of pair_descent.h need only the
/// variables that matter.

#include "spca/methods/pairs/pair_bound.h"

namespace spca {

/// Returns a proof for all variables from that of a core, ascending. A variable j outside has
/// C_jl C_lj = (S - Lambda)_jl^2, with the largest |C_lj| that costs a variable l of the core
/// nothing. Two such variables have C_jj' = (S - Lambda)_jj'. They add nothing to (6) of
/// pair_bound.h as long as M_jj is at most lambda_r(M) of the core. `matrix`, `conditions`: S and
/// the conditions of all variables.
///
/// Supports that may overlap: mu_j is the charge of j, or 0, and Lambda is zero outside the core.
///
/// Common supports: the prices of the core are far below zero and its Lambda_ll as far above, so
/// mu_j and Lambda_jj must be so, too. The row of j in L is that for which Lambda_jl is nearest to
/// S_jl, or a part of it, and mu_j lets j pay no more than the variables of the core that pay. Then
/// mu_j falls as far as lambda_r(M) allows. The less j pays, the more an answer with j loses.
PairProof extended_proof(const PairProof& proof, const Support& core,
                         const PairConditions& conditions, const Matrix& matrix);

}  // namespace spca
