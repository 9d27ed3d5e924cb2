/// Alternating manifold proximal gradient for sparse PCA as a regression, r components at once.
///
/// Problem  minimise over A (p x r, A'A = I) and B (p x r):
///          F = -2 Tr A'SB + Tr B'(S + lambda_2 I)B + sum_j lambda_1j ||b_j||_1, which is the
///          criterion of spca-l1
/// Step     A: D = -t_A times the gradient -2SB, projected to the tangent space of the Stiefel
///             manifold at A; A <- polar factor of A + alpha D, alpha halved from 1 until F falls
///             by alpha ||D||^2 / (2 t_A)
///          B: a proximal gradient step B <- soft threshold of B - t_B (2(S + lambda_2 I)B - 2SA)
///             at t_B lambda_1j
/// Start    A = B = the r leading eigenvectors of S
/// Stops    when a step of both lowers F by no more than `tolerance` times |F|
/// Cost     r products of S with dense and r with sparse vectors, O(p r^2), a step; never p x p
/// Source   Chen, Ma, Xue, Zou, An alternating manifold proximal gradient method for sparse
///          principal component analysis and sparse canonical correlation analysis, INFORMS Journal
///          on Optimization 2, 2020: Algorithm 2 (A-ManPG)
/// Differs  lambda_1j / 2 = penalty_j * max_i |Sa_j|_i at the start, and lambda_2 is `ridge` times
///          the largest variance, as in spca-l1. t_B = 1 / (2 lambda_max(S) + 2 lambda_2), so that
///          B needs no line search

#include <algorithm>
#include <cmath>

#include "spca/dense/dense_decompositions.h"
#include "spca/dense/dense_products.h"
#include "spca/dense/sparsify.h"
#include "spca/methods/ascent/thresholded_power.h"
#include "spca/solving/solver.h"
#include "spca/spectrum/eigenpairs.h"

namespace spca::solver_amanpg {
namespace {

struct AmanpgOptions {
  std::vector<double> penalty = {0.4};  // one for all components, or r
  double ridge = 1;
  double tolerance = kObjectiveTolerance;
  bool refit = true;

  void describe(OptionVisitor& visit) {
    visit("penalty", penalty,
          "lambda_1j relative to the value at which at most one variable of component j remains at "
          "the start; 0 keeps all variables; one for all components or one for each",
          between(0, 1));
    visit("ridge", ridge, "lambda_2 over the largest variance", at_least(0));
    visit("tolerance", tolerance, "relative decrease of F below which the iteration stops",
          at_least(0));
    visit("refit", refit,
          "replace the loadings by the leading eigenvector on their support; otherwise b / ||b||");
  }
};

// At most this number of halvings of alpha; then A stays as it is. Chosen by trial, not measured.
constexpr int kMostAlphaHalvings = 40;

Matrix products_with(const Covariance& covariance, const Matrix& v) {
  Matrix result;
  covariance.multiply_block(v, result);
  return result;
}

/// S B for a B of sparse columns.
Matrix sparse_products_with(const Covariance& covariance, const Matrix& b) {
  Matrix result(b.rows(), b.cols());
  Vector product;
  for (Index j = 0; j < b.cols(); ++j) {
    covariance.multiply(from_dense(b.col(j)), product);
    result.col(j) = product;
  }
  return result;
}

class ManifoldProximalGradient {
 public:
  ManifoldProximalGradient(const Problem& problem, const AmanpgOptions& options)
      : covariance_(problem.covariance), ridge_(options.ridge * covariance_.diagonal().maxCoeff()) {
    const Eigenpairs pairs =
        leading_eigenpairs(covariance_, problem.components, Exact::kPairs, Copies::kAny);
    a_ = pairs.vectors;
    b_ = a_;
    products_a_ = products_with(covariance_, a_);
    products_b_ = products_a_;
    const std::vector<double> penalty =
        one_for_each(options.penalty, problem.components, "/options/penalty");
    levels_.resize(problem.components);
    for (Index j = 0; j < levels_.size(); ++j) {
      levels_[j] = penalty[static_cast<std::size_t>(j)] * products_a_.col(j).cwiseAbs().maxCoeff();
    }
    step_b_ = 1 / (2 * pairs.values[0] + 2 * ridge_);
    value_ = criterion();
  }

