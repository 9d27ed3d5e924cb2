#include "spca/methods/ascent/constrained_em.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "spca/base/random.h"
#include "spca/dense/dense_decompositions.h"
#include "spca/dense/dense_products.h"
#include "spca/dense/sparsify.h"
#include "spca/spectrum/eigenpairs.h"

namespace spca {
namespace {

// The limits of effort below were chosen by trial, not measured.

// At most this number of steps: soft thresholds may make an iteration oscillate.
constexpr Index kMostEmSteps = 1000;
// At most this number of gradient steps in an M-step, and of halvings of a step's length.
constexpr int kGradientSteps = 20;
constexpr int kGradientHalvings = 40;
// The part of a unit vector outside a span counts as rounding below this, and so does an eigenvalue
// of W'W.
constexpr double kSmallestOutside = 1e-8;
// A variance below this share of Tr S counts as rounding.
constexpr double kRoundingOfVariance = 1e-12;

/// Soft-thresholds at the (k + 1)-th largest entry. If ties cut everything, the k largest are kept.
void threshold_to(Vector& w, Index k) {
  if (k >= w.size()) {
    return;
  }
  const Support kept = top_k(w, k);
  Vector others = w;
  others(kept).setZero();
  const double level = others.cwiseAbs().maxCoeff();
  Vector result = Vector::Zero(w.size());
  for (const Index i : kept) {
    result[i] = std::copysign(std::max(std::abs(w[i]) - level, 0.0), w[i]);
  }
  if (!(result.cwiseAbs().maxCoeff() > 0)) {
    result(kept) = w(kept);
  }
  w = std::move(result);
}

/// S w, for a w with possibly few nonzeros.
Vector product(const Covariance& covariance, const Vector& w) {
  Vector result;
  covariance.multiply(from_dense(w), result);
  return result;
}

class ConstrainedEm {
 public:
  ConstrainedEm(const Problem& problem, const ConstrainedEmRule& rule, Budget& budget)
      : problem_(problem),
        covariance_(problem.covariance),
        rule_(rule),
        budget_(budget),
        random_(problem.seed) {}

  std::vector<Component> one_after_the_other();
  std::vector<Component> all_at_once();

 private:
  /// Returns w with zeros for variables without variance, whose entries are only rounding, and for
  /// negative entries if the components must be nonnegative.
  Vector constrained(const Vector& w) const {
    const Vector varying = (covariance_.diagonal().array() > 0).select(w, 0.0);
    return rule_.nonnegative ? Vector(varying.cwiseMax(0.0)) : varying;
  }
  Matrix random_start(Index r);
  template <class W, class Start, class Iterate>
  W best_of_restarts(const Start& start, const Iterate& iterate);
  double iterate_one(Vector& w, const Matrix& basis, Index k, const Vector* mask);
  Matrix descended(Matrix w, const Matrix& a, const Matrix& b, const Matrix* mask) const;
  double iterate_all(Matrix& w, const Matrix* mask);
  double gamma() const { return rule_.orthogonality * covariance_.total_variance(); }

