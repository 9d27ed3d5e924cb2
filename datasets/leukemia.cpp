/// Leukemia (ALL, MLL, AML): raw Affymetrix values of 12582 probe sets in 72 samples, centred,
/// S = X'X/n.
/// Source  S. Armstrong et al., Nature Genetics 30:41, 2002

#include "spca/data/readers/dataset_files.h"

namespace spca::dataset_leukemia {
namespace {

constexpr const char* kLeukemiaFile = "leukemia/mll_72x12582.csv.gz";
constexpr const char* kLeukemiaLabels = "leukemia/labels.csv";

Dataset load_leukemia(const NoOptions&, const DatasetRequest& request) {
  return with_labels(load_data_file(request, kLeukemiaFile, true), request, kLeukemiaLabels);
}

SPCA_DATASET("leukemia", load_leukemia,
             (DatasetTraits{.summary = "leukemia, raw intensities of probe sets, centred",
                            .shape = "72 x 12582",
                            .source = "Armstrong et al., Nature Genetics 30:41, 2002",
                            .files = {kLeukemiaFile, kLeukemiaLabels}}));

}  // namespace
}  // namespace spca::dataset_leukemia
