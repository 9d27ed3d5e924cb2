/// Gisette: the digits 4 and 9 as pixels, products of pixels and random probes; the training
/// samples, centred, S = X'X/n.
/// Source  I. Guyon, S. Gunn, A. Ben-Hur, G. Dror, Result analysis of the NIPS 2003 feature
///         selection challenge, NIPS 2004; UCI Machine Learning Repository

#include "spca/data/readers/dataset_files.h"

namespace spca::dataset_gisette {
namespace {

constexpr const char* kGisetteFile = "gisette/gisette_train.data";
constexpr const char* kGisetteLabels = "gisette/gisette_train.labels";

Dataset load_gisette(const CenterOptions& options, const DatasetRequest& request) {
  return with_labels(load_data_file(request, kGisetteFile, options.centered), request,
                     kGisetteLabels);
}

SPCA_DATASET("gisette", load_gisette,
             (DatasetTraits{
                 .summary = "digits 4 and 9 with random probes, training samples, centred",
                 .shape = "6000 x 5000",
                 .source = "Guyon et al., NIPS 2003 feature selection challenge; UCI",
                 .files = {kGisetteFile, kGisetteLabels}}));

}  // namespace
}  // namespace spca::dataset_gisette
