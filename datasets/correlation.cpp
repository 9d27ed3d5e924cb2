/// The correlation matrix of another data set: S_ij is the correlation of variables i and j, and
/// all variances are 1. A solver that begins with the largest variance learns nothing from them.
///
/// The data are centred. Variables that do not vary are dropped. A missing number is replaced by
/// the mean of its column. A published covariance is scaled to a diagonal of ones. S itself is
/// formed, which the largest of these data sets (617 variables) allows.
///
/// pitprops-retyped is the matrix of the benchmark of the R package msPCA. There pit props were
/// typed again, and five correlations of diaknot differ.
///
/// Source  datasets/sources.json names the source of each file; snp500 and mtcars are distributed
///         with R packages (daily returns of stocks without the market's part; H. Henderson, P.
///         Velleman, Biometrics 37:391, 1981)

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "spca/base/error.h"
#include "spca/base/text.h"
#include "spca/covariance/covariance_explicit.h"
#include "spca/data/correlation_file.h"
#include "spca/data/data_folder.h"
#include "spca/data/dataset.h"
#include "spca/data/readers/csv.h"
#include "spca/dense/dense_products.h"

namespace spca::dataset_correlation {
namespace {

struct Origin {
  std::string name;
  std::string file;           // empty if built in
  bool is_symmetric = false;  // a covariance or correlation, not samples
};

const std::vector<Origin>& origins() {
  static const std::vector<Origin> all = {
      {"arrhythmia", "arrhythmia/arrhythmia_corr_257.csv.gz", true},
      {"cbcl", "cbcl/cbcl_faces_2429x361_x256.csv.gz"},
      {"colon500", "colon/cov500.csv.gz", true},
      {"communities", "communities/communities_corr_101.csv.gz", true},
      {"eisen1", "eisen1/eisen1_cov.csv.gz", true},
      {"isolet5", "isolet5/isolet5_1559x617.csv.gz"},
      {"lymphoma500", "lymphoma/cov500.csv.gz", true},
      {"madelon", "madelon/madelon_train_2000x500.csv.gz"},
      {"mfeat_pix", "mfeat_pix/mfeat-pix.txt.gz"},
      {"miniboone", "miniboone/miniboone_corr_50.csv.gz", true},
      {"mtcars", "mtcars/mtcars.csv"},
      {"pitprops", "", true},
      {"pitprops-retyped", "", true},
      {"secom", "secom/secom_392x590_subset.csv.gz"},
      {"snp500", "snp500/snp500_corr.csv.gz", true},
      {"spambase", "spambase/spambase_4601x57.csv.gz"},
      {"usps", "usps/zip_train_7291x256.csv.gz"},
      {"wine", "wine/wine_178x13.csv"},
  };
  return all;
}

Choices names() {
  Choices names;
  for (const Origin& origin : origins()) {
    names.push_back(origin.name);
  }
  return names;
}

std::vector<std::string> files() {
  std::vector<std::string> files;
  for (const Origin& origin : origins()) {
    if (!origin.file.empty()) {
      files.push_back(origin.file);
    }
  }
  return files;
}

struct CorrelationOptions {
  std::string of = "spambase";

