#include "spca/methods/joint/padding.h"

#include <algorithm>
#include <limits>

#include "spca/base/cardinality.h"
#include "spca/base/error.h"
#include "spca/dense/sparsify.h"
#include "spca/methods/joint/disjoint.h"
#include "spca/spectrum/eigenpairs.h"

namespace spca {
namespace {

/// The variables of a support that belong to S, and their positions in the support.
struct BasePart {
  Support variables;
  std::vector<Index> positions;
};

BasePart base_part(const Support& support, Index p) {
  BasePart part;
  for (std::size_t position = 0; position < support.size(); ++position) {
    if (support[position] < p) {
      part.variables.push_back(support[position]);
      part.positions.push_back(static_cast<Index>(position));
    }
  }
  return part;
}

/// Component `giver` without one of its variables, and that variable.
struct Split {
  double gain = -std::numeric_limits<double>::infinity();
  std::size_t giver = 0;
  Component rest;
  Index given = 0;
};

Split best_split(const Covariance& covariance, const std::vector<Component>& components) {
  Split best;
  for (std::size_t j = 0; j < components.size(); ++j) {
    const Support& support = components[j].support;
    if (support.size() < 2) {
      continue;
    }
    const double value = covariance.quadratic_form(components[j]);
    for (std::size_t i = 0; i < support.size(); ++i) {
      Support rest = support;
      rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
      SupportOptimum found = best_on_support(covariance, rest);
      const double gain = found.value + covariance.diagonal()[support[i]] - value;
      if (gain > best.gain) {
        best = {.gain = gain, .giver = j, .rest = std::move(found.component), .given = support[i]};
      }
    }
  }
  return best;
}

/// Gives a component without variables a variable of another component if no unused variable is
/// left for it. Otherwise components_in_order() gives it an unused one.
void share_variables(const Covariance& covariance, std::vector<Component>& components) {
  const auto is_used = [&](Index variable) {
    return std::any_of(components.begin(), components.end(), [&](const Component& one) {
      return std::binary_search(one.support.begin(), one.support.end(), variable);
    });
  };
  Index unused = 0;
  for (Index i = 0; i < covariance.variables(); ++i) {
    unused += is_used(i) ? 0 : 1;
  }
  for (Component& component : components) {
    if (!component.support.empty() || unused-- > 0) {
      continue;
    }
    const Split split = best_split(covariance, components);
    SPCA_CHECK(!split.rest.support.empty(), "more components than variables");
    components[split.giver] = split.rest;
    component = {.support = {split.given}, .values = Vector::Ones(1)};
  }
}

}  // namespace

PaddedCovariance::PaddedCovariance(const Covariance& base, Index count) : base_(base) {
  diagonal_ = Vector::Zero(base.variables() + count);
  diagonal_.head(base.variables()) = base.diagonal();
  largest_variances_ = Vector::Zero(base.variables() + count);
  largest_variances_.head(base.variables()) = base.largest_variances();
}

Vector PaddedCovariance::padded(const Vector& values) const {
  Vector all = Vector::Zero(variables());
  all.head(base_.variables()) = values;
  return all;
}

Matrix PaddedCovariance::submatrix(const Support& support) const {
  const BasePart part = base_part(support, base_.variables());
  Matrix matrix = Matrix::Zero(std::ssize(support), std::ssize(support));
  if (!part.variables.empty()) {
    matrix(part.positions, part.positions) = base_.submatrix(part.variables);
  }
  return matrix;
}

Matrix PaddedCovariance::columns(const Support& support) const {
  const BasePart part = base_part(support, base_.variables());
  Matrix columns = Matrix::Zero(variables(), std::ssize(support));
  if (!part.variables.empty()) {
    const Matrix found = base_.columns(part.variables);
    for (Index i = 0; i < found.cols(); ++i) {
      columns.col(part.positions[static_cast<std::size_t>(i)]).head(base_.variables()) =
          found.col(i);
    }
  }
  return columns;
}

Vector PaddedCovariance::transpose_product(const Vector& u) const {
  return padded(base_.transpose_product(u));
}

Vector PaddedCovariance::data_product(const Component& v) const {
  const BasePart part = base_part(v.support, base_.variables());
  return base_.data_product({.support = part.variables, .values = v.values(part.positions)});
}

void PaddedCovariance::do_multiply(const Vector& v, Vector& out) const {
  Vector product;
  base_.multiply(Vector(v.head(base_.variables())), product);
  out = padded(product);
}

void PaddedCovariance::do_multiply(const Component& v, Vector& out) const {
  const BasePart part = base_part(v.support, base_.variables());
  Vector product;
  base_.multiply(Component{.support = part.variables, .values = v.values(part.positions)}, product);
  out = padded(product);
}

void PaddedCovariance::do_multiply_block(const Matrix& v, Matrix& out) const {
  Matrix product;
  base_.multiply_block(v.topRows(base_.variables()), product);
  out = Matrix::Zero(variables(), v.cols());
  out.topRows(base_.variables()) = product;
}

Component without_padding(const Component& component, Index p) {
  const BasePart part = base_part(component.support, p);
  if (part.variables.size() == component.support.size()) {
    return component;
  }
  const Vector values = component.values(part.positions);
  return values.isZero(0) ? Component{} : normalized({.support = part.variables, .values = values});
}

std::vector<Index> reachable_cardinality(std::vector<Index> cardinality, Index p) {
  for (Index& k : cardinality) {
    k = std::min(k, std::max<Index>(1, p - std::ssize(cardinality) + 1));
  }
  return cardinality;
}

Index missing_variables(const std::vector<Index>& cardinality, Index p) {
  return std::max<Index>(0, total_cardinality(cardinality) - p);
}

bool lacks_variables(const Problem& problem) {
  return missing_variables(problem.cardinality, problem.covariance.variables()) > 0;
}

Solution solve_padded(const Problem& problem,
                      const std::function<Solution(const Problem& padded)>& solve) {
  const Index p = problem.covariance.variables();
  const std::vector<Index> reachable = reachable_cardinality(problem.cardinality, p);
  const PaddedCovariance padded(problem.covariance, missing_variables(reachable, p));
  Solution solution = solve({.covariance = padded,
                             .components = problem.components,
                             .cardinality = reachable,
                             .seed = problem.seed,
                             .threads = problem.threads});
  if (solution.components.empty()) {
    return solution;
  }
  for (Component& component : solution.components) {
    component = without_padding(component, p);
  }
  share_variables(problem.covariance, solution.components);
  solution.components =
      components_in_order(problem.covariance, std::move(solution.components), problem.cardinality);
  return solution;
}

}  // namespace spca
