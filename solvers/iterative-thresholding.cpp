/// Subspace iteration with thresholding: orthogonal iteration whose columns are cut in each step.
///
/// Problem  the leading r-dimensional eigenspace of S, spanned by sparse vectors; column j has at
///          most k_j nonzeros before each QR factorisation
/// Step     T = S Q; column j of T is cut to its k_j largest entries (`threshold` hard), or these
///          are shrunk by the next largest (soft); T = QR
/// Start    the r leading eigenvectors of S_BB, B the variables of largest variance, four for each
///          nonzero (largest_variances, column_starts.h): the paper's diagonal thresholding
/// Stops    when no entry of Q changes by more than `tolerance`, or after 1000 steps
/// Answer   the cut columns T_j at unit length; with `refit` the leading eigenvector of S on the
///          support of each
/// Cost     r products of S with sparse vectors and O(p r^2) a step; r eigenvectors of S_BB
/// Source   Ma, Sparse principal component analysis and iterative thresholding, Annals of
///          Statistics 41, 2013, Algorithms 1 (iteration) and 2 (start)
/// Differs  the paper cuts below a level, gamma sqrt(lambda_j log p / n), which the noise sets, and
///          stops after a number of steps; here k_j sets the level, so S alone suffices. The
///          paper estimates the space, which Q spans. A column of Q also has the supports of
///          earlier columns; the answer is therefore T_j. If a cut column lies in the span of
///          earlier ones, it is cut again without their variables. S + tau I replaces an
///          indefinite S

#include <fmt/format.h>

#include <algorithm>

#include "spca/base/cardinality.h"
#include "spca/dense/dense_decompositions.h"
#include "spca/dense/dense_products.h"
#include "spca/dense/sparsify.h"
#include "spca/methods/ascent/column_starts.h"
#include "spca/methods/ascent/thresholded_power.h"
#include "spca/solving/solver.h"
#include "spca/spectrum/eigenpairs.h"
#include "spca/spectrum/low_rank.h"
#include "spca/spectrum/remaining_variance.h"

namespace spca::solver_iterative_thresholding {
namespace {

struct IterativeThresholdingOptions {
  std::string threshold = "hard";
  double tolerance = 1e-9;
  bool refit = true;

  void describe(OptionVisitor& visit) {
    visit("threshold", threshold, "whether the entries that stay are kept or shrunk",
          {"hard", "soft"});
    visit("tolerance", tolerance, "change of the entries of Q at which the iteration ends",
          at_least(0));
    visit("refit", refit,
          "replace the loadings by the leading eigenvector of S restricted to their support");
  }
};

// Number of variables of the start for each place of the answer.
constexpr Index kStartOverPlaces = 4;  // chosen by trial, not measured
// At most this number of steps: cut columns may alternate without end. Chosen by trial, not
// measured.
constexpr Index kMostThresholdSteps = 1000;
// At most this share of a column outside the span of the columns before it is rounding.
constexpr double kNothingOutside = 1e-10;

/// Returns w without all but its k largest entries, which are shrunk by the next one if `soft`.
Vector cut(const Vector& w, Index k, bool soft) {
  const Index p = w.size();
  const Component kept = restrict_to(w, top_k(w, k));
  Vector result = to_dense(kept, p);
  if (soft && k < p) {
    const Vector shrunk = soft_threshold(result, (w - result).cwiseAbs().maxCoeff());
    // If entries tie, shrinking would leave none.
    return shrunk.squaredNorm() > 0 ? shrunk : result;
  }
  return result;
}

/// The columns T_j after the cut, and Q of T = QR. Columns of zeros stay zero.
struct Iterate {
  Matrix cut;
  Matrix basis;
};

Iterate step(const Matrix& product, const std::vector<Index>& cardinality, bool soft) {
  const Index p = product.rows();
  Iterate next = {.cut = Matrix::Zero(p, product.cols()), .basis = Matrix::Zero(p, product.cols())};
  for (Index j = 0; j < product.cols(); ++j) {
    const auto before = next.basis.leftCols(j);
    const Index k = cardinality[static_cast<std::size_t>(j)];
    Vector column = product.col(j);
    for (int time = 0; time < 2 && column.squaredNorm() > 0; ++time) {
      const Vector kept = cut(column, k, soft);
      Vector outside = outside_of_span(before, kept);
      if (outside.norm() > kNothingOutside * kept.norm()) {
        subtract_projection(outside, before);
        next.cut.col(j) = kept;
        next.basis.col(j) = outside.normalized();
        break;
      }
      column = (before.rowwise().squaredNorm().array() == 0).select(column, 0.0);
    }
  }
  return next;
}

/// Returns the r leading eigenvectors of S on the `wanted` variables of largest variance.
Matrix start_columns(const Covariance& covariance, Index r, Index wanted) {
  const Index p = covariance.variables();
  const Support variables = largest_variances(covariance, std::clamp(wanted, std::min(r, p), p));
  Matrix start = Matrix::Zero(p, r);
  const Matrix vectors =
      reversed_columns(symmetric_eigenpairs(covariance.submatrix(variables)).vectors);
  for (Index j = 0; j < std::min(r, vectors.cols()); ++j) {
    for (std::size_t i = 0; i < variables.size(); ++i) {
      start(variables[i], j) = vectors(static_cast<Index>(i), j);
    }
  }
  return start;
}

Solution solve_iterative_thresholding(const Problem& problem,
                                      const IterativeThresholdingOptions& options, Budget& budget) {
  const Covariance& covariance = problem.covariance;
  const Index p = covariance.variables();
  const Index r = problem.components;
  if (!has_positive_variance(covariance)) {
    return skipped(kNoVariance);
  }
  const Support varying = varying_variables(covariance);
  const Index places = total_cardinality(problem.cardinality);
  const bool soft = options.threshold == "soft";
  const double shift = covariance.semidefinite_shift();
  Matrix basis = start_columns(covariance, r, kStartOverPlaces * places);
  budget.phases().finish("start");
  Matrix found = Matrix::Zero(p, r);
  double objective = kNotMeasured;
  for (Index steps = 0; steps < kMostThresholdSteps && budget.next(objective); ++steps) {
    Matrix product(p, r);
    for (Index j = 0; j < r; ++j) {
      Vector column;
      covariance.multiply(from_dense(basis.col(j)), column);
      product.col(j) = column + shift * basis.col(j);
    }
    objective = inner_product(basis, product) - shift * basis.squaredNorm();
    zero_other_rows(varying, product);
    Iterate next = step(product, problem.cardinality, soft);
    const double change = largest_magnitude(next.basis - basis);
    found = std::move(next.cut);
    basis = std::move(next.basis);
    if (change <= options.tolerance) {
      break;
    }
  }
  std::vector<Component> components;
  for (Index j = 0; j < r; ++j) {
    Component component = normalized(from_dense(found.col(j)));
    if (component.support.empty() && !budget.out_of_time()) {
      return skipped(fmt::format("component {}: no variance is left for it", j + 1));
    }
    components.push_back(options.refit ? refitted(covariance, component) : std::move(component));
  }
  while (budget.out_of_time() && !components.empty() && components.back().support.empty()) {
    components.pop_back();
  }
  return make_solution(std::move(components), budget);
}

SPCA_SOLVER("iterative-thresholding", solve_iterative_thresholding,
            (Traits{.summary = "subspace iteration, of which each step keeps the largest entries",
                    .problem = "the leading r-dimensional eigenspace, column j with k_j nonzeros",
                    .source = "Ma, Annals of Statistics 2013",
                    .multiple_components = true}));

}  // namespace
}  // namespace spca::solver_iterative_thresholding
