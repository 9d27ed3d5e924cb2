/// Motor Trend cars: 11 measurements on 32 cars; S is their correlation matrix, or the covariance
/// matrix with divisor n - 1.
/// Source  H. Henderson, P. Velleman, Biometrics 37:391, 1981; R's data set mtcars

#include <fmt/format.h>

#include "spca/base/error.h"
#include "spca/covariance/covariance_dense.h"
#include "spca/data/files/dataset_files.h"

namespace spca::dataset_mtcars {
namespace {

constexpr const char* kFile = "mtcars/mtcars.csv";

Dataset load_mtcars(const MatrixOptions& options, const DatasetRequest& request) {
  NamedTable table = load_named_table(request, kFile);
  Matrix& data = table.numbers;
  DataForm form = {.centered = true, .scale = Scale::kSamplesMinusOne};
  if (options.matrix == "correlation") {
    // Columns of mean zero and length one: then S = X'X is the correlation matrix.
    data.rowwise() -= data.colwise().mean().eval();
    const Vector lengths = data.colwise().norm();
    if (lengths.minCoeff() == 0) {
      throw InputError(fmt::format(
          "{}: found a column that is constant; accepted: columns that vary, as correlations are "
          "asked for",
          kFile));
    }
    data = data * lengths.cwiseInverse().asDiagonal();
    form = {.centered = false, .scale = Scale::kNone};
  }
  return {.covariance = make_covariance(std::move(data), form),
          .variable_names = std::move(table.names),
          .truth = {}};
}

SPCA_DATASET("mtcars", load_mtcars,
             (DatasetTraits{.summary = "measurements on cars, correlation or covariance; built in",
                            .shape = "32 x 11",
                            .source = "Henderson, Velleman, Biometrics 37:391, 1981",
                            .files = {kFile}}));

}  // namespace
}  // namespace spca::dataset_mtcars
