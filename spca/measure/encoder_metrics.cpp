#include "spca/measure/encoder_metrics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "spca/base/random.h"
#include "spca/covariance/residual_covariance.h"
#include "spca/dense/dense_decompositions.h"
#include "spca/dense/dense_products.h"
#include "spca/measure/metric_formulas.h"
#include "spca/methods/encoders/exact_rows.h"
#include "spca/methods/encoders/linear_encoder.h"
#include "spca/solving/budget.h"
#include "spca/spectrum/joint_loadings.h"
#include "spca/spectrum/remaining_variance.h"

namespace spca {
namespace {

/// At most this number of entries of the columns of S are held at once: 160 MB.
constexpr Index kLargestColumns = 20'000'000;
constexpr Index kLargestRows = 1000;  // an eigenproblem of this size takes half a second

/// A remainder below this share of the length of a column of scores is rounding.
constexpr double kNoScoreLeft = 1e-8;

/// At most this share of tr S above the r largest eigenvalues is rounding.
constexpr double kCapturedRounding = 1e-9;

/// Returns the relative rounding of a product of two columns: eps for each sample, and 8 eps for
/// each of `columns`.
double rounding_of_products(const Covariance& covariance, Index columns) {
  return std::numeric_limits<double>::epsilon() *
         (static_cast<double>(covariance.samples()) + 8 * static_cast<double>(columns));
}

/// Returns the error of the variance that columns J capture, computed from S, as a share of tr S
/// (column_factor.h); `inverse` is the scaled norm of (S_JJ)^{-1}. Infinite if rounding dominates.
double rounding_of_captured(double eta, double inverse, Index count) {
  const double of_inverse = eta * inverse;
  return of_inverse <= 0.25
             ? 2 * of_inverse + 4 * eta * std::sqrt(static_cast<double>(count) * inverse)
             : std::numeric_limits<double>::infinity();
}

/// Returns the error of the captured variance as a share of tr S. From data, only the orthonormal
/// basis of the scores has an error, and the variance that another basis captures is at most that
/// of PCA.
double rounding_of_captured(const MetricContext& context) {
  const Covariance& covariance = context.covariance;
  const auto r = std::ssize(context.components);
  const double eta = rounding_of_products(covariance, r);
  if (covariance.has_data_form()) {
    return eta;
  }
  const Matrix gram = variance_matrix(covariance, context.components);
  Vector scale(r);
  for (Index j = 0; j < r; ++j) {
    const double before =
        variance_before_cancelling(covariance, context.components[static_cast<std::size_t>(j)]);
    scale[j] = before > 0 ? 1 / std::sqrt(before) : 0;
  }
  // Only directions above the tolerance count as captured (column_span()).
  double inverse = 0;
  for (const double value : symmetric_eigenvalues(scaled_both_sides(gram, scale))) {
    inverse = std::max(inverse, value > kDependentColumns ? 1 / value : 0);
  }
  return rounding_of_captured(eta + covariance.semidefinite_shift() * scale.cwiseAbs2().maxCoeff(),
                              inverse, r);
}

/// The rounding of the difference of tr S and the captured variance: a share of tr S, for each of
/// the p variables.
constexpr double kDifferenceRounding = 1e-15;

bool fit_in_memory(const Covariance& covariance, const Support& rows) {
  const Index count = std::ssize(rows);
  return count <= kLargestRows && count * covariance.variables() <= kLargestColumns;
}

/// Returns M, |J| x m, with M'S_JJ M = I, by Gram-Schmidt in the inner product of S, with the
/// column that has the largest remainder as pivot. It shares no code with column_span(), by which
/// the solvers build the answers that are judged here. A direction is dropped sooner than in
/// column_span(): the least pivot is above the least eigenvalue, usually by at most a factor of the
/// number of columns.
Matrix orthonormal_coefficients(const Matrix& gram, const Vector& origin) {
  const Index size = gram.rows();
  const double negligible = kDependentColumns * static_cast<double>(size);
  const Vector lengths = origin.cwiseMax(0.0).cwiseSqrt();
  // The remaining share of the length of each column. It only chooses the pivot.
  Vector left = (origin.array() > 0).select(gram.diagonal().cwiseQuotient(origin), 0.0);
  Matrix basis(size, 0);
  for (Index step = 0; step < size; ++step) {
    Index pivot = 0;
    if (!(left.maxCoeff(&pivot) > 0)) {
      break;
    }
    left[pivot] = 0;
    Vector rest = Vector::Unit(size, pivot) / lengths[pivot];
    // Two passes make the vector orthogonal up to rounding.
    for (int pass = 0; pass < 2; ++pass) {
      rest -= times_vector(basis, transposed_times_vector(basis, times_vector(gram, rest)));
    }
    const Vector product = times_vector(gram, rest);
    const double squared = rest.dot(product);
    if (!(squared > negligible)) {
      continue;
    }
    basis.conservativeResize(Eigen::NoChange, basis.cols() + 1);
    basis.rightCols(1) = rest / std::sqrt(squared);
    left -= (left.array() > 0)
                .select((product.cwiseQuotient(lengths)).array().square() / squared, 0.0)
                .matrix();
  }
  return basis;
}

/// Returns a bound on the variance captured by directions of the columns that S cannot distinguish
/// from dependent ones: the variance outside the other directions. 0 if there are no such
/// directions.
double hidden_variance(const Covariance& left, const Support& rows, const Vector& origin) {
  const Vector scale = origin.unaryExpr([](double square) {
    return square >= std::numeric_limits<double>::min() ? 1 / std::sqrt(square) : 0;
  });
  const SymmetricEigenpairs pairs =
      symmetric_eigenpairs(scaled_both_sides(left.submatrix(rows), scale));
  const Index known =
      (pairs.values.array() > kDependentColumns * static_cast<double>(rows.size())).count();
  if (known == std::ssize(rows)) {
    return 0;
  }
  Matrix basis = scaled_columns(pairs.vectors.rightCols(known),
                                pairs.values.tail(known).cwiseSqrt().cwiseInverse());
  basis = scale.asDiagonal() * basis;
  return std::max(0.0,
                  left.total_variance() - matrix_product(left.columns(rows), basis).squaredNorm());
}

/// Returns the variance of `left` that H (`loadings` on `rows`) captures, minus that of the best
/// encoder on these rows. `left` is the rest of an S with the variances `origin`. NaN if there are
/// too many rows.
double slack_of_loadings(const Covariance& left, const Support& rows, const Matrix& loadings,
                         const Vector& origin) {
  if (!fit_in_memory(left, rows)) {
    return kNotMeasured;
  }
  const Matrix gram = left.submatrix(rows);
  const Vector variances = origin(rows);
  const Matrix coefficients = orthonormal_coefficients(gram, variances);
  if (coefficients.cols() == 0) {
    return 0;
  }
  const Matrix held = matrix_product(left.columns(rows), coefficients);  // X'Q with Q = X_J M
  const Index r = std::min(loadings.cols(), coefficients.cols());
  const double best = singular_values(held).head(r).squaredNorm();
  Matrix scores = matrix_product(transposed_product(coefficients, gram), loadings);  // Q'XH
  for (Index j = 0; j < scores.cols(); ++j) {
    // Scaled by the length before columns cancel: if they do, the score is rounding, and the basis
    // must drop it instead of normalising it.
    const double before_cancelling = loadings.col(j).cwiseAbs2().dot(variances);
    scores.col(j) *= before_cancelling > 0 ? 1 / std::sqrt(before_cancelling) : 0;
  }
  const double captured =
      matrix_product(held, orthonormal_basis(scores, kNoScoreLeft)).squaredNorm();
  if (captured >= best) {
    return captured - best;
  }
  // H may use a direction that M has dropped as rounding.
  const double slack =
      std::max(captured, captured_by_encoder(left, components_on(rows, loadings))) - best;
  // The theorem is broken only by the part of the slack that rounding cannot explain.
  const double inverse =
      (variances.cwiseMax(0.0).cwiseSqrt().asDiagonal() * coefficients).squaredNorm();
  const double rounding = 2 * rounding_of_captured(rounding_of_products(left, std::ssize(rows)),
                                                   inverse, coefficients.cols());
  return std::min(0.0, slack + rounding * origin.sum() + hidden_variance(left, rows, variances));
}

}  // namespace

double eckart_young_slack(const MetricContext& context) {
  if (context.covariance.semidefinite_shift() > 0) {
    return kNotMeasured;
  }
  const double slack =
      (pca_variance(context) - captured_variance(context)) / context.covariance.total_variance();
  return slack >= 0 ? slack : std::min(0.0, slack + rounding_of_captured(context));
}

double captured_variance(const MetricContext& context) {
  return captured_by_encoder(context.covariance, context.components);
}

double normalised_loss(const MetricContext& context, double captured) {
  const double total = context.covariance.total_variance();
  const double largest = pca_variance(context);
  const double pca_loss = total - largest;
  const double rounding = rounding_of_captured(context) * total;
  if (!(pca_loss > kRankTolerance * total && pca_loss > rounding)) {
    return kNotMeasured;
  }
  const bool is_rounding =
      captured > largest && captured - largest <= std::max(rounding, kCapturedRounding * total);
  return (total - (is_rounding ? largest : captured)) / pca_loss;
}

double theorem11_bound(const MetricContext& context) {
  const auto r = static_cast<double>(context.components.size());
  // The smallest epsilon for which no component is sparser than 5 + ceil(5 j / epsilon).
  double epsilon = 0;
  double j = 0;
  for (const Component& component : context.components) {
    const auto spare = static_cast<double>(component.cardinality() - 5);
    if (spare <= 0) {
      return kNotMeasured;
    }
    j += 1;
    epsilon = std::max(epsilon, 5 * j / spare);
  }
  const double leading = pca_variance(context);
  // If X has rank r, PCA loses nothing, and the ratio is not defined.
  const double rest = context.covariance.total_variance() - leading;
  if (!(rest > kRankTolerance * context.covariance.total_variance())) {
    return kNotMeasured;
  }
  return std::pow(std::numbers::e * r, epsilon) +
         epsilon * std::pow(r, 1 + epsilon) * (leading - context.spectrum.leading(1)[0]) / rest;
}

Index row_sparsity(const std::vector<Component>& components) {
  return std::ssize(join_supports(components).support);
}

double captured_on_rows(const MetricContext& context) {
  const Covariance& covariance = context.covariance;
  const Support rows = join_supports(context.components).support;
  if (!fit_in_memory(covariance, rows)) {
    return kNotMeasured;
  }
  const Matrix coefficients =
      orthonormal_coefficients(covariance.submatrix(rows), covariance.diagonal()(rows));
  const Index r = std::min(std::ssize(context.components), coefficients.cols());
  return r == 0 ? 0
                : singular_values(covariance.columns(rows) * coefficients).head(r).squaredNorm();
}

double slack_on_rows(const MetricContext& context) {
  const Covariance& covariance = context.covariance;
  if (covariance.semidefinite_shift() > 0) {
    return kNotMeasured;
  }
  const JointLoadings joint = join_supports(context.components);
  return slack_of_loadings(covariance, joint.support, joint.loadings, covariance.diagonal()) /
         covariance.total_variance();
}

double least_slack_of_steps(const MetricContext& context) {
  const Covariance& covariance = context.covariance;
  if (covariance.semidefinite_shift() > 0) {
    return kNotMeasured;
  }
  ResidualCovariance residual(covariance);
  double least = std::numeric_limits<double>::infinity();
  for (const Component& component : context.components) {
    const double slack =
        slack_of_loadings(residual, component.support, component.values, covariance.diagonal());
    if (std::isnan(slack)) {
      return kNotMeasured;
    }
    least = std::min(least, slack / covariance.total_variance());
    residual.remove(component);
  }
  return least;
}

double least_loss_bound(const MetricContext& context, Index rows) {
  const Covariance& covariance = context.covariance;
  const Index p = covariance.variables();
  const auto r = std::ssize(context.components);
  if (p > kMostRowsSearched || rows < r || rows > p || is_indefinite(covariance)) {
    return kNotMeasured;
  }
  const ExactRowsProblem problem{.factor = column_factor(covariance), .r = r, .k = rows};
  const LossInterval principal = principal_loss(problem.factor, r);
  const double total = covariance.total_variance();
  if (!(principal.value > kRankTolerance * total)) {
    return kNotMeasured;
  }
  const Support known = join_supports(context.components).support;
  Budget budget(
      {.seconds = context.search_seconds, .iterations = std::numeric_limits<Index>::max()});
  const ExactRows best = exact_rows(problem, std::ssize(known) <= rows ? known : Support{},
                                    std::numeric_limits<double>::infinity(), 0,
                                    [&](double loss) { return budget.next(-loss); });
  // The measured loss is a difference from tr S. Its rounding must not push it below the bound.
  const double rounding =
      (kDifferenceRounding * static_cast<double>(p) + rounding_of_captured(context)) * total;
  if (!(principal.value > rounding)) {
    return kNotMeasured;
  }
  return std::max(1.0, (best.bound - rounding) / (principal.most + rounding));
}

}  // namespace spca
