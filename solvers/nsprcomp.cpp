/// Nonnegative and cumulative variants of expectation maximisation for sparse PCA.
///
/// Problem  one after the other: maximise w'S_Q w s.t. ||w||_2 = 1, ||w||_0 <= k, w >= 0 if
///            `nonnegative`; S_Q = (I - QQ') S (I - QQ'), Q a basis of the components before
///          `cumulative`: all r at once, minimise ||X - Z W'||_F^2 + gamma ||W'W - I||_F^2 over W,
///            Z = X W (W'W)^-1, gamma = `orthogonality` * Tr S; column j has k_j nonzeros
/// Step     E: the scores, of which only products with S are needed. M: w = S_Q w, or W by
///          projected gradient steps. Negative entries become zero if `nonnegative`. Each column is
///          soft-thresholded at its (k + 1)-th largest entry and made unit. At the end the
///          iteration is repeated without a threshold, on the support found
/// Start    standard normal vectors, their absolute values if `nonnegative`; `restarts` of them, of
///          which the best is kept
/// Stops    if the objective changes by at most `tolerance` of itself, or after kMostSteps
/// Cost     a product of S with a k-sparse vector for each component and step
/// Source   Sigg, Buhmann, Expectation-maximization for sparse and non-negative PCA, ICML 2008;
///          their R package nsprcomp defines the variants nsprcomp (generalised deflation of Mackey
///          2008) and nscumcomp (cumulative)
/// Differs  nscumcomp bounds the nonzeros of all components together; here each has its own k_j. It
///          calls L-BFGS-B for W; here projected gradient steps descend. Without sign constraints
///          the loadings of a single component end as the leading eigenvector on their support

#include <algorithm>
#include <cmath>
#include <limits>

#include "spca/base/random.h"
#include "spca/dense/dense_decompositions.h"
#include "spca/dense/dense_products.h"
#include "spca/dense/sparsify.h"
#include "spca/solving/solver.h"
#include "spca/spectrum/eigenpairs.h"

namespace spca::solver_nsprcomp {
namespace {

struct NsprcompOptions {
  bool nonnegative = false;
  bool cumulative = false;
  double orthogonality = 1;
  Index restarts = 10;
  double tolerance = 1e-8;

  void describe(OptionVisitor& visit) {
    visit("nonnegative", nonnegative, "no loading is below zero");
    visit("cumulative", cumulative, "all components at once; otherwise one after the other");
    visit("orthogonality", orthogonality,
          "gamma relative to the total variance; without it cumulative components may coincide",
          at_least(0));
    visit("restarts", restarts, "number of random starts, of which the best result is kept",
          at_least(1));
    visit("tolerance", tolerance, "relative change of the objective that ends an iteration",
          at_least(0));
  }
};

// At most this number of steps: soft thresholds may make an iteration oscillate.
constexpr Index kMostSteps = 1000;
// Number of gradient steps of an M-step, and of halvings of a step that does not descend.
constexpr int kGradientSteps = 20;
constexpr int kHalvings = 40;
// A component of a unit vector outside of a span counts as rounding below this.
constexpr double kSmallestOutside = 1e-8;

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

Matrix random_start(Index p, Index r, bool nonnegative, Random& random) {
  Matrix start(p, r);
  for (double& entry : start.reshaped()) {
    entry = nonnegative ? std::abs(random.normal()) : random.normal();
  }
  return start.colwise().normalized();
}

/// S w, for a w with possibly few nonzeros.
Vector product(const Covariance& covariance, const Vector& w) {
  Vector result;
  covariance.multiply(from_dense(w), result);
  return result;
}

class Expectation {
 public:
  Expectation(const Problem& problem, const NsprcompOptions& options, Budget& budget)
      : covariance_(problem.covariance),
        cardinality_(problem.cardinality),
        options_(options),
        budget_(budget),
        random_(problem.seed) {}

  std::vector<Component> one_after_the_other();
  std::vector<Component> all_at_once();

 private:
  void constrain(Vector& w, const Vector* mask) const {
    // A variable without variance has at most rounding.
    w = (covariance_.diagonal().array() > 0).select(w, 0.0);
    if (options_.nonnegative) {
      w = w.cwiseMax(0.0);
    }
    if (mask != nullptr) {
      w = w.cwiseProduct(*mask);
    }
  }
  /// Iterates one component; with a mask on its support, without a threshold. Returns the
  /// objective, and w = 0 if everything is cut.
  double iterate(Vector& w, const Matrix& basis, Index k, const Vector* mask);
  Matrix descended(Matrix w, const Matrix& a, const Matrix& b, const Matrix* mask) const;
  double iterate_all(Matrix& w, const Matrix* mask);
  double gamma() const { return options_.orthogonality * covariance_.total_variance(); }

