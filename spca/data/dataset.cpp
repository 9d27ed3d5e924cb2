#include "spca/data/dataset.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "spca/data/sources/data_sources.h"
#include "spca/base/error.h"
#include "spca/data/readers/readers.h"

namespace spca {
namespace {

std::filesystem::path with_or_without_gz(const std::filesystem::path& path) {
  if (path.extension() == ".gz") {
    return path.parent_path() / path.stem();
  }
  return path.string() + ".gz";
}

// Solvers multiply up to four entries of S: within these limits that neither overflows nor
// vanishes.
constexpr double kLargestVariance = 1e60;
constexpr double kSmallestVariance = 1e-60;

/// Data may be finite and their squares not.
void check_variances(const Covariance& covariance) {
  const Vector& variances = covariance.diagonal();
  if (std::isfinite(variances.sum())) {
    const double largest = variances.maxCoeff();
    if (largest > kLargestVariance || (largest > 0 && largest < kSmallestVariance)) {
      throw InputError(fmt::format(
          "the largest variance is {:g}; accepted: 0, or {:g} to {:g}: data on another scale",
          largest, kSmallestVariance, kLargestVariance));
    }
    return;
  }
  const auto is_infinite = [](double variance) { return !std::isfinite(variance); };
  const auto first = std::find_if(variances.begin(), variances.end(), is_infinite);
  throw InputError(fmt::format(
      "the variance of {} is beyond the largest number; accepted: data on a smaller scale",
      first == variances.end() ? "all variables together"
                               : fmt::format("variable {}", first - variances.begin() + 1)));
}

/// Null where the variable is unset or empty, which mean the same to a shell user.
const char* environment(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0' ? value : nullptr;
}

std::shared_ptr<const Covariance> covariance_of(FileContent& content, const FileRequest& request) {
  if (!request.is_covariance) {
    const DataForm form = {.centered = request.centered.value_or(!content.is_bag_of_words),
                           .scale = request.scale};
    if (!content.is_bag_of_words && !request.words.is_default()) {
      throw InputError(
          "holds no counts of words; accepted for the options of words: a docword file");
    }
    if (content.is_bag_of_words) {
      prepare_words(request.words, *content.sparse, content.variable_names);
    }
    // Eigen 3.4 moves a sparse matrix only where it is marked, and copies it otherwise.
    return content.sparse != nullptr ? make_covariance(content.sparse->markAsRValue(), form)
                                     : make_covariance(std::move(content.dense), form);
  }
  if (content.is_bag_of_words) {
    throw InputError("holds counts of words; accepted for kind covariance: a square matrix");
  }
  Matrix matrix = content.sparse != nullptr ? Matrix(*content.sparse) : std::move(content.dense);
  if (matrix.rows() != matrix.cols()) {
    throw InputError(
        fmt::format("found {} rows and {} columns; accepted for kind covariance: a "
                    "square matrix",
                    matrix.rows(), matrix.cols()));
  }
  return make_explicit_covariance(std::move(matrix));
}

}  // namespace

std::filesystem::path find_data_file(const std::filesystem::path& data_dir,
                                     const std::string& file) {
  const std::filesystem::path path = data_dir / file;
  for (const std::filesystem::path& candidate : {path, with_or_without_gz(path)}) {
    std::error_code error;
    if (std::filesystem::is_regular_file(candidate, error)) {
      return candidate;
    }
  }
  std::error_code error;
  const bool has_folder = std::filesystem::is_directory(data_dir, error);
  const DataSource* source = source_with_download(file);
  throw MissingData(
      fmt::format("{} (or {}) is not in the data folder {}{}; {}name the folder by --data-dir or "
                  "SPCA_DATA_DIR; datasets/sources.json says where the file comes from",
                  file, with_or_without_gz(file).string(), data_dir.string(),
                  has_folder ? "" : ", which does not exist",
                  source != nullptr ? fmt::format("`spca fetch {}` gets it; ", source->name) : ""));
}

std::filesystem::path data_directory(const std::string& command_line_value) {
  if (!command_line_value.empty()) {
    return command_line_value;
  }
  if (const char* folder = environment("SPCA_DATA_DIR")) {
    return folder;
  }
  if (const char* cache = environment("XDG_CACHE_HOME")) {
    return std::filesystem::path(cache) / "spca";
  }
  const char* home = environment("HOME");
  return std::filesystem::path(home != nullptr ? home : ".") / ".cache" / "spca";
}

Dataset read_dataset(const FileRequest& request) {
  const std::string name = request.path.string();
  try {
    FileContent content = read_file(request.path);
    Dataset dataset;
    try {
      dataset.covariance = covariance_of(content, request);
      dataset.variable_names = std::move(content.variable_names);
      check_variances(*dataset.covariance);
    } catch (const InputError& error) {
      throw InputError(fmt::format("{}: {}", name, error.what()));
    }
    return dataset;
  } catch (const std::bad_alloc&) {
    throw InputError(fmt::format("{}: does not fit into memory", name));
  }
}

}  // namespace spca
