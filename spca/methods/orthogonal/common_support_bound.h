#pragma once

/// The orthonormal components on k common variables that explain most: a bound by two divisions,
/// one after the other.
///
/// Supports
///   Let f(I) be the sum of the r largest eigenvalues of S_II, and g(t) the largest f(T) over t
///   variables. If I is F and t further variables T, then S_II is the sum of two matrices that are
///   unitarily similar to S_FF and S_TT, each bordered with zeros, so that
///   f(I) <= f(F) + f(T) <= f(F) + g(t). The search finds g(1), ..., g(k) one after the other. g(t)
///   is at most the sum of the t largest variances, and for t <= r it is that sum. The second bound
///   is f of all variables that the support may still have. It suits supports of few variables.
/// Variables
///   If a gap is left, the problem is divided by whether the support has a variable
///   (overlap_tree.h, with a common support).
///
/// Source  the decomposition: J.-C. Bourin, E.-Y. Lee, Bull. London Math. Soc. 44:1085, 2012; the
///         order of the searches: G. Verfaillie, M. Lemaitre, T. Schiex, AAAI 1996; the relaxation
///         of the second division: this project

#include "spca/base/types.h"
#include "spca/covariance/covariance.h"

namespace spca {

/// With more variables the bound is the sum of the k largest variances: S is not formed, and no
/// support is searched.
inline constexpr Index kMostCommonVariables = 2000;

struct CommonSupportBound {
  double value = kNotMeasured;  // no r orthonormal components on k common variables explain more
  Support support = {};         // the best support that was found; empty if none was
};

/// Returns the bound, which holds whenever the search ends, at most after `seconds`. `known`: at
/// most k variables that may be good, or none. NaN unless 1 <= r <= k <= p.
CommonSupportBound common_support_bound(const Covariance& covariance, Index r, Index k,
                                        const Support& known, double seconds);

}  // namespace spca
