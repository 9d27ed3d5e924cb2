#include <algorithm>
#include <cmath>
#include <limits>

#include "spca/algebra/dense_decompositions.h"
#include "spca/methods/bounds/penalty_relaxation.h"
#include "spca/methods/bounds/relaxation_node.h"
#include "spca/methods/bounds/relaxation_tree.h"

namespace spca {

Matrix columns_of(const Matrix& factor, const std::vector<int>& first,
                  const std::vector<int>& second) {
  Matrix columns(factor.rows(), std::ssize(first) + std::ssize(second));
  Index place = 0;
  for (const std::vector<int>* part : {&first, &second}) {
    for (const int i : *part) {
      columns.col(place++) = factor.col(i);
    }
  }
  return columns;
}

FactoredCovariance factor_covariance(const Matrix& matrix) {
  FactoredCovariance factored;
  factored.unit = matrix.diagonal().maxCoeff();
  factored.factor = pivoted_cholesky(matrix / factored.unit);
  const Matrix rest = matrix / factored.unit - factored.factor.transpose() * factored.factor;
  factored.excess = rest.norm();  // no less than any eigenvalue of a principal submatrix
  return factored;
}

double largest_variance_on(const Matrix& factor, const Support& support) {
  const Matrix columns = factor(Eigen::all, support);
  return columns.rows() < columns.cols()
             ? symmetric_eigenvalues(columns * columns.transpose())[columns.rows() - 1]
             : symmetric_eigenvalues(columns.transpose() * columns)[columns.cols() - 1];
}

namespace {

/// Settles what the point settles, again while that changes the bound; `bound` falls to what is
/// found. False where no support above the limit is left.
bool settle_at(const Matrix& factor, Index k, double limit, const RelaxationPoint& point,
               SettledSets& variables, double& bound) {
  while (!variables.is_empty(k) && !variables.is_support(k) && point.y.rows() == factor.rows()) {
    CardinalityRelaxation relaxation(columns_of(factor, variables.chosen, variables.candidates),
                                     std::ssize(variables.chosen), variables.to_choose(k));
    relaxation.set(point);
    const SettledVariables settled =
        settle_variables(relaxation, std::ssize(variables.chosen), limit, 1);
    bound = std::min(bound, settled.bound);
    if (!(bound > limit)) {
      return false;
    }
    if (!variables.settle(settled)) {
      return true;
    }
  }
  return !variables.is_empty(k);
}

}  // namespace

double RelaxationProof::bound(const Matrix& matrix) const {
  const FactoredCovariance factored = factor_covariance(matrix);
  const Matrix& factor = factored.factor;
  const Index k = std::ssize(support);
  const double value = symmetric_eigenvalues(principal_submatrix(matrix, support))[k - 1];
  const double limit = factored.limit(value);
  double bound = value / factored.unit - factored.excess;
  struct Open {
    Index node;
    SettledSets variables;
    double bound;
  };
  std::vector<Open> stack(1);
  stack[0] = {.node = 0, .variables = {}, .bound = std::numeric_limits<double>::infinity()};
  for (int i = 0; i < factor.cols(); ++i) {
    stack[0].variables.candidates.push_back(i);
  }
  while (!stack.empty()) {
    Open at = std::move(stack.back());
    stack.pop_back();
    bool is_open = true;
    static const Node kUnknown;
    const Node& node =
        at.node < 0 || nodes.empty() ? kUnknown : nodes.at(static_cast<std::size_t>(at.node));
    for (const auto& point : node.points) {
      is_open = is_open && settle_at(factor, k, limit, *point, at.variables, at.bound);
    }
    if (!is_open || at.variables.is_empty(k)) {
      continue;
    }
    if (at.variables.is_support(k)) {
      bound =
          std::max(bound, std::min(at.bound, largest_variance_on(factor, at.variables.support(k))));
      continue;
    }
    if (node.variable < 0) {
      bound = std::max(bound, at.bound);
      continue;
    }
    Open without = at;
    without.node = node.without;
    without.variables.branch(node.variable, false);
    const auto& candidates = at.variables.candidates;
    const bool is_free =
        std::find(candidates.begin(), candidates.end(), node.variable) != candidates.end();
    const bool is_out =
        !is_free && std::find(at.variables.chosen.begin(), at.variables.chosen.end(),
                              node.variable) == at.variables.chosen.end();
    if (is_free || is_out) {
      stack.push_back(std::move(without));
    }
    if (!is_out) {
      at.node = node.with;
      at.variables.branch(node.variable, true);
      stack.push_back(std::move(at));
    }
  }
  return factored.unit * (bound + factored.excess);
}

}  // namespace spca
