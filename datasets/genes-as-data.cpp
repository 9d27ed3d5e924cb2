/// Genes read the other way: a published 500 x 500 matrix C of genes is taken for the data matrix
/// X, so S = X'X = C'C. Magdon-Ismail and Boutsidis write "Colon (X in R^{500x500})"; with X'X
/// = C their X would have as many rows as there are samples.
/// Source  M. Magdon-Ismail, C. Boutsidis, Optimal sparse linear encoders and sparse PCA, NIPS
///         2016, section 4; the matrices are distributed with PathSPCA (A. d'Aspremont, F. Bach,
///         L. El Ghaoui, JMLR 9:1269, 2008)

#include "spca/covariance/covariance_dense.h"
#include "spca/data/files/dataset_files.h"
#include "spca/dense/dense_selections.h"

namespace spca::dataset_genes_as_data {
namespace {

constexpr const char* kColonFile = "colon/cov500.csv.gz";
constexpr const char* kLymphomaFile = "lymphoma/cov500.csv.gz";

struct GenesAsDataOptions {
  std::string of = "colon500";

  void describe(OptionVisitor& visit) {
    visit("of", of, "the data set whose matrix is used", {"colon500", "lymphoma500"});
  }
};

Dataset load_genes_as_data(const GenesAsDataOptions& options, const DatasetRequest& request) {
  Dataset dataset =
      load_covariance_file(request, options.of == "colon500" ? kColonFile : kLymphomaFile);
  dataset.covariance =
      make_covariance(dataset.covariance->submatrix(all_variables(dataset.covariance->variables())),
                      {.centered = false, .scale = Scale::kNone});
  return dataset;
}

SPCA_DATASET("genes-as-data", load_genes_as_data,
             (DatasetTraits{.summary = "a published matrix of 500 genes as X",
                            .shape = "500 x 500 data",
                            .source = "Magdon-Ismail, Boutsidis, NIPS 2016, section 4",
                            .files = {kColonFile, kLymphomaFile}}));

}  // namespace
}  // namespace spca::dataset_genes_as_data
