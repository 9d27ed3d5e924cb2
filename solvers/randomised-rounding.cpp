/// Randomised rounding of the semidefinite relaxation for a given cardinality.
///
/// Problem  maximise v'Sv  s.t. ||v||_2 = 1, ||v||_0 <= k. With S = A'A and the price rho of a
///          variable, its relaxation is max over X of sum_i [lambda_max(X^(1/2)(a_i a_i' - rho I)
///          X^(1/2))]_+ + rho k, X positive semidefinite of trace 1
/// Step     x = X^(1/2) g / ||.||, g standard normal; the support is that of the k largest |a_i'x|,
///          and v the leading eigenvector of S on it
/// Start    x = the leading eigenvector of X
/// Stops    after `draws` vectors
/// Cost     the relaxation (cardinality_relaxation.h); O(np) a draw, O(k^3) for a new support
/// Bound    the relaxation's, which the harness repeats from its point
/// Source   d'Aspremont, Bach, El Ghaoui, Approximation bounds for sparse principal component
///          analysis, Mathematical Programming 148, 2014 (arXiv 2012), section 2; the relaxation is
///          of their Optimal solutions for sparse principal component analysis, JMLR 2008
/// Differs  the paper keeps the variables with (a_i'x)^2 > rho for a given rho; here the k largest
///          are kept. The value is minimised over rho, and maximised by ascents over the X that are
///          YY' plus a small multiple of I, Y of at most 24 columns. X^(1/2)g is drawn as Yg, which
///          has the same distribution but for the multiple of I

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_set>

#include "spca/base/random.h"
#include "spca/dense/dense_products.h"
#include "spca/dense/dense_selections.h"
#include "spca/dense/leading_eigenpair.h"
#include "spca/dense/sparsify.h"
#include "spca/methods/ascent/sphere_ascent.h"
#include "spca/methods/ascent/support_ascent.h"
#include "spca/methods/relaxations/cardinality_relaxation.h"
#include "spca/methods/relaxations/relaxation_certificate.h"
#include "spca/solving/solver.h"
#include "spca/spectrum/eigenpairs.h"
#include "spca/spectrum/remaining_variance.h"

namespace spca::solver_randomised_rounding {
namespace {

struct RoundingOptions {
  Index draws = 1000;

  void describe(OptionVisitor& visit) {
    visit("draws", draws, "number of random vectors", at_least(0));
  }
};

// The limits of effort below were chosen by trial, not measured.

// At most this number of variables: S is formed, and a step of the relaxation takes O(p^2) for each
// column of Y.
constexpr Index kMostVariablesRelaxed = 2000;
// Number of columns of Y. X has a rank of a few.
constexpr Index kColumnsOfY = 24;
// The floors of X in successive ascents, as in the search by this relaxation
// (relaxation_tree.cpp).
constexpr double kFloors[] = {1e-2, 1e-3, 1e-4};
// Expected length of the random part of each column of the first Y, beside the unit vector of the
// start in the first column.
constexpr double kLengthOfStart = 0.05;
// An ascent ends after three steps in a row that each gain no more than this share of the value.
constexpr double kGainOfAscent = 1e-6;

/// The certificate: the point of the relaxation, which bounds over the variables that vary. The
/// others add nothing to any v'Sv.
class RoundingCertificate final : public BoundCertificate {
 public:
  explicit RoundingCertificate(std::shared_ptr<const RelaxationCertificate> relaxation)
      : relaxation_(std::move(relaxation)) {}

 protected:
  double do_check(const Covariance& covariance, Index k, Budget&) const override {
    const Support variables = varying_variables(covariance);
    const bool is_bound = std::min(k, std::ssize(variables)) <= std::ssize(relaxation_->support);
    return is_bound && !variables.empty() ? relaxation_->bound(covariance.submatrix(variables))
                                          : std::numeric_limits<double>::infinity();
  }

