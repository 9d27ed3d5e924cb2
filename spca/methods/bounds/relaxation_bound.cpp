#include "spca/methods/bounds/relaxation_bound.h"

#include <algorithm>

#include "spca/dense/dense_selections.h"
#include "spca/dense/sparsify.h"
#include "spca/methods/bounds/relaxation_tree.h"
#include "spca/methods/bounds/variable_elimination.h"

namespace spca {

double relaxation_bound(const Covariance& covariance, const Component& v) {
  const auto always = [] { return true; };
  const Index k = v.cardinality();
  if (k == 0 || !(covariance.diagonal().maxCoeff() > 0)) {
    return kNotMeasured;
  }
  Support variables = all_variables(covariance.variables());
  // No support with an eliminated variable has a value above `known`.
  double known = 0;
  if (covariance.variables() > kMostConsidered) {
    const EliminationCertificate elimination =
        find_elimination(covariance, k, v.support, always, always);
    known = elimination.value;
    variables = eliminate_by_relaxation(covariance, k, known, elimination, always).variables;
    if (std::ssize(variables) < k) {
      return known;  // every support has an eliminated variable
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
  // Only the root is bounded, mostly within a percent: a search could take arbitrarily long.
  RelaxationTree tree(matrix, start);
  tree.begin(always);
  return std::max(tree.bound(), known);
}

}  // namespace spca
