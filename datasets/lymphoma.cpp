/// Lymphoma: log ratios of 4026 genes in 96 samples, missing ones filled with the gene's mean;
/// centred, S = X'X/n.
/// Source  A. Alizadeh et al., Nature 403:503, 2000

#include "spca/dataset_files.h"

namespace spca {
namespace {

constexpr const char* kLymphomaFile = "lymphoma/lymphoma_96x4026.csv.gz";

Dataset load_lymphoma(const NoOptions&, const DatasetRequest& request) {
  return load_data_file(request, kLymphomaFile, true);
}

SPCA_DATASET("lymphoma", load_lymphoma,
             (DatasetTraits{.summary = "lymphoma, log ratios of genes, centred",
                            .shape = "96 x 4026",
                            .source = "Alizadeh et al., Nature 403:503, 2000",
                            .files = {kLymphomaFile}}));

}  // namespace
}  // namespace spca
