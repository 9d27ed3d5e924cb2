#include "spca/methods/ascent/bounded_direction.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "spca/dense/dense_decompositions.h"
#include "spca/dense/dense_products.h"
#include "spca/dense/dense_selections.h"
#include "spca/dense/sparsify.h"

namespace spca {
namespace {

/// Loadings below this are dropped. A w with two nonzeros may have the l1 norm 1 + 1e-8: without
/// this limit one nonzero would need a bound of 1 to the last bit.
constexpr double kNegligible = 1e-8;
/// Relative size below which a number that is zero except for rounding counts as zero.
constexpr double kNothing = 1e-13;
/// Least length of w, relative to g, at which rounding has not cancelled it: w is a difference of
/// numbers of the size of g.
constexpr double kShortest = 1e-9;
/// Relative distance from the bound at which the search for lambda ends.
constexpr double kAtTheBound = 1e-12;
/// Relative excess over the bound that rounding and the dropped loadings may leave.
constexpr double kOverTheBound = 1e-7;
/// At most this number of values of lambda. Bisection alone takes 53 for all digits.
constexpr int kLambdas = 100;
/// At most this number of steps of Newton's method, and of halvings of one of them. The function is
/// piecewise quadratic, so a few steps end it.
constexpr int kNewtonSteps = 100;
constexpr int kNewtonHalvings = 50;
/// At least this share of the decrease that the slope predicts must be reached by a step.
constexpr double kSufficient = 1e-4;

/// Returns the d of least length with (sum of q_i q_i') d = `slope`, over the rows i with u_i != 0.
Vector newton_direction(const Matrix& q, const Vector& u, const Vector& slope) {
  const Matrix active = (u.array() != 0).cast<double>().matrix().asDiagonal() * q;
  const SymmetricEigenpairs pairs = symmetric_eigenpairs(transposed_product(active, active));
  Vector along = transposed_times_vector(pairs.vectors, slope);
  const double largest = pairs.values.maxCoeff();
  for (Index i = 0; i < along.size(); ++i) {
    along[i] = pairs.values[i] > kNothing * largest ? along[i] / pairs.values[i] : 0;
  }
  return times_vector(pairs.vectors, along);
}

}  // namespace

BoundedDirections::BoundedDirections(const std::vector<Component>& earlier, Index p, double bound)
    : variables_(p), bound_(bound) {
  for (const Component& component : earlier) {
    touched_.insert(touched_.end(), component.support.begin(), component.support.end());
  }
  std::sort(touched_.begin(), touched_.end());
  touched_.erase(std::unique(touched_.begin(), touched_.end()), touched_.end());
  rows_.resize(std::ssize(touched_), std::ssize(earlier));
  for (std::size_t j = 0; j < earlier.size(); ++j) {
    rows_.col(static_cast<Index>(j)) = selected_entries(to_dense(earlier[j], p), touched_);
  }
}

/// Returns soft_threshold(g - Q mu, lambda) for the mu that minimises half its squared length, at
/// which Q'w = 0. `mu` is where the search begins, and ends.
Vector BoundedDirections::shrunk(const Vector& g, double lambda, Vector& mu) const {
  const Vector on_touched = selected_entries(g, touched_);
  const double enough = kNothing * on_touched.norm();
  const auto at = [&](const Vector& point) {
    return soft_threshold(on_touched - times_vector(rows_, point), lambda);
  };
  Vector u = at(mu);
  for (int step = 0; step < kNewtonSteps; ++step) {
    const Vector slope = transposed_times_vector(rows_, u);
    if (slope.norm() <= enough) {
      break;
    }
    const Vector direction = newton_direction(rows_, u, slope);
    const double value = u.squaredNorm() / 2;
    const double promised = slope.dot(direction);
    double length = 1;
    Vector next = at(mu + direction);
    for (int half = 0;
         half < kNewtonHalvings && next.squaredNorm() / 2 > value - kSufficient * length * promised;
         ++half) {
      length /= 2;
      next = at(mu + length * direction);
    }
    if (!(next.squaredNorm() / 2 < value)) {
      break;  // at the minimum, to rounding
    }
    mu += length * direction;
    u = std::move(next);
  }
  Vector w = soft_threshold(g, lambda);
  set_entries(w, touched_, u);
  return w;
}

/// Returns the lambda at which ||w||_1 = bound ||w||_2, if the signs and nonzeros of `w` are those
/// at that lambda; NaN if there is none. With Q, g and w restricted to the nonzeros and P the
/// projection on the columns of Q, w is a - lambda b, a = (I - P) g, b = (I - P) sign(w), and
/// ||w||_1 = b'w: a quadratic equation.
double BoundedDirections::proposed(const Vector& g, const Vector& w) const {
  const Component active = from_dense(w);
  const Matrix span = span_on(active.support);
  const Vector a = outside_of_span(span, selected_entries(g, active.support));
  const Vector b = outside_of_span(span, active.values.cwiseSign());
  const double squared = b.squaredNorm();
  const double middle = a.dot(b) / squared;
  const double rest = std::max(0.0, (a - middle * b).squaredNorm());
  return squared > bound_ * bound_
             ? middle - bound_ * std::sqrt(rest / (squared * (squared - bound_ * bound_)))
             : std::numeric_limits<double>::quiet_NaN();
}

Matrix BoundedDirections::span_on(const Support& support) const {
  Matrix restricted = Matrix::Zero(std::ssize(support), rows_.cols());
  auto touched = touched_.begin();
  for (std::size_t i = 0; i < support.size(); ++i) {
    touched = std::lower_bound(touched, touched_.end(), support[i]);
    if (touched != touched_.end() && *touched == support[i]) {
      restricted.row(static_cast<Index>(i)) = rows_.row(touched - touched_.begin());
    }
  }
  if (restricted.size() == 0 || !(largest_magnitude(restricted) > 0)) {
    return Matrix(restricted.rows(), 0);
  }
  return orthonormal_basis(restricted, kNothing);
}

Component BoundedDirections::projected(const Component& component) const {
  const Matrix span = span_on(component.support);
  Component result = component;
  // Twice, because the first projection may cancel most digits.
  for (int time = 0; time < 2 && span.cols() > 0; ++time) {
    const double before = result.values.norm();
    subtract_projection(result.values, span);
    if (!(result.values.norm() > kNegligible * before)) {
      return {};
    }
  }
  return normalized(restrict_to(to_dense(result, variables_), result.support));
}

Component BoundedDirections::untouched(const Vector& g) const {
  Vector rest = g;
  set_entries(rest, touched_, Vector::Zero(std::ssize(touched_)));
  return normalized(from_dense(hard_threshold(unit_within_l1_ball(rest, bound_), kNegligible)));
}

Component BoundedDirections::best(const Vector& g) const {
  if (touched_.empty() || !(g.cwiseAbs().maxCoeff() > 0)) {
    return untouched(g);
  }
  const double scale = g.norm();
  const Vector unit = g / scale;
  Vector mu = transposed_times_vector(rows_, selected_entries(unit, touched_));
  Vector within;  // the w of the least lambda that is within the bound
  double low = 0;
  double high = unit.cwiseAbs().maxCoeff();
  high += selected_entries(unit, touched_).norm();  // |Q mu|_i is no larger
  double lambda = 0;
  for (int tried = 0; tried < kLambdas; ++tried) {
    Vector w = shrunk(unit, lambda, mu);
    const double length = w.norm();
    const bool is_zero = !(length > kShortest);
    const double excess = is_zero ? -1 : w.lpNorm<1>() / length - bound_;
    const double next = is_zero || !(excess > 0) ? low : proposed(unit, w);
    if (excess <= kAtTheBound * bound_ && !is_zero) {
      within = w / length;
      if (lambda == 0 || excess >= -kAtTheBound * bound_) {
        break;
      }
    }
    (excess > 0 ? low : high) = lambda;
    lambda = next > low && next < high ? next : (low + high) / 2;
    if (!(lambda > low && lambda < high)) {
      break;
    }
  }
  Component found;
  if (within.size() > 0) {
    found = projected(from_dense(hard_threshold(within, kNegligible)));
  }
  if (found.values.lpNorm<1>() > bound_ * (1 + kOverTheBound)) {
    found = {};  // its digits were lost
  }
  return found.support.empty() ? untouched(g) : found;
}

}  // namespace spca
