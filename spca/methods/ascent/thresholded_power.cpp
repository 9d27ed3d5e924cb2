/// The method maximises a convex function f over the unit sphere: f(y) >= f(x) + f'(x)'(y - x), and
/// the right-hand side is largest at y = f'(x) / ||f'(x)||. A step therefore never lowers f, and
/// needs no step length.

#include "spca/methods/ascent/thresholded_power.h"

#include <algorithm>
#include <cmath>

#include "spca/base/error.h"
#include "spca/dense/sparsify.h"
#include "spca/methods/ascent/column_starts.h"
#include "spca/spectrum/eigenpairs.h"

namespace spca {
namespace {

constexpr double kTieOfLengths = 1e-12;

}  // namespace

double longest_column(const Covariance& covariance) {
  const double largest = covariance.diagonal().maxCoeff();
  // Levels are shares of this length; with length zero or infinity they are meaningless.
  if (!(largest > 0) || !std::isfinite(largest)) {
    throw NumericalError("no variable has a positive finite variance");
  }
  return std::sqrt(largest);
}

Index variable_of_longest_column(const Covariance& covariance) {
  longest_column(covariance);
  const Support tied = variables_of_largest_variance(covariance);
  if (tied.size() == 1) {
    return tied.front();
  }
  const Support tried = start_variables(covariance);
  Index longest = tied.front();
  double largest = -1;
  for (const Index j : tried) {
    if (!std::binary_search(tied.begin(), tied.end(), j)) {
      continue;
    }
    const double length = covariance.columns({j}).squaredNorm();
    // Ignores rounding, so that equal columns are distinguished only by their index.
    if (length > largest * (1 + kTieOfLengths)) {
      largest = length;
      longest = j;
    }
  }
  return longest;
}

Vector start_at_longest_column(const Covariance& covariance) {
  const Component unit{.support = {variable_of_longest_column(covariance)},
                       .values = Vector::Ones(1)};
  Vector w(covariance.variables());
  // X'a_j / ||a_j|| = S e_j / sqrt(S_jj).
  covariance.multiply(unit, w);
  w /= std::sqrt(covariance.diagonal()[unit.support.front()]);
  return w;
}

Vector start_at_leading_eigenvector(const Covariance& covariance, double level) {
  const Eigenpairs pairs = leading_eigenpairs(covariance, 1, Exact::kPairs, Copies::kAny);
  Vector w = std::sqrt(std::max(pairs.values[0], 0.0)) * pairs.vectors.col(0);
  return w.cwiseAbs().maxCoeff() > level ? w : start_at_longest_column(covariance);
}

double apply_threshold(const Eigen::Ref<const Vector>& w, double scale, Threshold threshold,
                       double level, Vector& scratch, Component& z) {
  scratch.resize(w.size());
  z.support.clear();
  // Compares |w_i| with level / scale, so that only kept entries are scaled: most are cut.
  const double cut = level / scale;
  Index count = 0;
  for (Index i = 0; i < w.size(); ++i) {
    if (std::abs(w[i]) > cut) {
      z.support.push_back(i);
      scratch[count++] = w[i];
    }
  }
  z.values = scale * scratch.head(count);
  if (threshold == Threshold::kHard) {
    // sum of (w_i^2 - level^2) over the entries that are kept.
    return z.values.squaredNorm() - static_cast<double>(count) * level * level;
  }
  z.values = z.values.unaryExpr(
      [level](double x) { return std::copysign(std::max(std::abs(x) - level, 0.0), x); });
  return z.values.squaredNorm();
}

Component thresholded_power(const Covariance& covariance, const ThresholdedPower& rule, Vector w,
                            Budget& budget) {
  Component z;
  Vector scratch;
  double objective = apply_threshold(w, 1, rule.threshold, rule.level, scratch, z);
  while (!z.support.empty() && budget.next(objective)) {
    covariance.multiply(z, w);
    // z'Sz = ||Xz||^2, and w / ||Xz|| is the next w. The scaling is left to apply_threshold.
    const double squared_length = sparse_dot(z, w);
    if (!(squared_length > 0)) {
      break;
    }
    const double previous = objective;
    objective =
        apply_threshold(w, 1 / std::sqrt(squared_length), rule.threshold, rule.level, scratch, z);
    // The objective is convex in x, so it grows from step to step; a small growth ends the
    // iteration.
    if (objective - previous <= rule.tolerance * objective) {
      break;
    }
  }
  return normalized(std::move(z));
}

Component refitted(const Covariance& covariance, const Component& component) {
  return component.support.empty() ? component
                                   : best_on_support(covariance, component.support).component;
}

}  // namespace spca
