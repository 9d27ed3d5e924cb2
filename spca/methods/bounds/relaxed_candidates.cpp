#include "spca/methods/bounds/relaxed_candidates.h"

#include <algorithm>
#include <numeric>

#include "spca/algebra/sparsify.h"
#include "spca/methods/bounds/relaxation_node.h"
#include "spca/methods/bounds/relaxation_tree.h"
#include "spca/methods/bounds/support_tree.h"

namespace spca {
namespace {

Support all_variables(const Covariance& covariance) {
  Support all(static_cast<std::size_t>(covariance.variables()));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

}  // namespace

RelaxedElimination find_elimination(const Covariance& covariance, Index k,
                                    const std::function<bool()>& keep_going) {
  RelaxedElimination best;
  const Index p = covariance.variables();
  for (Index count = kFirstConsidered; covariance.has_data_form() && count <= kMostConsidered;
       count *= 3) {
    const Support considered = top_k(covariance.diagonal(), std::min(count, p));
    if (std::ssize(considered) <= k || !keep_going()) {
      break;
    }
    const Matrix matrix = covariance.submatrix(considered);
    SupportAscent ascent(matrix, k);
    ascent.search([&](double) { return keep_going(); });
    RelaxationTree tree(matrix, ascent.support());
    tree.begin(keep_going);
    best = {.considered = std::ssize(considered),
            .points = tree.proof()->nodes[0].points,
            .support = take_from(considered, tree.support()),
            .value = tree.value()};
    if (std::ssize(relaxed_candidates(covariance, k, best.value, best).variables) < p) {
      break;
    }
  }
  return best;
}

RelaxedCandidates relaxed_candidates(const Covariance& covariance, Index k, double value,
                                     const RelaxedElimination& elimination) {
  const Vector& variances = covariance.diagonal();
  const Index p = covariance.variables();
  if (elimination.considered <= k || elimination.considered > p || !covariance.has_data_form()) {
    return {.variables = all_variables(covariance)};
  }
  const Support considered = top_k(variances, elimination.considered);
  Vector others = variances;
  others(considered).setZero();
  const FactoredCovariance factored = factor_covariance(covariance.submatrix(considered));
  const double largest_other = others.maxCoeff() / factored.unit;
  const double limit = factored.limit(value);
  SettledSets sets;
  for (int i = 0; i < elimination.considered; ++i) {
    sets.candidates.push_back(i);
  }
  double bound = std::numeric_limits<double>::infinity();
  double most = -1;  // a candidate of no larger variance is not worth its price
  for (const auto& point : elimination.points) {
    if (sets.is_empty(k) || sets.is_support(k) || point->y.rows() != factored.factor.rows() ||
        !(point->price >= largest_other)) {
      break;
    }
    const Index chosen = std::ssize(sets.chosen);
    CardinalityRelaxation relaxation(columns_of(factored.factor, sets.chosen, sets.candidates),
                                     chosen, sets.to_choose(k));
    relaxation.set(*point);
    const SettledVariables settled = settle_variables(relaxation, chosen, limit, 1);
    if (!(settled.bound > limit)) {
      return {.variables = {}, .bound = value};
    }
    bound = std::min(bound, settled.bound);
    most = std::max(most, relaxation.price() - (settled.bound - limit));
    sets.settle(settled);
  }
  bound = std::max(value, factored.unit * (bound + factored.excess));
  if (most < 0) {
    return {.variables = all_variables(covariance), .bound = bound};
  }
  std::vector<char> is_left(static_cast<std::size_t>(p), 0);
  for (Index j = 0; j < p; ++j) {
    is_left[static_cast<std::size_t>(j)] = others[j] > most * factored.unit ? 1 : 0;
  }
  for (const int i : sets.chosen) {
    is_left[static_cast<std::size_t>(considered[static_cast<std::size_t>(i)])] = 1;
  }
  for (const int i : sets.candidates) {
    const Index j = considered[static_cast<std::size_t>(i)];
    is_left[static_cast<std::size_t>(j)] = variances[j] > most * factored.unit ? 1 : 0;
  }
  RelaxedCandidates left{.variables = {}, .bound = bound};
  for (Index j = 0; j < p; ++j) {
    if (is_left[static_cast<std::size_t>(j)] != 0) {
      left.variables.push_back(j);
    }
  }
  return left;
}

double relaxation_bound(const Covariance& covariance, const Component& v) {
  const auto always = [] { return true; };
  const Index k = v.cardinality();
  if (k == 0 || !(covariance.diagonal().maxCoeff() > 0)) {
    return kNotMeasured;
  }
  Support variables = all_variables(covariance);
  double known = 0;
  if (covariance.variables() > kMostConsidered) {
    const RelaxedElimination elimination = find_elimination(covariance, k, always);
    known = elimination.value;
    variables = relaxed_candidates(covariance, k, known, elimination).variables;
    if (std::ssize(variables) <= k) {
      return known;
    }
  }
  if (std::ssize(variables) > kMostConsidered) {
    return kNotMeasured;
  }
  Support start = positions_among(variables, v.support);
  const Matrix matrix = covariance.submatrix(variables);
  if (std::ssize(start) < k) {
    start = top_k(matrix.diagonal(), k);
  }
  RelaxationTree tree(matrix, start);
  tree.begin(always);
  return std::max(tree.bound(), known);
}

}  // namespace spca
