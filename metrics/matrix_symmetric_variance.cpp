#include "spca/measure/matrix_as_data.h"

namespace spca::metric_matrix_symmetric_variance {
namespace {

std::vector<double> matrix_symmetric_variance(const MetricContext& context) {
  const MatrixAsData of = matrix_as_data(context);
  return {of.explained / of.pca};
}

SPCA_METRIC("matrix_symmetric_variance", matrix_symmetric_variance,
            (MetricTraits{.unit = "",
                          .direction = Direction::kHigherIsBetter,
                          .formula = "symmetric_explained_variance with S in place of X: "
                                     "||SHH^+||_F^2 / ||S_r||_F^2, H = V",
                          .source = "Magdon-Ismail, Boutsidis, NIPS 2016, section 4",
                          .by_default = false}));

}  // namespace
}  // namespace spca::metric_matrix_symmetric_variance
