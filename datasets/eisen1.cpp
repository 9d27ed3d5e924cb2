/// Gene expression of yeast: a published 79 x 79 covariance matrix.
/// Source  M. Eisen et al., PNAS 95:14863, 1998; the matrix is distributed with PathSPCA
///         (A. d'Aspremont, F. Bach, L. El Ghaoui, JMLR 9:1269, 2008)

#include "spca/data/readers/dataset_files.h"

namespace spca::dataset_eisen1 {
namespace {

constexpr const char* kEisen1File = "eisen1/eisen1_cov.csv.gz";

Dataset load_eisen1(const NoOptions&, const DatasetRequest& request) {
  return load_covariance_file(request, kEisen1File);
}

SPCA_DATASET("eisen1", load_eisen1,
             (DatasetTraits{.summary = "gene expression, the published covariance",
                            .shape = "79 x 79 covariance",
                            .source = "Eisen et al., PNAS 95:14863, 1998; PathSPCA",
                            .files = {kEisen1File}}));

}  // namespace
}  // namespace spca::dataset_eisen1