  void describe(OptionVisitor& visit) {
    visit("of", of, "the data set whose correlations S holds", names());
  }
};

struct Table {
  Matrix numbers;  // NaN for a missing number
  std::vector<std::string> names;
};

/// Reads a CSV file. Its first line and its first column may hold names.
Table read_table(const std::filesystem::path& path) {
  const std::vector<CsvRow> rows = read_csv_rows(path);
  if (rows.size() < 3) {
    throw InputError(
        fmt::format("{}: found {} lines; accepted: at least 3", path.string(), rows.size()));
  }
  const std::size_t left = parse_number(rows[2].fields[0]) ? 0 : 1;
  const auto width = static_cast<Index>(rows[2].fields.size() - left);
  const bool has_header = width > 0 && !parse_number(rows[0].fields.back());
  Table table;
  if (has_header) {
    const auto first = rows[0].fields.end() - std::min(width, std::ssize(rows[0].fields));
    table.names.assign(first, rows[0].fields.end());
  }
  const std::size_t top = has_header ? 1 : 0;
  table.numbers.resize(static_cast<Index>(rows.size() - top), width);
  for (std::size_t i = top; i < rows.size(); ++i) {
    const CsvRow& row = rows[i];
    if (std::ssize(row.fields) != width + static_cast<Index>(left)) {
      throw InputError(fmt::format("{}:{}: found {} fields; accepted: {}", path.string(), row.line,
                                   row.fields.size(), rows[2].fields.size()));
    }
    for (Index j = 0; j < width; ++j) {
      const std::string& field = row.fields[static_cast<std::size_t>(j) + left];
      const std::optional<double> number =
          field.empty() ? std::numeric_limits<double>::quiet_NaN() : parse_number(field);
      if (!number || std::isinf(*number)) {
        throw InputError(fmt::format("{}:{}: column {}: found {}; accepted: a number or NaN",
                                     path.string(), row.line, j + 1, in_quotes(field)));
      }
      table.numbers(static_cast<Index>(i - top), j) = *number;
    }
  }
  return table;
}

/// Returns X'X of the centred columns; a NaN counts as the mean of its column.
Matrix scatter(Matrix data) {
  for (auto column : data.colwise()) {
    const auto known = column.array() == column.array();  // false for NaN alone
    const auto count = static_cast<double>(known.count());
    const double mean = count > 0 ? known.select(column, 0.0).sum() / count : 0;
    column = known.select(column.array() - mean, 0.0).eval();
    // The remainder of a constant after subtraction of its mean is rounding.
    if (column.cwiseAbs().maxCoeff() <= 1e-12 * std::abs(mean)) {
      column.setZero();
    }
  }
  return transposed_product(data, data);
}

Table symmetric_table(const Origin& origin, const DatasetRequest& request) {
  if (!origin.file.empty()) {
    Table table = read_table(find_data_file(request.data_dir, origin.file));
    if (!origin.is_symmetric) {
      table.numbers = scatter(std::move(table.numbers));
    }
    return table;
  }
  const Dataset built_in = built_in_correlation((origin.name + ".json").c_str());
  Support all(static_cast<std::size_t>(built_in.covariance->variables()));
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i] = static_cast<Index>(i);
  }
  return {.numbers = built_in.covariance->submatrix(all), .names = built_in.variable_names};
}

Dataset load_correlation(const CorrelationOptions& options, const DatasetRequest& request) {
  const auto origin = std::find_if(origins().begin(), origins().end(),
                                   [&](const Origin& one) { return one.name == options.of; });
  const Table table = symmetric_table(*origin, request);
  if (table.numbers.rows() != table.numbers.cols()) {
    throw InputError(fmt::format("{}: found {} x {} numbers; accepted: a square matrix",
                                 origin->file, table.numbers.rows(), table.numbers.cols()));
  }
  Support varying;
  std::vector<std::string> names;
  for (Index j = 0; j < table.numbers.cols(); ++j) {
    if (table.numbers(j, j) > 0) {
      varying.push_back(j);
      if (!table.names.empty()) {
        names.push_back(table.names[static_cast<std::size_t>(j)]);
      }
    }
  }
  Matrix s = table.numbers(varying, varying);
  const Vector inverse = s.diagonal().cwiseSqrt().cwiseInverse();
  s = inverse.asDiagonal() * (0.5 * (s + s.transpose())).eval() * inverse.asDiagonal();
  s.diagonal().setOnes();
  return {.covariance = make_explicit_covariance(std::move(s)),
          .variable_names = std::move(names),
          .truth = {}};
}

SPCA_DATASET("correlation", load_correlation,
             (DatasetTraits{.summary = "the correlations of another data set's variables",
                            .shape = "p x p correlation",
                            .source = "datasets/sources.json",
                            .files = files()}));

}  // namespace
}  // namespace spca::dataset_correlation
