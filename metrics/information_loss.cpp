#include "spca/measure/encoder_metrics.h"
#include "spca/measure/metrics.h"

namespace spca::metric_information_loss {
namespace {

std::vector<double> information_loss(const MetricContext& context) {
  return {normalised_loss(context, captured_variance(context))};
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
}  // namespace spca::metric_information_loss
