#include "spca/encoder_metrics.h"

#include <algorithm>

#include "spca/linear_encoder.h"
#include "spca/metric_formulas.h"

namespace spca {
namespace {

/// Entries of the columns of S that are held at once: 160 MB.
constexpr Index kLargestColumns = 20'000'000;
constexpr Index kLargestRows = 1000;  // an eigenproblem of this size takes half a second

}  // namespace

double captured_variance(const MetricContext& context) {
  return captured_by_encoder(context.covariance, context.components);
}

double normalised_loss(const MetricContext& context, double captured) {
  const double total = context.covariance.trace();
  const double largest = pca_variance(context);
  const double pca_loss = total - largest;
  return pca_loss > kRankTolerance * total ? (total - std::min(captured, largest)) / pca_loss
                                           : kNotMeasured;
}

Index row_sparsity(const std::vector<Component>& components) {
  return std::ssize(join_supports(components).support);
}

double loss_on_rows(const MetricContext& context) {
  const Covariance& covariance = context.covariance;
  const Support rows = join_supports(context.components).support;
  const Index count = std::ssize(rows);
  if (count > kLargestRows || count * covariance.variables() > kLargestColumns) {
    return kNotMeasured;
  }
  const Matrix columns = covariance.columns(rows);
  const ColumnSpan span = column_span(covariance.submatrix(rows), columns.transpose() * columns);
  return normalised_loss(context, span.captured_by(std::ssize(context.components)));
}

HeldOutError held_out_error_of_scores(const MetricContext& context) {
  const Covariance& covariance = context.covariance;
  if (context.labels == nullptr || !covariance.has_data_form() ||
      std::ssize(*context.labels) != covariance.samples()) {
    return {};
  }
  Matrix scores(covariance.samples(), std::ssize(context.components));
  for (Index j = 0; j < scores.cols(); ++j) {
    scores.col(j) = covariance.data_product(context.components[static_cast<std::size_t>(j)]);
  }
  return held_out_error(scores, *context.labels, context.seed);
}

}  // namespace spca
