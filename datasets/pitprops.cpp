/// Pit props: the 13 x 13 correlation matrix of 180 pit props, the oldest test case of sparse PCA.
/// The numbers are in datasets/pitprops.json, which is built into the program.
/// Source  J. N. R. Jeffers, Two case studies in the application of principal component analysis,
///         Applied Statistics 16:225-236, 1967

#include "spca/data/correlation_file.h"

namespace spca::dataset_pitprops {
namespace {

Dataset load_pitprops(const NoOptions&, const DatasetRequest&) {
  return built_in_correlation("pitprops.json");
}

SPCA_DATASET("pitprops", load_pitprops,
             (DatasetTraits{.summary = "correlations of 13 measurements on 180 pit props; built in",
                            .shape = "13 x 13 correlation",
                            .source = "Jeffers, Applied Statistics 16:225, 1967"}));

}  // namespace
}  // namespace spca::dataset_pitprops
