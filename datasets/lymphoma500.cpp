/// The 500 x 500 matrix of lymphoma genes that the sparse PCA papers use, as published.
/// Source  A. Alizadeh et al., Nature 403:503, 2000; the matrix is distributed with PathSPCA
///         (A. d'Aspremont, F. Bach, L. El Ghaoui, JMLR 9:1269, 2008)

#include "spca/data/readers/dataset_files.h"

namespace spca::dataset_lymphoma500 {
namespace {

constexpr const char* kLymphoma500File = "lymphoma/cov500.csv.gz";

Dataset load_lymphoma500(const NoOptions&, const DatasetRequest& request) {
  return load_covariance_file(request, kLymphoma500File);
}

SPCA_DATASET("lymphoma500", load_lymphoma500,
             (DatasetTraits{.summary = "lymphoma, the published matrix of 500 genes",
                            .shape = "500 x 500 covariance",
                            .source = "Alizadeh et al., Nature 403:503, 2000; PathSPCA",
                            .files = {kLymphoma500File}}));

}  // namespace
}  // namespace spca::dataset_lymphoma500
