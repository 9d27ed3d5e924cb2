/// Arrhythmia (UCI): the correlation or covariance matrix of its variables, for which optima of
/// sparse PCA were published. 17 variables are constant: the covariance has all 274, the
/// correlation the other 257.
///
/// Source  L. Berk, D. Bertsimas, Certifiably optimal sparse PCA, Math.
///         Prog. Comp. 11:381, 2019

#include "spca/data/readers/dataset_files.h"

namespace spca::dataset_arrhythmia {
namespace {

constexpr const char* kArrhythmiaCorrelation = "arrhythmia/arrhythmia_corr_257.csv.gz";
constexpr const char* kArrhythmiaCovariance = "arrhythmia/arrhythmia_cov_274.csv.gz";

Dataset load_arrhythmia(const MatrixOptions& options, const DatasetRequest& request) {
  return load_covariance_file(
      request, options.matrix == "correlation" ? kArrhythmiaCorrelation : kArrhythmiaCovariance);
}

SPCA_DATASET("arrhythmia", load_arrhythmia,
             (DatasetTraits{.summary = "cardiac arrhythmia, correlation or covariance",
                            .shape = "257 x 257 correlation",
                            .source = "Berk, Bertsimas, Math. Prog. Comp. 2019; UCI",
                            .files = {kArrhythmiaCorrelation, kArrhythmiaCovariance}}));

}  // namespace
}  // namespace spca::dataset_arrhythmia
