#include "spca/measure/metric_formulas.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "spca/base/error.h"
#include "spca/dense/assignment.h"
#include "spca/dense/dense_decompositions.h"
#include "spca/dense/dense_products.h"
#include "spca/dense/sparsify.h"

namespace spca {

MetricTraits seconds_traits(std::string formula, WhenMeasured when) {
  return {.unit = "s",
          .direction = Direction::kLowerIsBetter,
          .formula = std::move(formula),
          .timing = true,
          .by_default = when == WhenMeasured::kByDefault,
          .absolute_tolerance = 0.05,
          .relative_tolerance = 0.5,
          .gate = Gate::kSameMachineOnly};
}

namespace {

Index size_of(const std::vector<Component>& components) {
  return static_cast<Index>(components.size());
}

Index common_count(const Support& a, const Support& b) {
  Index count = 0;
  auto other = b.begin();
  for (const Index variable : a) {
    other = std::lower_bound(other, b.end(), variable);
    count += other != b.end() && *other == variable ? 1 : 0;
  }
  return count;
}

/// The largest angle between the span of `smaller` and its nearest subspace in the span of
/// `larger`. Both have orthonormal columns.
double largest_angle(const Matrix& larger, const Matrix& smaller) {
  const Matrix cosines = transposed_product(larger, smaller);
  const Matrix rest = smaller - matrix_product(larger, cosines);
  // The sine is accurate for small angles, the cosine for large ones. atan2 uses both.
  const double sine = singular_values(rest)[0];
  const double cosine = singular_values(cosines)[smaller.cols() - 1];
  return std::atan2(sine, cosine);
}

}  // namespace

double plain_variance(const MetricContext& context) {
  double sum = 0;
  for (const double variance : context.variances.of_components()) {
    sum += variance;
  }
  return sum;
}

double adjusted_variance_sum(const MetricContext& context) {
  const Matrix& variances = context.variances.matrix();
  // Right-looking Cholesky: the remaining diagonal entry at step j is R_jj^2. The order of the
  // components matters, by the definition of adjusted variance.
  Matrix rest = variances;
  double sum = 0;
  for (Index j = 0; j < rest.rows(); ++j) {
    const double pivot = rest(j, j);
    if (pivot > kRankTolerance * variances(j, j)) {
      sum += pivot;
      const Vector column = rest.col(j);
      rest -= column * column.transpose() / pivot;
    }
  }
  return sum;
}

double projected_variance_sum(const MetricContext& context) {
  return variance_of_span(context.covariance, context.components, context.variances.gram(),
                          context.variances.matrix());
}

double pca_variance(const MetricContext& context) {
  const Index count = std::min(size_of(context.components), context.covariance.variables());
  try {
    return context.spectrum.leading(count).head(count).sum();
  } catch (const NumericalError&) {
    return kNotMeasured;
  }
}

double largest_principal_angle(const std::vector<Component>& components,
                               const std::vector<Component>& truth) {
  std::vector<Component> all = components;
  all.insert(all.end(), truth.begin(), truth.end());
  const Matrix loadings = join_supports(all).loadings;
  const Matrix found =
      orthonormal_basis(loadings.leftCols(size_of(components)), std::sqrt(kRankTolerance));
  const Matrix wanted =
      orthonormal_basis(loadings.rightCols(size_of(truth)), std::sqrt(kRankTolerance));
  // Some direction of the truth is orthogonal to all components found.
  if (wanted.cols() == 0 || found.cols() < wanted.cols()) {
    return std::numbers::pi / 2;
  }
  return largest_angle(found, wanted);
}

Matrix support_f1_scores(const std::vector<Component>& components,
                         const std::vector<Component>& truth) {
  Matrix scores(size_of(components), size_of(truth));
  for (Index i = 0; i < scores.rows(); ++i) {
    for (Index j = 0; j < scores.cols(); ++j) {
      const Support& found = components[static_cast<std::size_t>(i)].support;
      const Support& wanted = truth[static_cast<std::size_t>(j)].support;
      const double sizes = static_cast<double>(found.size() + wanted.size());
      scores(i, j) = sizes > 0 ? 2 * static_cast<double>(common_count(found, wanted)) / sizes : 0;
    }
  }
  return scores;
}

double best_matching(const Matrix& scores) {
  SPCA_CHECK(scores.rows() <= scores.cols(), "a matching of all rows needs as many columns");
  Assignment assignment(std::vector<Index>(static_cast<std::size_t>(scores.rows()), 1));
  // Each row of `scores` has capacity 1; its columns are the variables that are assigned.
  assignment.solve(scores.transpose());
  return assignment.value();
}

double recovered_supports(const MetricContext& context) {
  if (context.truth.empty() || context.components.size() > context.truth.size()) {
    return kNotMeasured;
  }
  // F1 is 1 exactly for equal supports: 2m / (m + m). The matching then counts the pairs.
  const Matrix same =
      (support_f1_scores(context.components, context.truth).array() == 1.0).cast<double>();
  return best_matching(same);
}

}  // namespace spca
