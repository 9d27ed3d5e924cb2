/// The 500 x 500 matrix of colon cancer genes that the sparse PCA papers use.
///
///   file  as published.
///   raw   from the 62 x 2000 intensities: natural logarithm; each sample standardised over the
///         genes (divisor 1999); the 500 genes of largest variance over the samples, in the order
///         of the file; S = Z'Z, not centred.
///
/// Source  U. Alon et al., PNAS 96:6745, 1999; the matrix is distributed with PathSPCA
///         (A. d'Aspremont, F. Bach, L. El Ghaoui, JMLR 9:1269, 2008)

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "spca/base/error.h"
#include "spca/covariance/covariance_explicit.h"
#include "spca/data/data_folder.h"
#include "spca/data/files/dataset_files.h"
#include "spca/data/readers/read_file.h"
#include "spca/dense/dense_products.h"
#include "spca/dense/dense_selections.h"

namespace spca::dataset_colon500 {
namespace {

constexpr const char* kMatrixFile = "colon/cov500.csv.gz";
constexpr const char* kIndexFile = "colon/cov500_gene_index.csv.gz";
constexpr const char* kRawFile = "colon/colon_62x2000.csv.gz";
constexpr const char* kGenes = "colon/genes.csv.gz";
constexpr Index kGeneCount = 500;

struct Colon500Options {
  std::string source = "file";

  void describe(OptionVisitor& visit) {
    visit("source", source, "the published matrix, or the same computed from the intensities",
          {"file", "raw"});
  }
};

/// Returns the names of the genes in these columns of the raw data, counted from 0: "g1", "g2", ...
/// for genes without a name.
std::vector<std::string> gene_names(const DatasetRequest& request, const Support& genes) {
  const std::vector<std::string> all = load_column(request, kGenes, "gene");
  std::vector<std::string> names;
  for (const Index gene : genes) {
    const auto at = static_cast<std::size_t>(gene);
    names.push_back(at < all.size() ? all[at] : fmt::format("g{}", gene + 1));
  }
  return names;
}

Dataset load_published(const DatasetRequest& request) {
  Dataset dataset = load_covariance_file(request, kMatrixFile);
  Support genes;
  for (const std::string& word : load_column(request, kIndexFile, "gene_index_1based")) {
    const Index gene = std::atoll(word.c_str()) - 1;
    if (gene < 0) {
      throw InputError(fmt::format("{}: found \"{}\"; accepted: the number of a gene, from 1",
                                   kIndexFile, word));
    }
    genes.push_back(gene);
  }
  if (!genes.empty() && static_cast<Index>(genes.size()) != dataset.covariance->variables()) {
    throw InputError(fmt::format("{}: found {} genes; accepted: {}, one for each variable",
                                 kIndexFile, genes.size(), dataset.covariance->variables()));
  }
  dataset.variable_names = gene_names(request, genes);
  return dataset;
}

Support genes_of_largest_variance(const Matrix& data) {
  const Vector variances = (data.rowwise() - data.colwise().mean()).colwise().squaredNorm();
  Support genes = all_variables(data.cols());
  std::stable_sort(genes.begin(), genes.end(),
                   [&](Index a, Index b) { return variances[a] > variances[b]; });
  genes.resize(static_cast<std::size_t>(kGeneCount));
  std::sort(genes.begin(), genes.end());
  return genes;
}

Dataset load_from_intensities(const DatasetRequest& request) {
  const std::filesystem::path path = find_data_file(request.data_dir, kRawFile);
  Matrix data = read_matrix_file(path).dense;
  if (data.cols() < kGeneCount || data.rows() < 2 || data.minCoeff() <= 0) {
    throw InputError(
        fmt::format("{}: found {} x {} numbers, the smallest {}; accepted: at least "
                    "{} genes and positive intensities",
                    path.string(), data.rows(), data.cols(), data.minCoeff(), kGeneCount));
  }
  data = data.array().log().matrix();
  data.colwise() -= data.rowwise().mean().eval();
  const double degrees = static_cast<double>(data.cols() - 1);
  const Vector deviations = (data.rowwise().squaredNorm() / degrees).cwiseSqrt();
  data = deviations.cwiseInverse().asDiagonal() * data;
  const Support genes = genes_of_largest_variance(data);
  const Matrix selected = selected_columns(data, genes);
  return {.covariance = make_explicit_covariance(transposed_product(selected, selected)),
          .variable_names = gene_names(request, genes),
          .truth = {}};
}

Dataset load_colon500(const Colon500Options& options, const DatasetRequest& request) {
  return options.source == "file" ? load_published(request) : load_from_intensities(request);
}

SPCA_DATASET("colon500", load_colon500,
             (DatasetTraits{.summary = "colon cancer, the published matrix of 500 genes",
                            .shape = "500 x 500 covariance",
                            .source = "Alon et al., PNAS 96:6745, 1999; PathSPCA",
                            .files = {kMatrixFile, kRawFile, kIndexFile, kGenes}}));

}  // namespace
}  // namespace spca::dataset_colon500
