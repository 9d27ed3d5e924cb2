/// SECOM: sensors of a semiconductor line and whether the product passed (-1) or failed (1); a
/// quarter of the samples, drawn with the shares of the classes. Missing values of a sensor (4.7 %
/// of the entries) are replaced by the median of its other values, or by their mean. 122 sensors
/// never vary: they remain, with variance zero. Centred, S = X'X/n, on the sensors' own scales.
///
/// Source  M. McCann, A. Johnston, SECOM, UCI Machine Learning Repository, 2008

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "spca/base/error.h"
#include "spca/base/text.h"
#include "spca/covariance/covariance_dense.h"
#include "spca/data/data_folder.h"
#include "spca/data/files/dataset_files.h"
#include "spca/data/readers/csv.h"

namespace spca::dataset_secom {
namespace {

constexpr const char* kSecomFile = "secom/secom_392x590_subset.csv.gz";
constexpr const char* kSecomLabels = "secom/labels.csv";

struct SecomOptions {
  std::string missing = "median";
  bool centered = true;

  void describe(OptionVisitor& visit) {
    visit("missing", missing, "statistic of the sensor's values that replaces missing ones",
          {"median", "mean"});
    visit("centered", centered, "subtract the means of the columns");
  }
};

/// Returns the values, NaN where the file has none, and sets `names` to the names of the sensors.
Matrix read_with_gaps(const std::filesystem::path& path, std::vector<std::string>& names) {
  const std::vector<CsvRow> rows = read_csv_rows(path);
  names = rows.empty() ? std::vector<std::string>() : rows[0].fields;
  if (rows.size() < 3) {
    throw InputError(fmt::format("{}: found {} lines; accepted: names and two samples or more",
                                 path.string(), rows.size()));
  }
  Matrix data(static_cast<Index>(rows.size() - 1), static_cast<Index>(names.size()));
  for (std::size_t i = 1; i < rows.size(); ++i) {
    if (rows[i].fields.size() != names.size()) {
      throw InputError(fmt::format("{}:{}: found {} fields; accepted: {}", path.string(),
                                   rows[i].line, rows[i].fields.size(), names.size()));
    }
    for (std::size_t j = 0; j < names.size(); ++j) {
      const std::string& field = rows[i].fields[j];
      const std::optional<double> value =
          field.empty() ? std::numeric_limits<double>::quiet_NaN() : parse_number(field);
      if (!value || std::isinf(*value)) {
        throw InputError(fmt::format("{}:{}: column {}: found {}; accepted: a number or NaN",
                                     path.string(), rows[i].line, j + 1, in_quotes(field)));
      }
      data(static_cast<Index>(i) - 1, static_cast<Index>(j)) = *value;
    }
  }
  return data;
}

/// Returns the median of at least one value: of an even number, the mean of the two in the middle.
double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : std::midpoint(values[half - 1], values[half]);
}

/// Replaces missing values by the median or the mean of the sensor. A sensor without any value is
/// set to 0.
void fill_gaps(bool by_median, Matrix& data) {
  for (auto column : data.colwise()) {
    std::vector<double> values;
    std::copy_if(column.begin(), column.end(), std::back_inserter(values),
                 [](double value) { return !std::isnan(value); });
    double filling = 0;
    if (!values.empty()) {
      filling = by_median ? median(values)
                          : std::accumulate(values.begin(), values.end(), 0.0) /
                                static_cast<double>(values.size());
    }
    for (double& value : column) {
      value = std::isnan(value) ? filling : value;
    }
  }
}

Dataset load_secom(const SecomOptions& options, const DatasetRequest& request) {
  std::vector<std::string> names;
  Matrix data = read_with_gaps(find_data_file(request.data_dir, kSecomFile), names);
  fill_gaps(options.missing == "median", data);
  Dataset dataset{.covariance = make_covariance(std::move(data), {.centered = options.centered}),
                  .variable_names = std::move(names),
                  .truth = {}};
  return with_labels(std::move(dataset), request, kSecomLabels);
}

SPCA_DATASET("secom", load_secom,
             (DatasetTraits{.summary = "sensors of a semiconductor line, gaps filled, centred",
                            .shape = "392 x 590",
                            .source = "McCann, Johnston, SECOM, UCI, 2008",
                            .files = {kSecomFile, kSecomLabels}}));

}  // namespace
}  // namespace spca::dataset_secom
