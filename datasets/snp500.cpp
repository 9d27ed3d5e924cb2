/// S&P 500: correlations of the daily log returns of 423 stocks, 2010 to 2019, without the market's
/// part. The leading eigenvector v of the correlations is projected out on both sides,
/// (I - vv')S(I - vv'), so the variances are not 1: tr S = 267.63. The data set
/// `correlation of=snp500` scales them to 1.
/// Source  R. Cory-Wright, J. Pauphilet, R package msPCA 0.5.1, data/snp500

#include "spca/base/error.h"
#include "spca/covariance/covariance_explicit.h"
#include "spca/data/files/dataset_files.h"

namespace spca::dataset_snp500 {
namespace {

constexpr const char* kFile = "snp500/snp500_corr.csv.gz";

Dataset load_snp500(const NoOptions&, const DatasetRequest& request) {
  NamedTable table = load_named_table(request, kFile);
  if (table.numbers.rows() != table.numbers.cols()) {
    throw InputError(std::string(kFile) + ": accepted: as many lines of numbers as names");
  }
  // The file has both triangles, with eight digits. The mean is symmetric in any case.
  const Matrix mean = 0.5 * (table.numbers + table.numbers.transpose());
  return {.covariance = make_explicit_covariance(mean),
          .variable_names = std::move(table.names),
          .truth = {}};
}

SPCA_DATASET("snp500", load_snp500,
             (DatasetTraits{.summary = "correlations of 423 stocks without the market's part",
                            .shape = "423 x 423, rank 422",
                            .source = "R package msPCA, data snp500; CC0",
                            .files = {kFile}}));

}  // namespace
}  // namespace spca::dataset_snp500