  const Problem& problem_;
  const Covariance& covariance_;
  const ConstrainedEmRule& rule_;
  Budget& budget_;
  Random random_;
};

Matrix ConstrainedEm::random_start(Index r) {
  Matrix start(covariance_.variables(), r);
  for (double& entry : start.reshaped()) {
    entry = rule_.nonnegative ? std::abs(random_.normal()) : random_.normal();
  }
  return start.colwise().normalized();
}

/// Iterates from several starts, each with thresholds and then on the support that they leave, and
/// returns the w of largest objective. `start()` returns a w; `iterate(w, mask)` changes w and
/// returns the objective.
template <class W, class Start, class Iterate>
W ConstrainedEm::best_of_restarts(const Start& start, const Iterate& iterate) {
  W best;
  double value = -std::numeric_limits<double>::infinity();
  for (Index restart = 0; restart < rule_.restarts && (restart == 0 || !budget_.out_of_time());
       ++restart) {
    budget_.begin_loop();
    W w = start();
    iterate(w, nullptr);
    const W mask = (w.array() != 0).template cast<double>();
    budget_.begin_loop();
    const double found = iterate(w, &mask);
    if (found > value || best.size() == 0) {
      value = found;
      best = std::move(w);
    }
  }
  return best;
}

/// Iterates one component: with thresholds, or on the support of `mask` if that is not null.
/// Returns the objective. Sets w to 0 if the constraints leave no entry of S_Q w.
double ConstrainedEm::iterate_one(Vector& w, const Matrix& basis, Index k, const Vector* mask) {
  double objective = 0;
  for (Index step = 0; step < kMostEmSteps && budget_.next(objective); ++step) {
    const Vector outside = outside_of_span(basis, w);
    Vector next = product(covariance_, outside);
    subtract_projection(next, basis);
    const double before = objective;
    objective = outside.dot(next);
    next = constrained(next);
    if (mask == nullptr) {
      threshold_to(next, k);
    } else {
      next = next.cwiseProduct(*mask).eval();
    }
    const double norm = next.norm();
    if (!(norm > 0)) {
      w.setZero();
      break;
    }
    w = next / norm;
    if (std::abs(objective - before) <= rule_.tolerance * std::abs(objective)) {
      break;
    }
  }
  return objective;
}

std::vector<Component> ConstrainedEm::one_after_the_other() {
  Matrix basis(covariance_.variables(), 0);
  std::vector<Component> components;
  for (const Index k : problem_.cardinality) {
    const auto best = best_of_restarts<Vector>(
        [&] { return Vector(random_start(1).col(0)); },
        [&](Vector& w, const Vector* mask) {
          const double objective = iterate_one(w, basis, k, mask);
          if (mask == nullptr && (w.array() != 0).count() > k) {  // no step was taken
            w = constrained(w);
            threshold_to(w, k);
          }
          return objective;
        });
    const Vector outside = outside_of_span(basis, best);
    const bool has_variance = covariance_.quadratic_form(from_dense(outside)) >
                              kRoundingOfVariance * covariance_.total_variance();
    Component component = has_variance ? normalized(from_dense(best)) : Component{};
    if (!rule_.nonnegative && problem_.cardinality.size() == 1 && !component.support.empty()) {
      component = best_on_support(covariance_, component.support).component;
    }
    components.push_back(std::move(component));
    if (outside.norm() > kSmallestOutside) {
      basis.conservativeResize(Eigen::NoChange, basis.cols() + 1);
      basis.col(basis.cols() - 1) = outside.normalized();
    }
  }
  return components;
}

/// Lowers Tr(W A W') - 2 Tr(W'B) + gamma ||W'W - I||^2 by projected gradient steps.
Matrix ConstrainedEm::descended(Matrix w, const Matrix& a, const Matrix& b,
                                const Matrix* mask) const {
  const Index r = w.cols();
  const double weight = gamma();
  const Matrix identity = Matrix::Identity(r, r);
  const auto value = [&](const Matrix& at) {
    const Matrix gram = transposed_product(at, at);
    return inner_product(gram, a) - 2 * inner_product(at, b) +
           weight * (gram - identity).squaredNorm();
  };
  double current = value(w);
  double length = 1 / (2 * a.norm() + 8 * weight + std::numeric_limits<double>::min());
  for (int step = 0; step < kGradientSteps; ++step) {
    const Matrix gradient = 2 * (matrix_product(w, a) - b) +
                            4 * weight * matrix_product(w, transposed_product(w, w) - identity);
    bool has_fallen = false;
    for (int half = 0; half < kGradientHalvings && !has_fallen; ++half) {
      Matrix next = w - length * gradient;
      for (Index j = 0; j < r; ++j) {
        next.col(j) = constrained(next.col(j));
        if (mask != nullptr) {
          next.col(j) = next.col(j).cwiseProduct(mask->col(j)).eval();
        }
      }
      const double found = value(next);
      has_fallen = found < current;
      if (has_fallen) {
        w = std::move(next);
        current = found;
        length *= 2;
      } else {
        length /= 2;
      }
    }
    if (!has_fallen) {
      break;
    }
  }
  return w;
}

/// Iterates all components: with thresholds, or on the supports of `mask` if that is not null.
/// Returns Tr S less the objective of constrained_em.h; -infinity if components coincide.
double ConstrainedEm::iterate_all(Matrix& w, const Matrix* mask) {
  const Index r = w.cols();
  double objective = -std::numeric_limits<double>::infinity();
  for (Index step = 0; step < kMostEmSteps; ++step) {
    const Matrix gram = transposed_product(w, w);
    const SymmetricEigenpairs pairs = symmetric_eigenpairs(gram);
    if (!(pairs.values[0] > kSmallestOutside)) {
      return -std::numeric_limits<double>::infinity();  // two components coincide
    }
    const Matrix inverse = product_transposed(
        scaled_columns(pairs.vectors, pairs.values.cwiseInverse()), pairs.vectors);
    Matrix products(w.rows(), r);
    for (Index j = 0; j < r; ++j) {
      products.col(j) = product(covariance_, w.col(j));
    }
    const Matrix b = matrix_product(products, inverse);  // X'Z
    const Matrix a =
        matrix_product(matrix_product(inverse, transposed_product(w, products)), inverse);  // Z'Z
    const double before = objective;
    objective = inner_product(w, b) - gamma() * (gram - Matrix::Identity(r, r)).squaredNorm();
    if (std::abs(objective - before) <= rule_.tolerance * std::abs(objective) ||
        !budget_.next(objective)) {
      break;
    }
    Matrix next = descended(w, a, b, mask);
    for (Index j = 0; j < r; ++j) {
      Vector column = next.col(j);
      if (mask == nullptr) {
        threshold_to(column, problem_.cardinality[static_cast<std::size_t>(j)]);
      }
      const double norm = column.norm();
      if (norm > 0) {
        w.col(j) = column / norm;
      }
    }
  }
  return objective;
}

std::vector<Component> ConstrainedEm::all_at_once() {
  const auto r = std::ssize(problem_.cardinality);
  const auto start = [&] {
    Matrix w = random_start(r);
    for (Index j = 0; j < r; ++j) {
      Vector column = constrained(w.col(j));
      threshold_to(column, problem_.cardinality[static_cast<std::size_t>(j)]);
      w.col(j) = column.normalized();
    }
    return w;
  };
  const auto best = best_of_restarts<Matrix>(
      start, [&](Matrix& w, const Matrix* mask) { return iterate_all(w, mask); });
  std::vector<Component> components;
  for (Index j = 0; j < r; ++j) {
    components.push_back(normalized(from_dense(best.col(j))));
  }
  return components;
}

}  // namespace

std::vector<Component> em_one_after_the_other(const Problem& problem, const ConstrainedEmRule& rule,
                                              Budget& budget) {
  return ConstrainedEm(problem, rule, budget).one_after_the_other();
}

std::vector<Component> em_all_at_once(const Problem& problem, const ConstrainedEmRule& rule,
                                      Budget& budget) {
  return ConstrainedEm(problem, rule, budget).all_at_once();
}

}  // namespace spca
