/// Rotation, then thresholding: the k largest loadings of varimax-rotated principal components.
///
/// Problem  rotation: maximise sum_j (sum_i b_ij^4 - (sum_i b_ij^2)^2 / p) over B = A T, T'T = I, A
///          the m leading eigenvectors of S, each of the length that `scale` gives
/// Step     one plane of two columns after the other turns by the angle that is best for the two:
///          4 phi = atan2(2 sum uv - 2 sum u sum v / p, sum (u^2 - v^2) - ((sum u)^2 - (sum v)^2) /
///          p), u_i = x_i^2 - y_i^2, v_i = 2 x_i y_i
/// Start    B = A
/// Stops    when a sweep over all planes raises the criterion by at most `tolerance` times (sum_ij
///          b_ij^2)^2
/// Answer   for component j, of the rotated columns that are left, the one whose k_j largest
///          loadings have the largest v'Sv; v is these loadings at unit length, or with `refit`
///          (default) the leading eigenvector of S on their variables
/// Cost     m eigenvectors; O(p m^2) a sweep; never p x p
/// Source   Kaiser, The varimax criterion, Psychometrika 23, 1958; Jolliffe, Rotation of principal
///          components: choice of normalization constraints, Journal of Applied Statistics 22,
///          1995; thresholding: Cadima, Jolliffe, Journal of Applied Statistics 22, 1995
/// Differs  the sources choose by eye which loadings count as zero. Eigenvectors of eigenvalues
///          that are zero except for rounding are left out

#include <algorithm>
#include <cmath>
#include <limits>

#include "spca/dense/dense_products.h"
#include "spca/dense/sparsify.h"
#include "spca/solving/solver.h"
#include "spca/spectrum/eigenpairs.h"
#include "spca/spectrum/low_rank.h"
#include "spca/spectrum/remaining_variance.h"

namespace spca::solver_varimax_threshold {
namespace {

struct VarimaxOptions {
  Index rank = 4;
  std::string scale = "deviation";
  bool normalize_rows = false;
  double tolerance = 1e-12;
  bool refit = true;

