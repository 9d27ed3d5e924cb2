/// Pit props read the other way: the 13 x 13 correlation matrix R is taken for the data matrix X,
/// so S = X'X = R^2. Magdon-Ismail and Boutsidis write "PitProps (X in R^{13x13})"; with X'X =
/// R their X would have 180 rows.
/// Source  M. Magdon-Ismail, C. Boutsidis, Optimal sparse linear encoders and sparse PCA, NIPS
///         2016, section 4; the numbers by Jeffers, Applied Statistics 16:225, 1967

#include "spca/covariance/covariance_dense.h"
#include "spca/data/correlation_file.h"
#include "spca/dense/dense_selections.h"

namespace spca::dataset_pitprops_as_data {
namespace {

Dataset load_pitprops_as_data(const NoOptions&, const DatasetRequest&) {
  Dataset dataset = built_in_correlation("pitprops.json");
  dataset.covariance =
      make_covariance(dataset.covariance->submatrix(all_variables(dataset.covariance->variables())),
                      {.centered = false, .scale = Scale::kNone});
  return dataset;
}

SPCA_DATASET("pitprops-as-data", load_pitprops_as_data,
             (DatasetTraits{.summary = "the correlation matrix of pit props as X; built in",
                            .shape = "13 x 13 data",
                            .source = "Magdon-Ismail, Boutsidis, NIPS 2016, section 4"}));

}  // namespace
}  // namespace spca::dataset_pitprops_as_data
