/// Communities and crime (UCI): the correlation or covariance matrix of its variables on which
/// optima of sparse PCA were certified. Source  L. Berk, D. Bertsimas, Certifiably optimal sparse
/// PCA, Math. Prog. Comp. 11:381, 2019

#include "spca/data/readers/dataset_files.h"

namespace spca::dataset_communities {
namespace {

constexpr const char* kCorrelation = "communities/communities_corr_101.csv.gz";
constexpr const char* kCovariance = "communities/communities_cov_101.csv.gz";

Dataset load_communities(const MatrixOptions& options, const DatasetRequest& request) {
  return load_covariance_file(request,
                              options.matrix == "correlation" ? kCorrelation : kCovariance);
}

SPCA_DATASET("communities", load_communities,
             (DatasetTraits{
                 .summary = "Communities and crime, correlation or covariance of its variables",
                 .shape = "101 x 101 correlation",
                 .source = "Berk, Bertsimas, Math. Prog. Comp. 2019; UCI",
                 .files = {kCorrelation, kCovariance}}));

}  // namespace
}  // namespace spca::dataset_communities