 private:
  std::shared_ptr<const RelaxationCertificate> relaxation_;
};

struct RelaxedPoint {
  RelaxationPoint point;
  double value = 0;  // of the relaxation there, in the units of the factor
};

/// Returns a point near the maximum of the relaxation.
RelaxedPoint relaxed(const FactoredCovariance& factor, const Support& start, Random& random,
                     Budget& budget) {
  const Index n = factor.dimension();
  CardinalityRelaxation relaxation(factor.columns(all_candidates(factor.variables())), 0,
                                   std::ssize(start));
  Matrix y(n, std::min(n, kColumnsOfY));
  for (double& entry : y.reshaped()) {
    entry = kLengthOfStart * random.normal() / std::sqrt(static_cast<double>(n));
  }
  const Matrix on_start = factor.formed(start);
  y.col(0) +=
      times_vector(on_start, leading_eigenpair(transposed_product(on_start, on_start)).vector)
          .normalized();
  y /= y.norm();
  for (const double floor : kFloors) {
    budget.begin_loop();
    ascend_on_sphere([&](const Matrix& at,
                         Matrix* gradient) { return relaxation.evaluate(at, floor, gradient); },
                     {.tolerance = kGainOfAscent}, y,
                     [&](const Matrix&, double now) { return budget.next(factor.unit() * now); });
  }
  const double floor = kFloors[std::size(kFloors) - 1];
  const double value = relaxation.evaluate(y, floor, nullptr);
  return {.point = {.y = std::move(y), .floor = floor, .price = relaxation.price()},
          .value = value};
}

Solution solve_rounding(const Problem& problem, const RoundingOptions& options, Budget& budget) {
  const Covariance& covariance = problem.covariance;
  const Support variables = varying_variables(covariance);
  if (variables.empty()) {
    return skipped(kNoVariance);
  }
  const Index k = std::min(problem.cardinality[0], std::ssize(variables));
  const Matrix matrix = covariance.submatrix(variables);
  const auto in_time = [&budget] { return !budget.is_time_up(); };
  std::shared_ptr<const FactoredCovariance> factor = factor_covariance(matrix, in_time);
  const Support start = top_k(matrix.diagonal(), k);
  if (!factor) {
    budget.next();
    return make_solution({}, budget);
  }
  Random random(problem.seed);
  RelaxedPoint optimum = relaxed(*factor, start, random, budget);
  const auto point = std::make_shared<const RelaxationPoint>(std::move(optimum.point));
  const Matrix& y = point->y;
  budget.phases().finish("relaxation");
  std::unordered_set<std::string> seen;
  Component best;
  double value = -std::numeric_limits<double>::infinity();
  const auto round = [&](const Vector& x) {
    const Support support = members_at(variables, top_k(factor->products(x), k));
    std::string key;
    for (const Index i : support) {
      key += fmt::format("{} ", i);
    }
    if (seen.insert(std::move(key)).second) {
      SupportOptimum found = best_on_support(covariance, support);
      if (found.value > value) {
        value = found.value;
        best = std::move(found.component);
      }
    }
  };
  round(leading_eigenpair(product_transposed(y, y)).vector);
  budget.begin_loop();
  Vector g(y.cols());
  for (Index draw = 0; draw < options.draws && budget.next(value); ++draw) {
    for (double& entry : g) {
      entry = random.normal();
    }
    const Vector x = times_vector(y, g);
    if (x.norm() > 0) {
      round(x.normalized());
    }
  }
  if (best.support.empty()) {
    return skipped(no_positive_support(k));
  }
  Solution solution = make_solution({std::move(best)}, budget);
  solution.facts = {{"relaxation", factor->unit() * optimum.value},
                    {"supports", static_cast<double>(seen.size())}};
  auto certificate = std::make_shared<RelaxationCertificate>();
  certificate->nodes = {{.points = {point}}};
  certificate->support = start;
  solution.certificate = std::make_shared<RoundingCertificate>(std::move(certificate));
  return solution;
}

SPCA_SOLVER("randomised-rounding", solve_rounding,
            (Traits{.summary = "random vectors from the semidefinite relaxation's solution",
                    .problem = "max v'Sv  s.t. ||v|| = 1, ||v||_0 <= k",
                    .source = "d'Aspremont, Bach, El Ghaoui, Mathematical Programming 2014",
                    .seeded = true,
                    .semidefinite = "the relaxation needs an A with A'A = S",
                    .largest_p = kMostVariablesRelaxed}));

}  // namespace
}  // namespace spca::solver_randomised_rounding
