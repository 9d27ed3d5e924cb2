#pragma once

#include "spca/covariance/covariance.h"

namespace spca {

/// An upper bound on v'Sv over unit vectors with at most as many nonzeros as v, from the relaxation
/// for a given cardinality (cardinality_relaxation.h), starting from the support of v. NaN if v has
/// no nonzeros, if no variance is positive, or if more than kMostConsidered variables remain after
/// an elimination (variable_elimination.h). Takes seconds for a thousand variables.
double relaxation_bound(const Covariance& covariance, const Component& v);

}  // namespace spca
