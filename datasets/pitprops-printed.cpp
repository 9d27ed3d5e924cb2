/// Pit props with the loadings that the encoders paper prints beside its Figure 1 as the truth: two
/// components of three methods, one decimal. Its table has lost its grid in the available text. The
/// table below can be reconstructed: the columns of T-Power and both of G-Power come as pairs of
/// rows. Those of Batch and Iterative cannot, and are omitted.
///
///   variable          T-Power    G-Power-l0  G-Power-l1
///   topdiam, length   .5 .5 | -  .7 .7 | -   .6 .6 | -
///   moist, testsg     - | .6 .6
///   ringtop           - | .3     - | .7      - | .7
///   ringbut           .4 | -     - | .7      - | .7
///   bowdist           .4 | -                 .5 | -
///   whorls            .4 | -.2
///   knots             - | .3
///
/// Source  M. Magdon-Ismail, C. Boutsidis, Optimal sparse linear encoders and sparse PCA, NIPS
///         2016, section 4; the correlations by Jeffers, Applied Statistics 16:225, 1967

#include "spca/covariance/covariance_dense.h"
#include "spca/data/correlation_file.h"
#include "spca/dense/dense_selections.h"

namespace spca::dataset_pitprops_printed {
namespace {

struct PitpropsPrintedOptions {
  std::string method = "tpower";
  bool as_data = false;

  void describe(OptionVisitor& visit) {
    visit("method", method, "the method whose printed loadings are the truth",
          {"tpower", "gpower-l0", "gpower-l1"});
    visit("as_data", as_data, "the correlation matrix is X, and S its square; otherwise it is S");
  }
};

std::vector<Component> printed_loadings(const std::string& method) {
  if (method == "tpower") {
    return {{.support = {0, 1, 6, 8, 9}, .values = Vector{{0.5, 0.5, 0.4, 0.4, 0.4}}},
            {.support = {2, 3, 5, 9, 11}, .values = Vector{{0.6, 0.6, 0.3, -0.2, 0.3}}}};
  }
  const Component second = {.support = {5, 6}, .values = Vector{{0.7, 0.7}}};
  if (method == "gpower-l0") {
    return {{.support = {0, 1}, .values = Vector{{0.7, 0.7}}}, second};
  }
  return {{.support = {0, 1, 8}, .values = Vector{{0.6, 0.6, 0.5}}}, second};
}

Dataset load_pitprops_printed(const PitpropsPrintedOptions& options, const DatasetRequest&) {
  Dataset dataset = built_in_correlation("pitprops.json");
  if (options.as_data) {
    dataset.covariance = make_covariance(
        dataset.covariance->submatrix(all_variables(dataset.covariance->variables())),
        {.centered = false, .scale = Scale::kNone});
  }
  dataset.truth = printed_loadings(options.method);
  return dataset;
}

SPCA_DATASET("pitprops-printed", load_pitprops_printed,
             (DatasetTraits{.summary = "pit props with printed loadings as the truth",
                            .shape = "13 x 13 correlation",
                            .source = "Magdon-Ismail, Boutsidis, NIPS 2016, section 4"}));

}  // namespace
}  // namespace spca::dataset_pitprops_printed
