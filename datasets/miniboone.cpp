/// MiniBooNE particle identification (UCI): the correlation or covariance matrix of its variables
/// on which optima of sparse PCA were certified. Source  L. Berk, D. Bertsimas, Certifiably optimal
/// sparse PCA, Math. Prog. Comp. 11:381, 2019

#include "spca/data/readers/dataset_files.h"

namespace spca::dataset_miniboone {
namespace {

constexpr const char* kMinibooneCorrelation = "miniboone/miniboone_corr_50.csv.gz";
constexpr const char* kMinibooneCovariance = "miniboone/miniboone_cov_50.csv.gz";

Dataset load_miniboone(const MatrixOptions& options, const DatasetRequest& request) {
  return load_covariance_file(
      request, options.matrix == "correlation" ? kMinibooneCorrelation : kMinibooneCovariance);
}

SPCA_DATASET(
    "miniboone", load_miniboone,
    (DatasetTraits{
        .summary = "MiniBooNE particle identification, correlation or covariance of its variables",
        .shape = "50 x 50 correlation",
        .source = "Berk, Bertsimas, Math. Prog. Comp. 2019; UCI",
        .files = {kMinibooneCorrelation, kMinibooneCovariance}}));

}  // namespace
}  // namespace spca::dataset_miniboone