  const Covariance& covariance_;
  const std::vector<Index>& cardinality_;
  const NsprcompOptions& options_;
  Budget& budget_;
  Random random_;
};

double Expectation::iterate(Vector& w, const Matrix& basis, Index k, const Vector* mask) {
  double objective = 0;
  for (Index step = 0; step < kMostSteps && budget_.next(objective); ++step) {
    const Vector outside = outside_of_span(basis, w);
    Vector next = product(covariance_, outside);
    subtract_projection(next, basis);
    const double before = objective;
    objective = outside.dot(next);
    constrain(next, mask);
    if (mask == nullptr) {
      threshold_to(next, k);
    }
    const double norm = next.norm();
    if (!(norm > 0)) {
      break;  // all loadings would be negative, or no variance is left
    }
    w = next / norm;
    if (std::abs(objective - before) <= options_.tolerance * std::abs(objective)) {
      break;
    }
  }
  return objective;
}

std::vector<Component> Expectation::one_after_the_other() {
  const Index p = covariance_.variables();
  Matrix basis(p, 0);
  std::vector<Component> components;
  for (const Index k : cardinality_) {
    Vector best;
    double value = -std::numeric_limits<double>::infinity();
    for (Index restart = 0; restart < options_.restarts; ++restart) {
      if (restart > 0 && budget_.out_of_time()) {
        break;
      }
      budget_.begin_loop();
      Vector w = random_start(p, 1, options_.nonnegative, random_).col(0);
      iterate(w, basis, k, nullptr);
      if ((w.array() != 0).count() > k) {
        constrain(w, nullptr);  // no step was taken
        threshold_to(w, k);
      }
      const Vector mask = (w.array() != 0).cast<double>();
      budget_.begin_loop();
      const double found = iterate(w, basis, k, &mask);
      if (found > value || best.size() == 0) {
        value = found;
        best = std::move(w);
      }
    }
    Component component = normalized(from_dense(best));
    if (!options_.nonnegative && cardinality_.size() == 1 && !component.support.empty()) {
      component = best_on_support(covariance_, component.support).component;
    }
    components.push_back(std::move(component));
    const Vector outside = outside_of_span(basis, best);
    if (outside.norm() > kSmallestOutside) {
      basis.conservativeResize(Eigen::NoChange, basis.cols() + 1);
      basis.col(basis.cols() - 1) = outside.normalized();
    }
  }
  return components;
}

/// Lowers Tr(W A W') - 2 Tr(W'B) + gamma ||W'W - I||^2 by projected gradient steps.
Matrix Expectation::descended(Matrix w, const Matrix& a, const Matrix& b,
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
    for (int half = 0; half < kHalvings && !has_fallen; ++half) {
      Matrix next = w - length * gradient;
      for (Index j = 0; j < r; ++j) {
        Vector column = next.col(j);
        const Vector allowed = mask != nullptr ? Vector(mask->col(j)) : Vector();
        constrain(column, mask != nullptr ? &allowed : nullptr);
        next.col(j) = column;
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

/// Returns the objective less Tr S; infinity if components coincide.
double Expectation::iterate_all(Matrix& w, const Matrix* mask) {
  const Index r = w.cols();
  double objective = std::numeric_limits<double>::infinity();
  for (Index step = 0; step < kMostSteps; ++step) {
    const Matrix gram = transposed_product(w, w);
    const SymmetricEigenpairs pairs = symmetric_eigenpairs(gram);
    if (!(pairs.values[0] > kSmallestOutside)) {
      return std::numeric_limits<double>::infinity();  // two components coincide
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
    objective = -inner_product(w, b) + gamma() * (gram - Matrix::Identity(r, r)).squaredNorm();
    if (std::abs(objective - before) <= options_.tolerance * std::abs(objective) ||
        !budget_.next(-objective)) {
      break;
    }
    Matrix next = descended(w, a, b, mask);
    for (Index j = 0; j < r; ++j) {
      Vector column = next.col(j);
      if (mask == nullptr) {
        threshold_to(column, cardinality_[static_cast<std::size_t>(j)]);
      }
      const double norm = column.norm();
      if (norm > 0) {
        w.col(j) = column / norm;
      }
    }
  }
  return objective;
}

std::vector<Component> Expectation::all_at_once() {
  const Index p = covariance_.variables();
  const auto r = static_cast<Index>(cardinality_.size());
  Matrix best;
  double least = std::numeric_limits<double>::infinity();
  for (Index restart = 0; restart < options_.restarts; ++restart) {
    if (restart > 0 && budget_.out_of_time()) {
      break;
    }
    budget_.begin_loop();
    Matrix w = random_start(p, r, options_.nonnegative, random_);
    for (Index j = 0; j < r; ++j) {
      Vector column = w.col(j);
      constrain(column, nullptr);
      threshold_to(column, cardinality_[static_cast<std::size_t>(j)]);
      w.col(j) = column.normalized();
    }
    iterate_all(w, nullptr);
    const Matrix mask = (w.array() != 0).cast<double>();
    budget_.begin_loop();
    const double found = iterate_all(w, &mask);
    if (best.size() == 0 || found < least) {
      least = found;
      best = std::move(w);
    }
  }
  std::vector<Component> components;
  for (Index j = 0; j < r; ++j) {
    components.push_back(normalized(from_dense(best.col(j))));
  }
  return components;
}

Solution solve_nsprcomp(const Problem& problem, const NsprcompOptions& options, Budget& budget) {
  if (!(problem.covariance.diagonal().maxCoeff() > 0)) {
    return skipped("no variable with positive variance is left");
  }
  Expectation expectation(problem, options, budget);
  // The cumulative variant needs several components.
  std::vector<Component> components = options.cumulative && problem.components > 1
                                          ? expectation.all_at_once()
                                          : expectation.one_after_the_other();
  for (std::size_t j = 0; j < components.size(); ++j) {
    if (components[j].support.empty()) {
      return skipped(fmt::format("component {}: no variance is left for it", j + 1));
    }
  }
  return make_solution(std::move(components), budget);
}

SPCA_SOLVER("nsprcomp", solve_nsprcomp,
            (Traits{.summary = "expectation maximisation, nonnegative or cumulative",
                    .problem = "max w'Sw s.t. ||w|| = 1, ||w||_0 <= k (, w >= 0)",
                    .source = "Sigg, Buhmann, ICML 2008",
                    .multiple_components = true,
                    .seeded = true}));

}  // namespace
}  // namespace spca::solver_nsprcomp
