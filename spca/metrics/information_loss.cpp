#include "spca/metric_formulas.h"
#include "spca/metrics.h"

namespace spca {
namespace {

std::vector<double> information_loss(const MetricContext& context) {
  const Covariance& covariance = context.covariance;
  const auto r = static_cast<Index>(context.components.size());
  Matrix products(covariance.variables(), r);  // SV
  Vector product(covariance.variables());
  for (Index j = 0; j < r; ++j) {
    covariance.multiply(context.components[static_cast<std::size_t>(j)], product);
    products.col(j) = product;
  }
  const double reconstructed = trace_on_span(variance_matrix(covariance, context.components),
                                             products.transpose() * products);
  const double total = covariance.trace();
  const double pca_loss = total - pca_variance(context);
  // X of rank r: PCA loses nothing, and the ratio is not defined.
  return {pca_loss > kRankTolerance * total ? (total - reconstructed) / pca_loss : kNotMeasured};
}

SPCA_METRIC(
    "information_loss", information_loss,
    (MetricTraits{
        .unit = "",
        .direction = Direction::kLowerIsBetter,
        .formula =
            "||X - XH(XH)^+X||_F^2 / ||X - X_r||_F^2 >= 1, H = V: (tr S - tr((V'SV)^+ V'S^2V)) "
            "/ (tr S - lambda_1 - ... - lambda_r)",
        .source = "Magdon-Ismail, Boutsidis, NIPS 2016",
        .by_default = false}));

}  // namespace
}  // namespace spca