  void describe(OptionVisitor& visit) {
    visit("rank", rank, "m, the number of eigenvectors to rotate; at least that of the components",
          at_least(1));
    visit("scale", scale,
          "length of the eigenvectors before the rotation: 1, sqrt(lambda_i) or 1 / "
          "sqrt(lambda_i)",
          {"unit", "deviation", "inverse-deviation"});
    visit("normalize_rows", normalize_rows,
          "scale the rows to unit length for the rotation, as Kaiser does");
    visit("tolerance", tolerance,
          "rise of the criterion, relative to the squared sum of squares of B, at which the "
          "rotation ends",
          at_least(0));
    visit("refit", refit,
          "replace the loadings by the leading eigenvector of S restricted to their support");
  }
};

// Eigenvalues and rows below this share of the largest are rounding.
constexpr double kNothing = 1e-12;
// A share of the length of the longest column that counts as rounding in every column, because
// turns mix the columns.
constexpr double kRoundingOfTurns = 1e-13;

/// Turns the plane of two columns by the best angle. `rounding` bounds the errors of their entries.
/// Leaves the columns unchanged if these errors alone may have made the angle.
void turn(Eigen::Ref<Vector> x, Eigen::Ref<Vector> y, double rounding) {
  const Vector u = x.cwiseAbs2() - y.cwiseAbs2();
  const Vector v = 2 * x.cwiseProduct(y);
  const auto p = static_cast<double>(x.size());
  const double numerator = 2 * (u.dot(v) - u.sum() * v.sum() / p);
  const double denominator =
      u.squaredNorm() - v.squaredNorm() - (u.sum() * u.sum() - v.sum() * v.sum()) / p;
  // Both are sums of products of four entries.
  const double nothing = rounding * std::pow(x.squaredNorm() + y.squaredNorm(), 1.5);
  if (std::abs(numerator) <= nothing && denominator >= -nothing) {
    return;
  }
  const double angle = std::atan2(numerator, denominator) / 4;
  const Vector turned = std::cos(angle) * x + std::sin(angle) * y;
  y = std::cos(angle) * y - std::sin(angle) * x;
  x = turned;
}

double criterion(const Matrix& b) {
  const auto squares = b.array().square();
  return squares.square().sum() -
         squares.colwise().sum().square().sum() / static_cast<double>(b.rows());
}

void rotate(Matrix& b, double tolerance, Budget& budget) {
  const double rounding = kRoundingOfTurns * b.colwise().norm().maxCoeff();
  const double least_rise = tolerance * std::pow(b.squaredNorm(), 2);
  double value = criterion(b);
  double rise = std::numeric_limits<double>::infinity();
  while (b.cols() > 1 && rise > least_rise && budget.next(value)) {
    for (Index i = 0; i < b.cols(); ++i) {
      for (Index j = i + 1; j < b.cols(); ++j) {
        turn(b.col(i), b.col(j), rounding);
      }
    }
    const double turned = criterion(b);
    rise = turned - value;
    value = turned;
  }
}

/// Returns the rotated columns; empty if S has no positive eigenvalue.
Matrix rotated(const Covariance& covariance, Index count, const VarimaxOptions& options,
               Budget& budget) {
  const Eigenpairs pairs = leading_eigenpairs(covariance, count, Exact::kPairs, Copies::kAny);
  budget.phases().finish("eigenpairs");
  const Index m =
      pairs.values[0] > 0 ? (pairs.values.array() > kNothing * pairs.values[0]).count() : 0;
  Matrix b = pairs.vectors.leftCols(m);
  // An iterative eigensolver leaves rounding noise on the zero rows that a deflation makes.
  zero_other_rows(varying_variables(covariance), b);
  if (m == 0) {
    return b;
  }
  const double unit = std::sqrt(pairs.values[0]);
  for (Index j = 0; j < m && options.scale != "unit"; ++j) {
    const double length = std::sqrt(pairs.values[j]) / unit;
    b.col(j) *= options.scale == "deviation" ? length : 1 / length;
  }
  const Vector lengths = squared_row_norms(b).cwiseSqrt();
  const double least = kNothing * lengths.maxCoeff();
  if (options.normalize_rows) {
    for (Index i = 0; i < b.rows(); ++i) {
      b.row(i) /= lengths[i] > least ? lengths[i] : 1;
    }
  }
  rotate(b, options.tolerance, budget);
  for (Index i = 0; i < b.rows() && options.normalize_rows; ++i) {
    b.row(i) *= lengths[i] > least ? lengths[i] : 1;
  }
  budget.phases().finish("rotation");
  return b;
}

Solution solve_varimax(const Problem& problem, const VarimaxOptions& options, Budget& budget) {
  const Covariance& covariance = problem.covariance;
  const Index r = problem.components;
  const Matrix b = rotated(covariance, std::min(std::max(options.rank, r), covariance.variables()),
                           options, budget);
  if (b.cols() == 0) {
    return skipped(kNoVariance);
  }
  if (b.cols() < r) {
    return skipped(
        fmt::format("S has {} positive eigenvalues; {} components need as many", b.cols(), r));
  }
  std::vector<Component> components;
  std::vector<Index> left;
  for (Index i = 0; i < b.cols(); ++i) {
    left.push_back(i);
  }
  for (const Index k : problem.cardinality) {
    Component best;
    double value = 0;
    std::size_t chosen = 0;
    for (std::size_t i = 0; i < left.size(); ++i) {
      const Vector column = b.col(left[i]);
      Component found = normalized(restrict_to(column, top_k(column, k)));
      if (options.refit && !found.support.empty()) {
        found = best_on_support(covariance, found.support).component;
      }
      const double found_value = covariance.quadratic_form(found);
      if (best.support.empty() || found_value > value) {
        value = found_value;
        best = std::move(found);
        chosen = i;
      }
    }
    components.push_back(std::move(best));
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(chosen));
  }
  return make_solution(std::move(components), budget);
}

SPCA_SOLVER("varimax-threshold", solve_varimax,
            (Traits{.summary = "the k largest loadings of varimax-rotated eigenvectors",
                    .problem = "max the varimax criterion of B = AT, T'T = I; then I_k of a column",
                    .source = "Kaiser 1958; Jolliffe, Journal of Applied Statistics 1995",
                    .multiple_components = true}));

}  // namespace
}  // namespace spca::solver_varimax_threshold
