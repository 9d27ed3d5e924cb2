/// Wine: 13 chemical measurements on 178 wines; S is their correlation matrix, or the covariance
/// matrix with divisor n - 1, as in the published optima.
/// Source  M. Forina et al., UCI Machine Learning Repository, 1991

#include <fmt/format.h>

#include "spca/base/error.h"
#include "spca/covariance/covariance_dense.h"
#include "spca/data/content/file_content.h"
#include "spca/data/data_folder.h"
#include "spca/data/files/dataset_files.h"
#include "spca/data/readers/read_file.h"

namespace spca::dataset_wine {
namespace {

constexpr const char* kWineFile = "wine/wine_178x13.csv";
constexpr const char* kWineLabels = "wine/labels.csv";

Dataset load_wine(const MatrixOptions& options, const DatasetRequest& request) {
  const std::filesystem::path path = find_data_file(request.data_dir, kWineFile);
  FileContent content = read_matrix_file(path);
  Matrix& data = content.dense;
  DataForm form = {.centered = true, .scale = Scale::kSamplesMinusOne};
  if (options.matrix == "correlation") {
    // Columns of mean zero and length one: then S = X'X is the correlation matrix.
    data.rowwise() -= data.colwise().mean().eval();
    const Vector lengths = data.colwise().norm();
    if (data.size() == 0 || lengths.minCoeff() == 0) {
      throw InputError(
          fmt::format("{}: found a column that is constant; accepted: columns that "
                      "vary, as correlations are asked for",
                      path.string()));
    }
    data = data * lengths.cwiseInverse().asDiagonal();
    form = {.centered = false, .scale = Scale::kNone};
  }
  Dataset dataset{.covariance = make_covariance(std::move(data), form),
                  .variable_names = std::move(content.variable_names),
                  .truth = {}};
  return with_labels(std::move(dataset), request, kWineLabels);
}

SPCA_DATASET("wine", load_wine,
             (DatasetTraits{
                 .summary = "chemical measurements on wines, correlation or covariance; built in",
                 .shape = "178 x 13",
                 .source = "Forina et al., UCI, 1991",
                 .files = {kWineFile, kWineLabels}}));

}  // namespace
}  // namespace spca::dataset_wine
