/// Multiple features, pixels: averages of 2 x 3 windows of images of the ten digits, whole numbers
/// 0 to 6; centred, S = X'X/n.
///
/// Source  R. Duin, Multiple Features, UCI Machine Learning Repository, 1998

#include "spca/data/readers/dataset_files.h"

namespace spca::dataset_mfeat_pix {
namespace {

constexpr const char* kMfeatPixFile = "mfeat_pix/mfeat-pix.txt.gz";
constexpr const char* kMfeatPixLabels = "mfeat_pix/labels.csv";

Dataset load_mfeat_pix(const NoOptions&, const DatasetRequest& request) {
  return with_labels(load_data_file(request, kMfeatPixFile, true), request, kMfeatPixLabels);
}

SPCA_DATASET("mfeat_pix", load_mfeat_pix,
             (DatasetTraits{.summary = "pixels of handwritten digits, centred",
                            .shape = "2000 x 240",
                            .source = "Duin, Multiple Features, UCI, 1998",
                            .files = {kMfeatPixFile, kMfeatPixLabels}}));

}  // namespace
}  // namespace spca::dataset_mfeat_pix
