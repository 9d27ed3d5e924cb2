#pragma once

/// The eigenvalue behind the guarantees of a solver that is exact on S_d, the best approximation of
/// rank d to S. The value of such a solver is at least OPT - lambda_{d+1}, with OPT the largest
/// variance of a component of k nonzeros. A lower bound of OPT gives the eps_d of Theorem 1:
///
///   value >= (1 - eps_d) OPT,   eps_d = lambda_{d+1} / (a lower bound of OPT)
///
/// 1 - eps_d may be negative; it then says nothing. A solver that is exact on S_d to a relative
/// epsilon (spannogram-bound) may lose that share of its value as well. If a time limit ends a
/// search early, nothing is guaranteed.
///
/// Source  Papailiopoulos, Dimakis, Korokythakis, ICML 2013, Theorem 1 and equation (2)

#include "spca/measure/metrics.h"

namespace spca {

/// Returns lambda_{d+1}, 0 if d >= p. Returns NaN if no guarantee holds: for a solver that does not
/// work on some S_d (MetricContext::rank is 0), for several components, and for S = 0.
double discarded_eigenvalue(const MetricContext& context);

}  // namespace spca