  double value() const { return value_; }
  /// Makes one step of A and one of B. Returns the decrease of F.
  double step();
  const Matrix& b() const { return b_; }

 private:
  double criterion() const {
    return -2 * inner_product(a_, products_b_) + inner_product(b_, products_b_) +
           ridge_ * b_.squaredNorm() + 2 * b_.cwiseAbs().colwise().sum().dot(levels_);
  }
  void step_a();
  void step_b();

  const Covariance& covariance_;
  double ridge_;
  Vector levels_;  // lambda_1j / 2
  double step_b_ = 0;
  double value_ = 0;
  Matrix a_;
  Matrix b_;
  Matrix products_a_;  // S A
  Matrix products_b_;  // S B
};

void ManifoldProximalGradient::step_a() {
  const double norm = products_b_.norm();
  if (!(norm > 0)) {
    return;
  }
  // With this length the norm of D is at most 1.
  const double length = 1 / (2 * norm);
  const Matrix gradient = -2 * products_b_;
  const Matrix along = transposed_product(a_, gradient);
  const Matrix direction = -length * (gradient - matrix_product(a_, symmetric_part(along)));
  const double now = inner_product(a_, gradient);
  const double wanted = direction.squaredNorm() / (2 * length);
  double alpha = 1;
  for (int half = 0; half < kMostAlphaHalvings; ++half, alpha /= 2) {
    Matrix next = polar_factor(a_ + alpha * direction);
    if (inner_product(next, gradient) <= now - alpha * wanted) {
      a_ = std::move(next);
      products_a_ = products_with(covariance_, a_);
      return;
    }
  }
}

void ManifoldProximalGradient::step_b() {
  const Matrix moved = b_ - 2 * step_b_ * (products_b_ + ridge_ * b_ - products_a_);
  for (Index j = 0; j < b_.cols(); ++j) {
    b_.col(j) = soft_threshold(moved.col(j), 2 * step_b_ * levels_[j]);
  }
  products_b_ = sparse_products_with(covariance_, b_);
}

double ManifoldProximalGradient::step() {
  const double before = value_;
  step_a();
  step_b();
  value_ = criterion();
  return before - value_;
}

Solution solve_amanpg(const Problem& problem, const AmanpgOptions& options, Budget& budget) {
  longest_column(problem.covariance);  // throws if there is no variance
  ManifoldProximalGradient method(problem, options);
  budget.phases().finish("eigenpairs");
  while (budget.next(method.value())) {
    if (method.step() <= options.tolerance * std::abs(method.value())) {
      break;
    }
  }
  std::vector<Component> components;
  for (Index j = 0; j < method.b().cols(); ++j) {
    Component component = normalized(from_dense(method.b().col(j)));
    components.push_back(options.refit ? refitted(problem.covariance, component)
                                       : std::move(component));
  }
  Solution solution = make_solution(std::move(components), budget);
  solution.facts = {{"criterion", method.value()}};
  return solution;
}

SPCA_SOLVER("amanpg", solve_amanpg,
            (Traits{.summary = "alternating manifold proximal gradient on a sparse regression",
                    .problem = "min ||X - XBA'||_F^2 + l2 ||B||_F^2 + sum_j l1j ||b_j||_1, A'A = I",
                    .source = "Chen, Ma, Xue, Zou, INFORMS Journal on Optimization 2020",
                    .rule = SparsityRule::kPenalty,
                    .multiple_components = true,
                    // Otherwise the proximal step need not be a descent step.
                    .semidefinite = "the method needs an X with X'X = S",
                    .tuning = {.option = "penalty", .minimum = 0, .maximum = 1}}));

}  // namespace
}  // namespace spca::solver_amanpg
