#include "spca/solving/feasibility.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "spca/base/error.h"
#include "spca/spectrum/joint_loadings.h"

namespace spca {

std::string wrong_length(std::size_t component, double length) {
  return fmt::format("component {}: its length is {}, not 1", component + 1, length);
}

std::vector<Index> binding_cardinality(const Solution& solution,
                                       const std::vector<Index>& cardinality) {
  std::vector<Index> binding = cardinality;
  if (may_lack_components(solution.status) && !solution.components.empty() &&
      solution.components.size() < binding.size()) {
    binding.resize(solution.components.size());
  }
  return binding;
}

std::string find_malformation(const Component& component, Index p) {
  const Support& support = component.support;
  if (component.values.size() != component.cardinality()) {
    return fmt::format("{} values for {} indices", component.values.size(),
                       component.cardinality());
  }
  if (!component.values.allFinite()) {
    return fmt::format("its length is {}, not 1", component.values.norm());
  }
  for (std::size_t i = 0; i < support.size(); ++i) {
    const Index index = support[i];
    if (index < 0 || index >= p) {
      return fmt::format("index {} is {}", index,
                         index < 0 ? "below 0" : fmt::format("beyond {}", p - 1));
    }
    if (i > 0 && index <= support[i - 1]) {
      const auto here = support.begin() + static_cast<Index>(i);
      return std::find(support.begin(), here, index) != here
                 ? fmt::format("index {} is there twice", index)
                 : fmt::format("index {} after {}: indices must ascend", index, support[i - 1]);
    }
  }
  return "";
}

void refuse_malformed(Solution& solution, Index p, std::size_t before) {
  if (!is_usable(solution.status)) {
    return;
  }
  for (std::size_t j = 0; j < solution.components.size(); ++j) {
    const std::string fault = find_malformation(solution.components[j], p);
    if (!fault.empty()) {
      solution.status = Status::kInvalid;
      solution.message = fmt::format("component {}: {}", before + j + 1, fault);
      solution.components.clear();
      return;
    }
  }
}

std::string find_infeasibility(const std::vector<Component>& components, Index p,
                               const std::vector<Index>& cardinality, Supports supports) {
  if (!cardinality.empty() && components.size() != cardinality.size()) {
    return fmt::format("{} components, not {}", components.size(), cardinality.size());
  }
  std::vector<Index> owner;
  for (std::size_t j = 0; j < components.size(); ++j) {
    const Component& component = components[j];
    const std::string fault = find_malformation(component, p);
    if (!fault.empty()) {
      return fmt::format("component {}: {}", j + 1, fault);
    }
    const double norm = component.values.norm();
    // Written so that a NaN is infeasible.
    if (!(std::abs(norm - 1) <= kUnitTolerance)) {
      return wrong_length(j, norm);
    }
    if (!cardinality.empty() && component.cardinality() > cardinality[j]) {
      return fmt::format("component {}: {} nonzeros, {} allowed", j + 1, component.cardinality(),
                         cardinality[j]);
    }
    owner.insert(owner.end(), component.support.begin(), component.support.end());
  }
  std::sort(owner.begin(), owner.end());
  const auto twice = std::adjacent_find(owner.begin(), owner.end());
  if (supports == Supports::kDisjoint && twice != owner.end()) {
    return fmt::format("variable {} is in two components that must be disjoint", *twice);
  }
  return "";
}

std::string find_dependence(const std::vector<Component>& components, const Covariance& covariance,
                            const Orthogonality& asked) {
  if (components.size() < 2) {
    return "";
  }
  const auto r = static_cast<Index>(components.size());
  if (asked.of_loadings) {
    const Matrix gram = loadings_gram(components);
    for (Index j = 0; j < r; ++j) {
      for (Index i = 0; i <= j; ++i) {
        const double error = std::abs(gram(i, j) - (i == j ? 1 : 0));
        if (!(error <= kOrthogonalTolerance)) {
          return fmt::format("components {} and {} must be orthonormal: |V'V - I| is {:.3g}", i + 1,
                             j + 1, error);
        }
      }
    }
  }
  if (asked.of_scores) {
    const Matrix products = variance_matrix(covariance, components);
    const double limit = kUncorrelatedTolerance * products.diagonal().maxCoeff();
    for (Index j = 1; j < r; ++j) {
      for (Index i = 0; i < j; ++i) {
        if (!(std::abs(products(i, j)) <= limit)) {
          return fmt::format("components {} and {} must have uncorrelated scores: v'Sv is {:.3g}",
                             i + 1, j + 1, products(i, j));
        }
      }
    }
  }
  return "";
}

}  // namespace spca
