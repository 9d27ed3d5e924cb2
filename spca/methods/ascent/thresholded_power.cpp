/// The method maximises a convex function f over the unit sphere: f(y) >= f(x) + f'(x)'(y - x), and
/// the right-hand side is largest at y = f'(x) / ||f'(x)||. A step therefore never lowers f, and
/// needs no step length.

#include "spca/methods/ascent/thresholded_power.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "spca/algebra/eigenpairs.h"
#include "spca/algebra/sparsify.h"
#include "spca/base/error.h"
#include "spca/methods/ascent/column_starts.h"

namespace spca {
namespace {

constexpr std::size_t kStartsAmongTies = 4;

struct Climb {
  Component z;  // not of unit length
  double objective = 0;
};

Climb climb(const Covariance& covariance, const ThresholdedPower& rule, Vector w, Budget& budget);

/// w at x = a_j / ||a_j||.
Vector start_at(const Covariance& covariance, Index j) {
  Vector w(covariance.variables());
  // X'a_j / ||a_j|| = S e_j / sqrt(S_jj).
  covariance.multiply(Component{.support = {j}, .values = Vector::Ones(1)}, w);
  w /= std::sqrt(covariance.diagonal()[j]);
  return w;
}

}  // namespace

double longest_column(const Covariance& covariance) {
  const double largest = covariance.diagonal().maxCoeff();
  // Levels are shares of this length; with zero or infinity every one of them is meaningless.
  if (!(largest > 0) || !std::isfinite(largest)) {
    throw NumericalError("no variable has a positive finite variance");
  }
  return std::sqrt(largest);
}

Vector start_at_longest_column(const Covariance& covariance) {
  longest_column(covariance);
  Index longest = 0;
  covariance.diagonal().maxCoeff(&longest);
  return start_at(covariance, longest);
}

std::vector<Index> columns_to_start_at(const Covariance& covariance, Threshold threshold,
                                       double level) {
  longest_column(covariance);
  const Support tied = variables_of_largest_variance(covariance);
  if (tied.size() == 1) {
    return tied;
  }
  const Support tried = start_variables(covariance);
  Support candidates;
  std::set_intersection(tied.begin(), tied.end(), tried.begin(), tried.end(),
                        std::back_inserter(candidates));
  std::vector<std::pair<double, Index>> objectives;
  Component z;
  Vector scratch;
  for (const Index j : candidates) {
    const Matrix column = covariance.columns({j});
    const double scale = 1 / std::sqrt(covariance.diagonal()[j]);
    objectives.emplace_back(-apply_threshold(column.col(0), scale, threshold, level, scratch, z),
                            j);
  }
  std::sort(objectives.begin(), objectives.end());
  objectives.resize(std::min(objectives.size(), kStartsAmongTies));
  std::vector<Index> best;
  for (const auto& [objective, j] : objectives) {
    best.push_back(j);
  }
  return best;
}

double apply_threshold(const Eigen::Ref<const Vector>& w, double scale, Threshold threshold,
                       double level, Vector& scratch, Component& z) {
  scratch.resize(w.size());
  z.support.clear();
  // Compares |w_i| with level / scale, so that only what is kept is scaled: most entries are cut.
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

namespace {

Climb climb(const Covariance& covariance, const ThresholdedPower& rule, Vector w, Budget& budget) {
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
    // The objective is convex in x, and so it grows from step to step; a small growth is the end.
    if (objective - previous <= rule.tolerance * objective) {
      break;
    }
  }
  return {std::move(z), objective};
}

}  // namespace

Component thresholded_power(const Covariance& covariance, const ThresholdedPower& rule, Vector w,
                            Budget& budget) {
  return normalized(climb(covariance, rule, std::move(w), budget).z);
}

Component thresholded_power(const Covariance& covariance, const ThresholdedPower& rule,
                            Budget& budget) {
  Climb best;
  for (const Index j : columns_to_start_at(covariance, rule.threshold, rule.level)) {
    if (budget.out_of_time()) {
      break;
    }
    budget.begin_loop();
    Climb found = climb(covariance, rule, start_at(covariance, j), budget);
    if (best.z.support.empty() || found.objective > best.objective) {
      best = std::move(found);
    }
  }
  return normalized(std::move(best.z));
}

Component refitted(const Covariance& covariance, const Component& component) {
  return component.support.empty() ? component
                                   : best_on_support(covariance, component.support).component;
}

}  // namespace spca
