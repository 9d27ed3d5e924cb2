/// Metric: a certified upper bound on the variance that components with disjoint supports of
/// given cardinalities explain, by prices on the variables.
/// Source  set packing by column generation: Desrochers, Desrosiers, Solomon, Operations Research
///         1992; the bound is this project's

#include <algorithm>
#include <cmath>
#include <limits>

#include "spca/base/cardinality.h"
#include "spca/covariance/shifted_covariance.h"
#include "spca/measure/metrics.h"
#include "spca/methods/ascent/support_ascent.h"
#include "spca/methods/joint/padding.h"
#include "spca/methods/packing/disjoint_bound.h"

namespace spca::metric_upper_bound_disjoint {
namespace {

constexpr double kPackingAccuracy = 1e-9;
// At most this number of variables form the core, on which S is formed. With more places than
// that nothing is measured.
constexpr Index kMostVariablesFormed = 500;

/// Returns the supports of the components, a possible start of the search; none unless they are
/// disjoint and full.
std::vector<Support> known_supports(const MetricContext& context,
                                    const std::vector<Index>& cardinality) {
  std::vector<Support> known;
  std::vector<char> is_used(static_cast<std::size_t>(context.covariance.variables()), 0);
  for (std::size_t j = 0; j < context.components.size(); ++j) {
    const Support& support = context.components[j].support;
    for (const Index i : support) {
      if (is_used[static_cast<std::size_t>(i)]++ != 0) {
        return {};
      }
    }
    if (std::ssize(support) != cardinality[j]) {
      return {};
    }
    known.push_back(support);
  }
  return known;
}

std::vector<double> upper_bound_disjoint(const MetricContext& context) {
  std::vector<Index> cardinality = context.cardinality;
  if (cardinality.empty()) {
    for (const Component& component : context.components) {
      cardinality.push_back(component.cardinality());
    }
  }
  cardinality = reachable_cardinality(cardinality, context.covariance.variables());
  const Index places = total_cardinality(cardinality);
  const bool has_zero = std::find(cardinality.begin(), cardinality.end(), 0) != cardinality.end();
  if (places > kMostVariablesFormed || cardinality.empty() || has_zero ||
      cardinality.size() != context.components.size()) {
    return {kNotMeasured};
  }
  const PaddedCovariance covariance(context.covariance,
                                    missing_variables(cardinality, context.covariance.variables()));
  const Index p = covariance.variables();
  std::vector<Support> known = known_supports(context, cardinality);
  // Padding comes first: in S + sigma I a padding variable has variance sigma.
  const ShiftedCovariance shifted(covariance);
  const Covariance& semidefinite = shifted.semidefinite();
  const Support core = disjoint_core(semidefinite, known, std::min(p, kMostVariablesFormed));
  for (Support& support : known) {
    support = positions_among(core, support);
  }
  const Index largest = *std::max_element(cardinality.begin(), cardinality.end());
  Budget budget(
      {.seconds = context.search_seconds, .iterations = std::numeric_limits<Index>::max()});
  const DisjointOptimum optimum =
      disjoint_optimum(semidefinite.submatrix(core), cardinality, {.best = known}, kPackingAccuracy,
                       OutsideVariables(semidefinite, core, largest), budget);
  const double added = static_cast<double>(cardinality.size()) * shifted.shift();
  return {std::isfinite(optimum.bound) ? optimum.bound - added : kNotMeasured};
}

SPCA_METRIC(
    "upper_bound_disjoint", upper_bound_disjoint,
    (MetricTraits{
        .unit = "variance",
        .direction = Direction::kLowerIsBetter,
        .formula =
            "min over mu >= 0 of the sum of mu + sum_j max(0, max lambda_max(S_II) - mu(I) "
            "over |I| = k_j): an upper bound on the variance of components with disjoint supports "
            "of these cardinalities; after 20 s the bound so far; S is formed of 500 variables",
        .source =
            "this project; column generation: Desrochers, Desrosiers, Solomon, Oper. Res. 1992",
        .by_default = false,
        .relative_tolerance = 1e-3}));

}  // namespace
}  // namespace spca::metric_upper_bound_disjoint
