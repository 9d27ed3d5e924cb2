#pragma once

/// The eigenvalue behind the guarantees of a solver that is exact on S_d, the best approximation of
/// rank d to S: its value is at least OPT - lambda_{d+1}, OPT the largest variance of a component
/// of k nonzeros. Divided by a lower bound of OPT that is the eps_d of Theorem 1:
///
///   value >= (1 - eps_d) OPT,   eps_d = lambda_{d+1} / (a lower bound of OPT)
///
/// 1 - eps_d may be negative, and then says nothing. A solver that is exact on S_d to a relative
/// epsilon (spannogram-bound) loses at most that share of its value besides; of a search that a
/// time limit ends early nothing is guaranteed.
///
/// Source  Papailiopoulos, Dimakis, Korokythakis, ICML 2013, Theorem 1 and equation (2)

#include "spca/measure/metrics.h"

namespace spca {

/// lambda_{d+1}, 0 where d >= p. NaN where no guarantee holds: of solvers that do not work on some
/// S_d (MetricContext::rank is 0), of several components, and of S = 0.
double discarded_eigenvalue(const MetricContext& context);

}  // namespace spca
