#include "spca/measure/matrix_as_data.h"
#include "spca/spectrum/joint_loadings.h"

namespace spca::metric_matrix_information_loss {
namespace {

std::vector<double> matrix_information_loss(const MetricContext& context) {
  const MatrixAsData of = matrix_as_data(context);
  const double rest = of.total - of.pca;
  return {rest > kRankTolerance * of.total ? (of.total - of.captured) / rest : kNotMeasured};
}

SPCA_METRIC("matrix_information_loss", matrix_information_loss,
            (MetricTraits{
                .unit = "",
                .direction = Direction::kLowerIsBetter,
                .formula = "information_loss with S in place of X: ||S - SH(SH)^+S||_F^2 / "
                           "||S - S_r||_F^2, H = V",
                .source = "Magdon-Ismail, Boutsidis, NIPS 2016, section 4",
                .by_default = false}));

}  // namespace
}  // namespace spca::metric_matrix_information_loss
