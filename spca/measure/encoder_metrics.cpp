#include "spca/measure/encoder_metrics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include "spca/algebra/dense_decompositions.h"
#include "spca/algebra/dense_products.h"
#include "spca/algebra/remaining_variance.h"
#include "spca/algebra/residual_covariance.h"
#include "spca/base/random.h"
#include "spca/measure/metric_formulas.h"
#include "spca/methods/encoders/exact_rows.h"
#include "spca/methods/encoders/linear_encoder.h"
#include "spca/solving/budget.h"

namespace spca {
namespace {

/// So many entries of the columns of S are held at once: 160 MB.
constexpr Index kLargestColumns = 20'000'000;
constexpr Index kLargestRows = 1000;  // an eigenproblem of this size takes half a second

/// Below this share of the length of a column of scores, what other columns leave is rounding.
constexpr double kNoScoreLeft = 1e-8;

/// What rounding may put above the r largest eigenvalues, as a share of tr S.
constexpr double kCapturedRounding = 1e-9;

/// A bound on the loss holds whenever the search for it ends; this is when.
constexpr double kBoundSeconds = 20;

bool fit_in_memory(const Covariance& covariance, const Support& rows) {
  const Index count = std::ssize(rows);
  return count <= kLargestRows && count * covariance.variables() <= kLargestColumns;
}

/// Returns M, |J| x m, with M'S_JJ M = I: Gram and Schmidt in the inner product of S, the column of
/// which most is left first. It shares nothing with column_span(), by which the solvers build what
/// is judged here. A direction is dropped sooner than there: the least pivot is above the least
/// eigenvalue, usually by no more than the number of columns.
Matrix orthonormal_coefficients(const Matrix& gram, const Vector& origin) {
  const Index size = gram.rows();
  const double negligible = kDependentColumns * static_cast<double>(size);
  const Vector lengths = origin.cwiseMax(0.0).cwiseSqrt();
  // What is left of each column's share of its length; it chooses the pivot, no more.
  Vector left = (origin.array() > 0).select(gram.diagonal().cwiseQuotient(origin), 0.0);
  Matrix basis(size, 0);
  for (Index step = 0; step < size; ++step) {
    Index pivot = 0;
    if (!(left.maxCoeff(&pivot) > 0)) {
      break;
    }
    left[pivot] = 0;
    Vector rest = Vector::Unit(size, pivot) / lengths[pivot];
    // Twice, for orthogonality to rounding.
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

/// Returns what H (`loadings` on `rows`) captures of `left`, less what the best encoder on these
/// rows captures. `left` is what remains of an S with the variances `origin`. NaN if the rows are
/// too many.
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
  return std::max(captured, captured_by_encoder(left, components_on(rows, loadings))) - best;
}

}  // namespace

double captured_variance(const MetricContext& context) {
  return captured_by_encoder(context.covariance, context.components);
}

double normalised_loss(const MetricContext& context, double captured) {
  const double total = context.covariance.total_variance();
  const double largest = pca_variance(context);
  const double pca_loss = total - largest;
  if (!(pca_loss > kRankTolerance * total)) {
    return kNotMeasured;
  }
  const bool is_rounding = captured > largest && captured - largest <= kCapturedRounding * total;
  return (total - (is_rounding ? largest : captured)) / pca_loss;
}

double theorem11_bound(const MetricContext& context) {
  const auto r = static_cast<double>(context.components.size());
  // The least epsilon for which no component is sparser than 5 + ceil(5 j / epsilon).
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
  const JointLoadings joint = join_supports(context.components);
  return slack_of_loadings(covariance, joint.support, joint.loadings, covariance.diagonal()) /
         covariance.total_variance();
}

double least_slack_of_steps(const MetricContext& context) {
  const Covariance& covariance = context.covariance;
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
  Support all(static_cast<std::size_t>(p));
  std::iota(all.begin(), all.end(), Index{0});
  const Matrix s = covariance.submatrix(all);
  const Support known = join_supports(context.components).support;
  Budget budget({.seconds = kBoundSeconds, .iterations = std::numeric_limits<Index>::max()});
  const ExactRows best = exact_rows({.s = s, .squared = matrix_product(s, s), .r = r, .k = rows},
                                    std::ssize(known) <= rows ? known : Support{}, 0,
                                    std::numeric_limits<double>::infinity(),
                                    [&](double value) { return budget.next(value); });
  return normalised_loss(context, best.bound);
}

}  // namespace spca
