/// Arcene: mass spectra of patients with cancer and of others, whole numbers, of which 3000 of
/// 10000 variables are random probes; the training samples, centred, S = X'X/n.
///
/// Source  I. Guyon, S. Gunn, A. Ben-Hur, G. Dror, Result analysis of the NIPS 2003 feature
///         selection challenge, NIPS 2004; UCI Machine Learning Repository

#include "spca/data/readers/dataset_files.h"

namespace spca::dataset_arcene {
namespace {

constexpr const char* kArceneFile = "arcene/arcene_train.data.gz";
constexpr const char* kArceneLabels = "arcene/arcene_train.labels";

Dataset load_arcene(const CenterOptions& options, const DatasetRequest& request) {
  return with_labels(load_data_file(request, kArceneFile, options.centered), request,
                     kArceneLabels);
}

SPCA_DATASET("arcene", load_arcene,
             (DatasetTraits{.summary = "mass spectra with random probes, training samples, centred",
                            .shape = "100 x 10000",
                            .source = "Guyon et al., NIPS 2003 feature selection challenge; UCI",
                            .files = {kArceneFile, kArceneLabels}}));

}  // namespace
}  // namespace spca::dataset_arcene
