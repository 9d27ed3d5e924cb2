/// Metric: a lower bound on the information loss of every encoder on as many rows, from S alone.
/// Source  this project; the loss: Magdon-Ismail, Boutsidis, NIPS 2016

#include <limits>
#include <numeric>

#include "spca/algebra/dense_products.h"
#include "spca/measure/encoder_metrics.h"
#include "spca/methods/encoders/exact_rows.h"
#include "spca/solving/budget.h"

namespace spca::metric_information_loss_bound {
namespace {

// The bound holds whenever the search for it ends; this is when.
constexpr double kSeconds = 20;

Support union_of(const std::vector<Component>& components, Index p) {
  std::vector<char> is_used(static_cast<std::size_t>(p), 0);
  for (const Component& component : components) {
    for (const Index i : component.support) {
      is_used[static_cast<std::size_t>(i)] = 1;
    }
  }
  Support rows;
  for (Index i = 0; i < p; ++i) {
    if (is_used[static_cast<std::size_t>(i)] != 0) {
      rows.push_back(i);
    }
  }
  return rows;
}

std::vector<double> information_loss_bound(const MetricContext& context) {
  const Index p = context.covariance.variables();
  const auto r = std::ssize(context.components);
  if (p > kMostRowsSearched || context.covariance.semidefinite_shift() > 0) {
    return {kNotMeasured};
  }
  const Support rows = union_of(context.components, p);
  if (std::ssize(rows) < r) {
    return {kNotMeasured};
  }
  Support all(static_cast<std::size_t>(p));
  std::iota(all.begin(), all.end(), Index{0});
  const Matrix s = context.covariance.submatrix(all);
  Budget budget({.seconds = kSeconds, .iterations = std::numeric_limits<Index>::max()});
  const ExactRows best = exact_rows(
      {.s = s, .squared = matrix_product(s, s), .r = r, .k = std::ssize(rows)}, rows, 0,
      std::numeric_limits<double>::infinity(), [&](double value) { return budget.next(value); });
  return {normalised_loss(context, best.bound)};
}

SPCA_METRIC("information_loss_bound", information_loss_bound,
            (MetricTraits{.unit = "",
                          .direction = Direction::kHigherIsBetter,
                          .formula = "no encoder with as many components and as many nonzero rows "
                                     "has a lower information_loss; after 20 s what is certified "
                                     "then; p <= 64",
                          .source = "this project; Magdon-Ismail, Boutsidis, NIPS 2016",
                          .by_default = false,
                          .relative_tolerance = 1e-3,
                          .gate = Gate::kNone}));

}  // namespace
}  // namespace spca::metric_information_loss_bound
