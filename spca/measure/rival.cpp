#include "spca/measure/rival.h"

#include <algorithm>

#include "spca/dense/sparsify.h"

namespace spca {
namespace {

struct Rival {
  Component component;
  double value = kNotMeasured;
};

/// Returns the best unit vector with at most k nonzeros that the steps from `component` meet, the
/// start included. None but the start has a nonzero on the variables `taken`.
Rival climb(const Covariance& covariance, Component component, Index k, const Support& taken) {
  Rival best;
  Vector product;
  for (int step = 0; step <= kRivalSteps && !component.support.empty(); ++step) {
    covariance.multiply(component, product);
    const double value = sparse_dot(component, product);
    if (!(value <= best.value)) {
      best = {.component = component, .value = value};
    }
    for (const Index i : taken) {
      product[i] = 0;
    }
    component = normalized(restrict_to(product, top_k(product, k)));
  }
  return best;
}

Support variables_of_others(const std::vector<Component>& components, std::size_t j) {
  Support taken;
  for (std::size_t other = 0; other < components.size(); ++other) {
    if (other != j) {
      const Support& support = components[other].support;
      taken.insert(taken.end(), support.begin(), support.end());
    }
  }
  return taken;
}

}  // namespace

double rival_value(const Covariance& covariance, std::vector<Component> components,
                   const std::vector<Index>& cardinality) {
  double total = 0;
  for (std::size_t j = 0; j < components.size(); ++j) {
    Rival rival =
        climb(covariance, components[j], cardinality[j], variables_of_others(components, j));
    total += rival.value;
    components[j] = std::move(rival.component);
  }
  if (components.size() == 1) {
    const Vector& variances = covariance.diagonal();
    for (const Index i : top_k(variances, std::min(kRivalStarts, variances.size()))) {
      const Component start = {.support = {i}, .values = Vector::Ones(1)};
      total = std::max(total, climb(covariance, start, cardinality[0], {}).value);
    }
  }
  return total;
}

}  // namespace spca
