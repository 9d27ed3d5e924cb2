/// Lymphoma: log ratios of 4026 genes in 96 samples, missing ones filled with the gene's mean;
/// centred, S = X'X/n.
/// Source  A. Alizadeh et al., Nature 403:503, 2000

#include "spca/data/readers/dataset_files.h"

namespace spca::dataset_lymphoma {
namespace {

constexpr const char* kLymphomaFile = "lymphoma/lymphoma_96x4026.csv.gz";
constexpr const char* kLymphomaLabels = "lymphoma/labels_96.csv";

Dataset load_lymphoma(const NoOptions&, const DatasetRequest& request) {
  return with_labels(load_data_file(request, kLymphomaFile, true), request, kLymphomaLabels);
}

SPCA_DATASET("lymphoma", load_lymphoma,
             (DatasetTraits{.summary = "lymphoma, log ratios of genes, centred",
                            .shape = "96 x 4026",
                            .source = "Alizadeh et al., Nature 403:503, 2000",
                            .files = {kLymphomaFile, kLymphomaLabels}}));

}  // namespace
}  // namespace spca::dataset_lymphoma
