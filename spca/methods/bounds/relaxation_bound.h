#pragma once

#include "spca/algebra/covariance.h"

namespace spca {

/// An upper bound on v'Sv over unit vectors of no more nonzeros than v has, from the relaxation for
/// a given cardinality (cardinality_relaxation.h), climbed from the support of v. NaN if v has no
/// nonzeros, or if more than kMostConsidered variables are left after an elimination
/// (variable_elimination.h). Seconds for a thousand variables.
double relaxation_bound(const Covariance& covariance, const Component& v);

}  // namespace spca
