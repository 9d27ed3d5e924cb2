#include "spca/measure/encoder_metrics.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "spca/algebra/dense_decompositions.h"
#include "spca/algebra/residual_covariance.h"
#include "spca/base/random.h"
#include "spca/measure/metric_formulas.h"
#include "spca/methods/encoders/linear_encoder.h"

namespace spca {
namespace {

/// So many entries of the columns of S are held at once: 160 MB.
constexpr Index kLargestColumns = 20'000'000;
constexpr Index kLargestRows = 1000;  // an eigenproblem of this size takes half a second

/// Below this share of the length of a column of scores, what other columns leave is rounding.
constexpr double kNoScoreLeft = 1e-8;

bool fit_in_memory(const Covariance& covariance, const Support& rows) {
  const Index count = std::ssize(rows);
  return count <= kLargestRows && count * covariance.variables() <= kLargestColumns;
}

/// Returns what H (`loadings` on `rows`) captures of `left`, less what the best encoder on these
/// rows captures. `left` is what remains of an S with the variances `origin`. NaN if the rows are
/// too many.
double slack_of_loadings(const Covariance& left, const Support& rows, const Matrix& loadings,
                         const Vector& origin) {
  if (!fit_in_memory(left, rows)) {
    return kNotMeasured;
  }
  const Matrix columns = left.columns(rows);
  const Matrix gram = left.submatrix(rows);
  const Vector variances = origin(rows);
  const ColumnSpan span = column_span(gram, columns.transpose() * columns, variances);
  if (span.captured.size() == 0) {
    return 0;
  }
  // Q'XH with Q = X_J M: XH lies in the span of Q.
  Matrix scores = span.coefficients.transpose() * gram * loadings;
  for (Index j = 0; j < scores.cols(); ++j) {
    // Scaled by the length before columns cancel: if they do, the score is rounding, and the basis
    // must drop it instead of normalising it.
    const double before_cancelling = loadings.col(j).cwiseAbs2().dot(variances);
    scores.col(j) *= before_cancelling > 0 ? 1 / std::sqrt(before_cancelling) : 0;
  }
  const Matrix basis = orthonormal_basis(scores, kNoScoreLeft);
  // With B the orthonormal basis of Q'XH, ||B'Q'X||_F^2 = sum_j captured_j ||row j of B||^2,
  // because Q'XX'Q is diagonal.
  return span.captured.dot(basis.cwiseAbs2().rowwise().sum()) - span.captured_by(loadings.cols());
}

}  // namespace

double captured_variance(const MetricContext& context) {
  return captured_by_encoder(context.covariance, context.components);
}

double normalised_loss(const MetricContext& context, double captured) {
  const double total = context.covariance.total_variance();
  const double largest = pca_variance(context);
  const double pca_loss = total - largest;
  return pca_loss > kRankTolerance * total ? (total - std::min(captured, largest)) / pca_loss
                                           : kNotMeasured;
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
  const Matrix columns = covariance.columns(rows);
  const ColumnSpan span = column_span(covariance.submatrix(rows), columns.transpose() * columns);
  return span.captured_by(std::ssize(context.components));
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

}  // namespace spca
