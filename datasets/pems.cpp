/// PEMS-SF: occupancy of the lanes of motorways around San Francisco, 963 sensors every ten minutes
/// of a day; the training days, centred, S = X'X/n. Classes: days of the week.
/// Source  M. Cuturi, PEMS-SF, UCI Machine Learning Repository, 2011

#include "spca/data/readers/dataset_files.h"

namespace spca::dataset_pems {
namespace {

constexpr const char* kPemsFile = "pems/pems_train_267x138672.csv.gz";
constexpr const char* kPemsLabels = "pems/labels_train.csv";

Dataset load_pems(const NoOptions&, const DatasetRequest& request) {
  return with_labels(load_data_file(request, kPemsFile, true), request, kPemsLabels);
}

SPCA_DATASET("pems", load_pems,
             (DatasetTraits{.summary = "occupancy of motorway lanes, training days, centred",
                            .shape = "267 x 138672",
                            .source = "Cuturi, PEMS-SF, UCI, 2011",
                            .files = {kPemsFile, kPemsLabels}}));

}  // namespace
}  // namespace spca::dataset_pems
