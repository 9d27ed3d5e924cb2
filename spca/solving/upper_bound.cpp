#include "spca/solving/upper_bound.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <functional>
#include <limits>

#include "spca/base/cardinality.h"
#include "spca/base/error.h"
#include "spca/solving/feasibility.h"
#include "spca/spectrum/joint_loadings.h"

namespace spca {
namespace {

/// Bounds Tr(V'SV) over r orthonormal loadings by lambda_1 + ... + lambda_r (Ky Fan). Loadings that
/// depend on each other span fewer dimensions, so a negative eigenvalue counts as zero.
/// Disjoint supports make any loadings orthonormal. Two more bounds hold:
///
/// - If the loadings are orthogonal, the sum over the components of the variance that one component
///   of cardinality k_j can explain. The trace is the sum of the v_j'Sv_j.
/// - If the supports are disjoint, the sum of the k_1 + ... + k_r largest variances: v_j'Sv_j <= Tr
///   S_{I_j I_j}, and no variable is in two supports. If only S + sigma I is positive semidefinite,
///   each of the other k_j - 1 eigenvalues on I_j may be as low as -sigma.
///
/// These two do not hold for other loadings. The metric gap uses the variance of the span, the
/// trace of S projected on it, which is Tr(V'SV) for orthonormal loadings only. Overlapping sparse
/// loadings may span a vector with more nonzeros than any of them, which explains more than the k_j
/// allow.
double bound_of_several(const std::vector<Component>& components,
                        const std::vector<Index>& cardinality, const Covariance& covariance,
                        const Spectrum& spectrum) {
  const auto r = static_cast<Index>(components.size());
  double bound = spectrum.leading(r).head(r).cwiseMax(0.0).sum();
  const Index p = covariance.variables();
  const bool is_orthogonal = find_dependence(components, covariance, {.of_loadings = true}).empty();
  if (cardinality.empty() || !is_orthogonal ||
      !find_infeasibility(components, p, cardinality, Supports::kAny).empty()) {
    return bound;
  }
  double by_component = 0;
  for (const Index k : cardinality) {
    by_component += spectrum.cardinality_bound(k);
  }
  bound = std::min(bound, by_component);
  if (!find_infeasibility(components, p, cardinality, Supports::kDisjoint).empty()) {
    return bound;
  }
  Vector variances = covariance.diagonal().cwiseMax(0.0);
  const Index places = total_cardinality(cardinality);
  const Index kept = std::min(places, p);
  std::nth_element(variances.begin(), variances.begin() + kept - 1, variances.end(),
                   std::greater<>());
  const double by_variances = variances.head(kept).sum() +
                              static_cast<double>(places - r) * covariance.semidefinite_shift();
  return std::min(bound, by_variances);
}

/// Raises a bound that is below the values of the answer by rounding. Value and bound are sums over
/// the same entries of S in different orders, and one component has two formulas of its value.
double raised_to_answer(double bound, const std::vector<Component>& components,
                        const Covariance& covariance) {
  if (components.empty() || !std::isfinite(bound)) {
    return bound;
  }
  if (components.size() == 1) {
    bound = raised_by_rounding(bound, covariance.quadratic_form(components[0]));
  }
  try {
    return raised_by_rounding(bound,
                              variance_of_span(covariance, components, loadings_gram(components),
                                               variance_matrix(covariance, components)));
  } catch (const std::exception&) {
    return bound;  // without a value there is nothing that the bound contradicts
  }
}

/// Implements upper_bound_within(), before the bound is raised to the value of the answer.
CheckedBound unraised_bound(double check_limit, const SolverEntry& solver, const Solution& solution,
                            const std::vector<Index>& cardinality, const Covariance& covariance,
                            const Spectrum& spectrum) {
  const auto r = static_cast<Index>(solution.components.size());
  // An exact solver that was called once for each component is optimal for each call, not for the
  // sum.
  const bool is_joint = r == 1 || solver.traits.multiple_components;
  if (solver.traits.exact && is_joint && solution.status == Status::kConverged) {
    double value = 0;
    for (const Component& component : solution.components) {
      value += covariance.quadratic_form(component);
    }
    return {.value = value,
            .source = fmt::format("the optimum that {} claims", solver.name),
            .is_of_solver = true};
  }
  const Budget clock;
  double bound = std::numeric_limits<double>::infinity();
  const bool is_one = r == 1 && cardinality.size() == 1;
  try {
    bound = is_one ? spectrum.cardinality_bound(cardinality[0])
                   : bound_of_several(solution.components, cardinality, covariance, spectrum);
  } catch (const NumericalError&) {
    // The certificate holds without eigenvalues.
  }
  const char* const simple = "eigenvalues, variances and rows of S";
  const bool is_disjoint = solver.traits.disjoint && std::ssize(cardinality) == r;
  const bool is_orthogonal =
      solver.traits.orthogonal && std::ssize(cardinality) == r &&
      find_dependence(solution.components, covariance, {.of_loadings = true}).empty();
  if (!(is_one || is_disjoint || is_orthogonal) || solution.certificate == nullptr) {
    return {.value = std::isfinite(bound) ? bound : kNotMeasured, .source = simple};
  }
  Budget check({.seconds = check_limit - clock.elapsed_seconds(),
                .iterations = std::numeric_limits<Index>::max()});
  double certified = std::numeric_limits<double>::infinity();
  try {
    const BoundCertificate& certificate = *solution.certificate;
    certified = is_one        ? certificate.check(covariance, cardinality[0], check)
                : is_disjoint ? certificate.check_disjoint(covariance, cardinality, check)
                              : certificate.check_orthogonal(covariance, cardinality, check);
  } catch (const NumericalError&) {
    // The other bounds hold without the certificate.
  }
  const bool is_better = certified < bound;
  bound = std::min(bound, certified);
  return {.value = bound < std::numeric_limits<double>::infinity() ? bound : kNotMeasured,
          .source = is_better ? fmt::format("the certificate of {}, checked", solver.name) : simple,
          .is_of_solver = is_better,
          .check_seconds = check.elapsed_seconds(),
          .was_stopped = check.out_of_time()};
}

}  // namespace

bool exceeds(double value, double bound) {
  const double excess = value - bound;
  return std::isinf(excess)
             ? excess > 0
             : excess > kRoundingAboveBound * std::max(std::abs(value), std::abs(bound));
}

double raised_by_rounding(double bound, double value) {
  return value > bound && !exceeds(value, bound) ? value : bound;
}

double check_time_limit(double time_limit) { return std::max(time_limit, kLeastCheckSeconds); }

double upper_bound(const SolverEntry& solver, const Solution& solution,
                   const std::vector<Index>& cardinality, const Covariance& covariance,
                   const Spectrum& spectrum) {
  return upper_bound_within(std::numeric_limits<double>::infinity(), solver, solution, cardinality,
                            covariance, spectrum)
      .value;
}

CheckedBound upper_bound_within(double check_limit, const SolverEntry& solver,
                                const Solution& solution, const std::vector<Index>& cardinality,
                                const Covariance& covariance, const Spectrum& spectrum) {
  CheckedBound bound =
      unraised_bound(check_limit, solver, solution, cardinality, covariance, spectrum);
  bound.value = raised_to_answer(bound.value, solution.components, covariance);
  return bound;
}

}  // namespace spca
