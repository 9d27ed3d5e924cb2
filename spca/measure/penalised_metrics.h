#pragma once

/// What the metrics of one component with a penalty on its nonzeros share. rho is the context's
/// penalty; all are NaN without one, or with other than one component.
///
/// Source  M. Journee, F. Bach, P.-A. Absil, R. Sepulchre, Refining sparse principal components,
///         2010, problems (2) and (3)

#include "spca/measure/metrics.h"

namespace spca {

/// v'Sv - rho ||v||_0.
double value_of_loadings(const MetricContext& context);

/// sum_i ((a_i'x)^2 - rho)_+ at the unit vector x that the loadings stand for: v_J = A_J'x / c on
/// the support J of v. Of several such x it is the shortest before normalisation, which gives
/// c^2 = 1 / v_J'(S_JJ)^+v_J. Variables outside of J count as (a_i'x)^2 <= rho.
double value_of_direction(const MetricContext& context);

/// The value of loadings of gpower-l0 with this rho: the paper's point A of the same instance.
/// Solved here, so that nothing depends on what another cell found.
double value_of_gpower(const MetricContext& context);

/// 100 (value - reference) / reference. NaN unless the reference is positive.
double gain_in_percent(double value, double reference);

}  // namespace spca
