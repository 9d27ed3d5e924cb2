/// Colon cancer: raw Affymetrix intensities of 2000 genes in 62 samples, centred, S = X'X/n.
/// Classes: normal 0, tumour 1.
/// Source  U. Alon et al., PNAS 96:6745, 1999

#include <fmt/format.h>

#include "spca/base/error.h"
#include "spca/data/readers/dataset_files.h"

namespace spca::dataset_colon {
namespace {

constexpr const char* kColonFile = "colon/colon_62x2000.csv.gz";
constexpr const char* kColonGenes = "colon/genes.csv.gz";
constexpr const char* kColonLabels = "colon/labels.csv";

Dataset load_colon(const NoOptions&, const DatasetRequest& request) {
  Dataset dataset = load_data_file(request, kColonFile, true);
  std::vector<std::string> genes = load_column(request, kColonGenes, "gene");
  if (!genes.empty()) {
    if (static_cast<Index>(genes.size()) != dataset.covariance->variables()) {
      throw InputError(fmt::format("{}: found {} genes; accepted: {}, one for each variable",
                                   kColonGenes, genes.size(), dataset.covariance->variables()));
    }
    dataset.variable_names = std::move(genes);
  }
  return with_labels(std::move(dataset), request, kColonLabels);
}

SPCA_DATASET("colon", load_colon,
             (DatasetTraits{.summary = "colon cancer, raw intensities of genes, centred",
                            .shape = "62 x 2000",
                            .source = "Alon et al., PNAS 96:6745, 1999",
                            .files = {kColonFile, kColonGenes, kColonLabels}}));

}  // namespace
}  // namespace spca::dataset_colon
