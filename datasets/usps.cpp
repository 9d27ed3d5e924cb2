/// USPS: grey images of 16 x 16 pixels in [-1, 1] of handwritten digits from zip codes. Has the
/// training samples of some digits, 1 and 5 by default. Centred, S = X'X/n. The digits are the
/// classes, if there are at least two.
/// Source  Y. LeCun et al., Handwritten digit recognition with a back-propagation network, NIPS
///         1989; as distributed with T. Hastie, R. Tibshirani, J. Friedman, The Elements of
///         Statistical Learning

#include <fmt/format.h>

#include <algorithm>

#include "spca/base/error.h"
#include "spca/covariance/covariance_dense.h"
#include "spca/data/content/file_content.h"
#include "spca/data/data_folder.h"
#include "spca/data/files/dataset_files.h"
#include "spca/data/readers/read_file.h"

namespace spca::dataset_usps {
namespace {

constexpr const char* kUspsFile = "usps/zip_train_7291x256.csv.gz";
constexpr const char* kUspsLabels = "usps/labels_train.csv";

struct UspsOptions {
  std::vector<double> digits = {1, 5};
  bool centered = true;

  void describe(OptionVisitor& visit) {
    visit("digits", digits, "the digits whose samples are used, which are the classes",
          between(0, 9));
    visit("centered", centered, "subtract the means of the columns");
  }
};

Dataset load_usps(const UspsOptions& options, const DatasetRequest& request) {
  const std::filesystem::path path = find_data_file(request.data_dir, kUspsFile);
  find_data_file(request.data_dir, kUspsLabels);  // the samples cannot be selected without them
  FileContent content = read_matrix_file(path);
  const std::vector<std::string> labels = load_column(request, kUspsLabels, "label");
  if (static_cast<Index>(labels.size()) != content.dense.rows()) {
    throw InputError(fmt::format("{}: found {} digits; accepted: {}, one for each sample",
                                 kUspsLabels, labels.size(), content.dense.rows()));
  }
  std::vector<Index> rows;
  std::vector<int> classes;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const int digit = std::atoi(labels[i].c_str());
    if (std::find(options.digits.begin(), options.digits.end(), digit) != options.digits.end()) {
      rows.push_back(static_cast<Index>(i));
      classes.push_back(digit);
    }
  }
  if (rows.size() < 2) {
    throw InputError("/options/digits: found no samples of these; accepted: digits from 0 to 9");
  }
  const bool has_classes =
      std::any_of(classes.begin(), classes.end(), [&](int digit) { return digit != classes[0]; });
  Matrix selected = content.dense(rows, Eigen::all);
  return {.covariance = make_covariance(std::move(selected), {.centered = options.centered}),
          .variable_names = std::move(content.variable_names),
          .truth = {},
          .labels = has_classes ? std::move(classes) : std::vector<int>()};
}

SPCA_DATASET("usps", load_usps,
             (DatasetTraits{.summary = "pixels of the handwritten digits 1 and 5, centred",
                            .shape = "1561 x 256",
                            .source = "LeCun et al., NIPS 1989; Hastie, Tibshirani, Friedman",
                            .files = {kUspsFile, kUspsLabels}}));

}  // namespace
}  // namespace spca::dataset_usps
