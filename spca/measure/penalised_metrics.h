#pragma once

/// Functions that the metrics of one component with a penalty on its nonzeros share. rho is the
/// penalty of the context; all values are NaN without a penalty, or unless there is exactly one
/// component.
///
/// Source  M. Journee, F. Bach, P.-A. Absil, R. Sepulchre, Refining sparse principal components,
///         2010, problems (2) and (3)

#include "spca/measure/metrics.h"

namespace spca {

/// v'Sv - rho ||v||_0.
double value_of_loadings(const MetricContext& context);

/// sum_i ((a_i'x)^2 - rho)_+ at the unit vector x of the loadings: v_J = A_J'x / c on the support J
/// of v. If several x satisfy this, x is the shortest before normalisation, which gives c^2 = 1 /
/// v_J'(S_JJ)^+v_J. Variables outside J count as (a_i'x)^2 <= rho.
double value_of_direction(const MetricContext& context);

/// The value of the loadings of gpower-l0 with this rho: the paper's point A of the same instance.
/// gpower-l0 is run here, so that the metric does not depend on other cells.
double value_of_gpower(const MetricContext& context);

/// 100 (value - reference) / reference. NaN unless the reference is positive.
double gain_in_percent(double value, double reference);

}  // namespace spca
