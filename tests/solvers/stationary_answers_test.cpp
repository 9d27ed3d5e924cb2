/// Checks conditions that answers of scotlass, dc-pca and varimax-threshold must satisfy, without
/// any function of these solvers, on the matrices of tests/properties/hunted_matrix.h: repeated
/// eigenvalues, ties, variables without variance, S that is indefinite to its tolerance, S that
/// Hotelling's deflation made indefinite, dense and sparse data.

#include <cmath>

#include "spca/covariance/covariance_explicit.h"
#include "spca/covariance/covariance_sparse.h"
#include "spca/covariance/deflation.h"
#include "spca/solving/feasibility.h"
#include "spca/spectrum/eigenpairs.h"
#include "spca/spectrum/remaining_variance.h"
#include "tests/properties/hunted_matrix.h"
#include "tests/solver_testing.h"

namespace spca::stationary_answers_test {
namespace {

using CovariancePointer = std::shared_ptr<const Covariance>;

// The accuracy that bounded_direction.h states.
constexpr double kOverTheBound = 1e-7;
// Relative to the largest variance. A golden section search finds the least value to rounding, but
// its place, and so the length there, only to about the square root of rounding.
constexpr double kOfTheDual = 1e-6;
// Rounding of an objective whose terms are of the size of the largest variance.
constexpr double kOfTheObjective = 1e-12;
// Error of rotated columns, whose eigenvectors are orthonormal to 1e-13.
constexpr double kOfARotation = 1e-10;
// Error of a condition if the iteration stops when v'Sv grows by kTightTolerance: about the square
// root of that.
constexpr double kOfTheCondition = 1e-5;

struct Case {
  std::string name;
  CovariancePointer covariance;
  bool is_deflated = false;
};

/// S of a hunted matrix; data are stored dense, or sparse if `sparse`.
CovariancePointer stored(const properties::HuntedMatrix& matrix, bool sparse) {
  if (!matrix.is_data()) {
    return make_explicit_covariance(matrix.covariance);
  }
  const DataForm form{.centered = matrix.centered, .scale = scale_from_name(matrix.scale)};
  return sparse ? make_covariance(SparseRows(matrix.data.sparseView()), form)
                : make_covariance(Matrix(matrix.data), form);
}

/// Returns each kind of matrix for a few p, and its S after Hotelling's deflation with the best
/// component on the (p + 1) / 2 variables of largest variance, which may make S indefinite.
std::vector<Case> cases() {
  std::vector<Case> all;
  Random random(29);
  for (const std::string& kind : properties::kinds_of_matrices()) {
    for (const Index p : {2, 3, 5, 7}) {
      const properties::HuntedMatrix matrix = properties::draw_matrix(kind, p, random);
      const CovariancePointer s = stored(matrix, p % 2 == 0);
      all.push_back({fmt::format("{}, p = {}", kind, p), s});
      const Support top = top_k(s->diagonal(), (p + 1) / 2);
      const CovariancePointer deflated = DeflationRegistry::instance()
                                             .get("hotelling", "")
                                             .deflate(s, best_on_support(*s, top).component);
      if (has_variance(*deflated)) {
        all.push_back({fmt::format("{}, p = {}, deflated", kind, p), deflated, true});
      }
    }
  }
  return all;
}

/// Returns the least value of a convex function on [low, high], and where it is.
template <class Function>
std::pair<double, double> least(double low, double high, Function function) {
  constexpr int kSteps = 70;  // a bracket of 0.618^70 = 2e-15 of the range
  const double golden = (std::sqrt(5.0) - 1) / 2;
  double a = high - golden * (high - low);
  double b = low + golden * (high - low);
  double at_a = function(a);
  double at_b = function(b);
  for (int step = 0; step < kSteps; ++step) {
    if (at_a <= at_b) {
      high = b;
      b = a;
      at_b = at_a;
      a = high - golden * (high - low);
      at_a = function(a);
    } else {
      low = a;
      a = b;
      at_a = at_b;
      b = low + golden * (high - low);
      at_b = function(b);
    }
  }
  return at_a <= at_b ? std::pair{at_a, a} : std::pair{at_b, b};
}

/// Returns the length of a with all entries shrunk by lambda. The least value of this plus lambda t
/// over lambda >= 0 is the maximum of a'w over ||w||_2 <= 1, ||w||_1 <= t.
double shrunk_length(const Vector& a, double lambda) {
  return (a.array().abs() - lambda).max(0.0).matrix().norm();
}

/// An upper bound on g'w over ||w||_2 <= 1, ||w||_1 <= t, q'w = 0 by Lagrange's dual, and the
/// length of g - mu q shrunk by lambda at the best mu and lambda. If the length is zero, the best w
/// is shorter than 1.
struct DualBound {
  double value = 0;
  double length = 0;
};
DualBound dual_bound(const Vector& g, const Vector& q, double t) {
  const double range = 4 * g.norm();
  const auto over_lambda = [&](double mu) {
    const Vector a = g - mu * q;
    return least(0, a.cwiseAbs().maxCoeff(),
                 [&](double lambda) { return shrunk_length(a, lambda) + lambda * t; });
  };
  const auto [value, mu] =
      q.norm() > 0 ? least(-range, range, [&](double x) { return over_lambda(x).first; })
                   : std::pair{over_lambda(0).first, 0.0};
  return {.value = value, .length = shrunk_length(g - mu * q, over_lambda(mu).second)};
}

TEST(Scotlass, NoVectorWithinTheConstraintsHasALargerProduct) {
  int certified = 0;
  int short_of_length = 0;
  for (const Case& c : cases()) {
    const Index p = c.covariance->variables();
    const double unit = c.covariance->largest_variances().maxCoeff();
    const double shift = c.covariance->semidefinite_shift();
    for (const double fraction : {0.0, 0.3, 0.7, 1.0}) {
      SCOPED_TRACE(fmt::format("{}, bound = {}", c.name, fraction));
      const std::vector<Component> found = trial::loadings(
          "scotlass", *c.covariance,
          {{"bound", fraction}, {"tolerance", trial::kTightTolerance}, {"refit", false}}, 2);
      const double t = 1 + fraction * (std::sqrt(static_cast<double>(p)) - 1);
      Vector q = Vector::Zero(p);
      for (const Component& component : found) {
        if (component.support.empty()) {
          continue;
        }
        const Vector v = to_dense(component, p);
        EXPECT_NEAR(v.norm(), 1, 1e-12);
        EXPECT_LE(v.lpNorm<1>(), t * (1 + kOverTheBound));
        EXPECT_NEAR(v.dot(q), 0, 1e-12);
        Vector g;
        c.covariance->multiply(component, g);
        g += shift * v;
        const DualBound bound = dual_bound(g, q, t);
        if (v.dot(g) >= bound.value - kOfTheDual * unit) {
          ++certified;
        } else {
          EXPECT_LE(bound.length, kOfTheDual * unit) << v.dot(g) << " < " << bound.value;
          ++short_of_length;
        }
        q = v;
      }
    }
  }
  EXPECT_GE(certified, 1000);
  EXPECT_LE(short_of_length, certified / 4);
}

TEST(DcPca, EveryLoadingMeetsTheConditionOfItsPenalty) {
  constexpr double kEpsilon = 1e-3;  // the solver's default
  int sparse = 0;
  for (const Case& c : cases()) {
    const Index p = c.covariance->variables();
    const double unit = c.covariance->largest_variances().maxCoeff();
    const double shift = c.covariance->semidefinite_shift();
    for (const double penalty : {0.0, 0.05, 0.3, 0.8}) {
      SCOPED_TRACE(fmt::format("{}, penalty = {}", c.name, penalty));
      Budget budget({.trace = true});
      const Solution solution = trial::run(
          "dc-pca", *c.covariance,
          {{"penalty", penalty}, {"tolerance", trial::kTightTolerance}, {"refit", false}}, 1,
          budget);
      if (solution.status == Status::kSkipped) {
        continue;
      }
      for (std::size_t i = 1; i < budget.trace().size(); ++i) {
        const double before = budget.trace()[i - 1].objective;
        EXPECT_GE(budget.trace()[i].objective,
                  before - kOfTheObjective * std::max(unit, std::abs(before)));
      }
      if (solution.components.at(0).support.empty()) {
        continue;
      }
      const Component& component = solution.components[0];
      const Vector v = to_dense(component, p);
      Vector g;
      c.covariance->multiply(component, g);
      g += shift * v;
      // On the support, g less the slopes of the penalty is a positive multiple of v.
      const double half_rho = trial::fact(solution, "rho") / std::log1p(1 / kEpsilon) / 2;
      const Vector slopes = half_rho * (v.array().abs() + kEpsilon).inverse().matrix();
      Vector rest = Vector::Zero(p);
      for (const Index i : component.support) {
        rest[i] = g[i] - std::copysign(slopes[i], v[i]);
      }
      EXPECT_LT((rest - rest.norm() * v).norm(), kOfTheCondition * unit);
      for (Index i = 0; i < p; ++i) {
        EXPECT_TRUE(v[i] != 0 || std::abs(g[i]) <= slopes[i] + kOfTheCondition * unit);
      }
      sparse += component.cardinality() < p ? 1 : 0;
    }
  }
  EXPECT_GE(sparse, 300);
}

double varimax_criterion(const Matrix& b) {
  const Matrix squares = b.cwiseAbs2();
  return squares.squaredNorm() -
         squares.colwise().sum().squaredNorm() / static_cast<double>(b.rows());
}

/// With all variables kept and eigenvectors of unit length, the answer is the rotated B.
TEST(VarimaxThreshold, RotatesUntilNoPlaneHasABetterAngle) {
  constexpr Index kMostSweeps = 2000;
  constexpr int kAngles = 50;
  int rotated = 0;
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    const Index p = c.covariance->variables();
    for (const Index r : {Index{2}, std::min(p, Index{4}), p}) {
      for (const char* scale : {"unit", "deviation", "inverse-deviation"}) {
        Budget budget({.iterations = kMostSweeps});
        const SolverEntry& entry = SolverRegistry::instance().get("varimax-threshold", "solver");
        const Problem problem{.covariance = *c.covariance,
                              .components = r,
                              .cardinality = std::vector<Index>(static_cast<std::size_t>(r), p)};
        const Json options = {{"rank", r}, {"scale", scale}, {"refit", false}};
        const Solution solution =
            entry.solve(problem, entry.complete_options(options, "/options"), budget);
        if (solution.status == Status::kSkipped) {
          continue;
        }
        ASSERT_EQ(solution.status, Status::kConverged) << scale << ", r = " << r;
        EXPECT_EQ(find_infeasibility(solution.components, p, problem.cardinality, Supports::kAny),
                  "");
        if (scale != std::string("unit")) {
          continue;
        }
        Matrix b(p, r);
        for (Index j = 0; j < r; ++j) {
          b.col(j) = to_dense(solution.components[static_cast<std::size_t>(j)], p);
        }
        // A deflation sets variances that are rounding to zero, so that small rows of B are lost.
        if (!c.is_deflated) {
          EXPECT_LT((b.transpose() * b - Matrix::Identity(r, r)).norm(), kOfARotation);
        }
        const double value = varimax_criterion(b);
        for (Index i = 0; i < r; ++i) {
          for (Index j = i + 1; j < r; ++j) {
            for (int step = 1; step < kAngles; ++step) {
              const double angle = std::acos(-1.0) * step / kAngles;
              Matrix turned = b;
              turned.col(i) = std::cos(angle) * b.col(i) + std::sin(angle) * b.col(j);
              turned.col(j) = std::cos(angle) * b.col(j) - std::sin(angle) * b.col(i);
              EXPECT_LE(varimax_criterion(turned), value + kOfARotation);
            }
          }
        }
        ++rotated;
      }
    }
  }
  EXPECT_GE(rotated, 200);
}

}  // namespace
}  // namespace spca::stationary_answers_test
