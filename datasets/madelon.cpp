/// Madelon: clusters on the vertices of a cube of five dimensions among 480 variables that are
/// combinations of the five or noise; the training samples, centred, S = X'X/n.
/// Source  I. Guyon, S. Gunn, A. Ben-Hur, G. Dror, Result analysis of the NIPS 2003 feature
///         selection challenge, NIPS 2004; UCI Machine Learning Repository

#include "spca/data/readers/dataset_files.h"

namespace spca::dataset_madelon {
namespace {

constexpr const char* kMadelonFile = "madelon/madelon_train_2000x500.csv.gz";
constexpr const char* kMadelonLabels = "madelon/labels_train.csv";

Dataset load_madelon(const CenterOptions& options, const DatasetRequest& request) {
  return with_labels(load_data_file(request, kMadelonFile, options.centered), request,
                     kMadelonLabels);
}

SPCA_DATASET("madelon", load_madelon,
             (DatasetTraits{.summary = "generated clusters among noise, training samples, centred",
                            .shape = "2000 x 500",
                            .source = "Guyon et al., NIPS 2003 feature selection challenge; UCI",
                            .files = {kMadelonFile, kMadelonLabels}}));

}  // namespace
}  // namespace spca::dataset_madelon
