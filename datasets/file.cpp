/// A file of the user, in any format that the readers take: what `--data` reads, for an experiment.
/// The file's checksum is part of a record's key, its place is not.

#include <fmt/format.h>

#include <map>

#include "spca/base/error.h"
#include "spca/data/dataset.h"
#include "spca/data/readers/read_dataset.h"

namespace spca::dataset_file {
namespace {

struct FileOptions {
  std::string path;
  std::string kind = "auto";
  std::string center = "auto";
  std::string scale = "n";
  bool standardize = false;
  std::string missing = "error";
  std::string separator = "auto";
  std::string decimal = "auto";
  std::string header = "auto";
  std::string row_names = "auto";
  std::string names;
  BagOptions bag;

  void describe(OptionVisitor& visit) {
    visit("path", path,
          "the file, absolute or relative to the experiment's folder; FILE:MATRIX in HDF5");
    visit("kind", kind,
          "what it holds: rows of samples (data) or S itself (covariance); auto: data, unless "
          "Matrix Market says that it is symmetric",
          {"auto", "data", "covariance"});
    visit("center", center, "subtract the means of the columns; auto: yes, but of counts of words",
          {"auto", "yes", "no"});
    visit("scale", scale, "S = X'X / n, / (n - 1) or / 1", {"n", "n-1", "none"});
    visit("standardize", standardize,
          "S is the correlation matrix; constant variables are set aside: their variance is 0");
    visit("missing", missing,
          "what becomes of missing values: an error that counts them, the mean of their column, or "
          "rows or columns are left out",
          {"error", "mean", "drop-rows", "drop-columns"});
    visit("separator", separator, "of fields of CSV; auto: as the first lines show",
          {"auto", "comma", "semicolon", "tab", "blank"});
    visit("decimal", decimal, "sign of numbers of CSV; auto: as the numbers show",
          {"auto", "point", "comma"});
    visit("header", header, "whether the first line of CSV names the columns; auto: as it shows",
          {"auto", "yes", "no"});
    visit("row_names", row_names,
          "whether the first column of CSV names the rows; auto: as it shows",
          {"auto", "yes", "no"});
    visit("names", names, "a file with the name of a variable on each line; empty: none");
    bag.describe(visit);
  }
};

std::optional<bool> answer(const std::string& word) {
  return word == "auto" ? std::nullopt : std::optional(word == "yes");
}

CsvForm csv_form(const FileOptions& options) {
  static const std::map<std::string, char> kSeparators = {
      {"auto", 0}, {"comma", ','}, {"semicolon", ';'}, {"tab", '\t'}, {"blank", ' '}};
  static const std::map<std::string, char> kDecimals = {
      {"auto", 0}, {"point", '.'}, {"comma", ','}};
  return {.separator = kSeparators.at(options.separator),
          .decimal = kDecimals.at(options.decimal),
          .header = answer(options.header),
          .row_names = answer(options.row_names),
          .asks = true};
}

std::filesystem::path resolved(const std::string& path, const DatasetRequest& request) {
  // What is absolute replaces the folder.
  return request.base_dir / path;
}

/// The first field of every line of the file.
void read_names(const std::filesystem::path& path, Dataset& dataset) {
  std::vector<std::string> names;
  for (CsvRow& row : read_csv_rows(path)) {
    names.push_back(std::move(row.fields.front()));
  }
  if (std::ssize(names) != dataset.covariance->variables()) {
    throw InputError(fmt::format("{}: found {} names; accepted: {}, one for each variable",
                                 path.string(), names.size(), dataset.covariance->variables()));
  }
  dataset.variable_names = std::move(names);
}

Dataset load_file(const FileOptions& options, const DatasetRequest& request) {
  if (options.path.empty()) {
    throw InputError("data set file: path: found none; accepted: the file to be read");
  }
  const bool is_covariance = options.kind == "covariance";
  if (is_covariance && (options.center != "auto" || options.scale != "n")) {
    throw InputError(fmt::format(
        "{}: {}: not with kind covariance, which is taken as it is; accepted: with kind data",
        options.path, options.center != "auto" ? "center" : "scale"));
  }
  if (options.standardize && (options.center == "no" || options.scale != "n")) {
    throw InputError(fmt::format(
        "{}: standardize: not with {}; accepted: standardised data are centred, and have no scale",
        options.path, options.center == "no" ? "center no" : "a scale"));
  }
  Dataset dataset = read_dataset(
      {.path = resolved(options.path, request),
       .is_covariance = options.kind == "auto" ? std::nullopt : std::optional(is_covariance),
       .centered = answer(options.center),
       .scale = scale_from_name(options.scale),
       .standardized = options.standardize,
       .missing = missing_from_name(options.missing),
       .csv = csv_form(options),
       .bag = options.bag});
  if (!options.names.empty()) {
    read_names(resolved(options.names, request), dataset);
  }
  return dataset;
}

SPCA_DATASET("file", load_file,
             (DatasetTraits{
                 .summary = "a file of your own: CSV, .npy, Matrix Market, HDF5 and more",
                 .shape = "the file's",
                 .source = "the user",
                 .path_options = {"path", "names"}}));

}  // namespace
}  // namespace spca::dataset_file
