/// Isolet, the fifth group of speakers: features of the 26 spoken letters, scaled to [-1, 1] by the
/// donors; centred, S = X'X/n.
/// Source  M. Fanty, R. Cole, Spoken letter recognition, NIPS 1990; UCI Machine Learning
/// Repository,
///         1994

#include "spca/data/readers/dataset_files.h"

namespace spca::dataset_isolet5 {
namespace {

constexpr const char* kIsolet5File = "isolet5/isolet5_1559x617.csv.gz";
constexpr const char* kIsolet5Labels = "isolet5/isolet5_labels.csv";

Dataset load_isolet5(const NoOptions&, const DatasetRequest& request) {
  return with_labels(load_data_file(request, kIsolet5File, true), request, kIsolet5Labels);
}

SPCA_DATASET("isolet5", load_isolet5,
             (DatasetTraits{.summary = "features of spoken letters, centred",
                            .shape = "1559 x 617",
                            .source = "Fanty, Cole, NIPS 1990; UCI",
                            .files = {kIsolet5File, kIsolet5Labels}}));

}  // namespace
}  // namespace spca::dataset_isolet5
