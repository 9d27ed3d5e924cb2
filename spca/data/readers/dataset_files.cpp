#include "spca/data/readers/dataset_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <set>

#include "spca/base/error.h"
#include "spca/base/text.h"
#include "spca/data/data_folder.h"
#include "spca/data/readers/read_dataset.h"
#include "spca/data/readers/readers.h"

namespace spca {

Dataset load_data_file(const DatasetRequest& request, const std::string& file, bool centered) {
  return read_dataset({.path = find_data_file(request.data_dir, file), .centered = centered});
}

Dataset load_bag_of_words(const DatasetRequest& request, const std::string& file,
                          const BagOptions& words) {
  return read_dataset({.path = find_data_file(request.data_dir, file), .words = words});
}

Dataset load_covariance_file(const DatasetRequest& request, const std::string& file) {
  return read_dataset({.path = find_data_file(request.data_dir, file),
                       .is_covariance = true,
                       .centered = std::nullopt});
}

namespace {

using WordLines = std::vector<std::vector<std::string>>;

/// Empty if the data folder has no such file.
std::optional<std::filesystem::path> find_if_there(const DatasetRequest& request,
                                                   const std::string& file) {
  try {
    return find_data_file(request.data_dir, file);
  } catch (const MissingData&) {
    return std::nullopt;
  }
}

/// The j-th fields of all lines from `first` on.
std::vector<std::string> column_of(const WordLines& lines, std::size_t first, std::size_t j,
                                   const std::filesystem::path& path) {
  std::vector<std::string> words;
  for (std::size_t i = first; i < lines.size(); ++i) {
    if (lines[i].size() != lines[0].size()) {
      throw InputError(fmt::format("{}: found {} fields in row {}; accepted: {}", path.string(),
                                   lines[i].size(), i, lines[0].size()));
    }
    words.push_back(lines[i][j]);
  }
  return words;
}

/// The fields below the header `column`.
std::vector<std::string> named_column(const WordLines& lines, const std::string& column,
                                      const std::filesystem::path& path) {
  const std::vector<std::string> header = lines.empty() ? std::vector<std::string>() : lines[0];
  const auto position = std::find(header.begin(), header.end(), column);
  if (position == header.end()) {
    throw InputError(fmt::format("{}:1: found columns {}; accepted: one that is called {}",
                                 path.string(), join(header), column));
  }
  return column_of(lines, 1, static_cast<std::size_t>(position - header.begin()), path);
}

/// Whole numbers that fit as they are; else where a word stands in the alphabet of all.
std::vector<int> class_numbers(const std::vector<std::string>& words) {
  constexpr std::int64_t kLargest = std::numeric_limits<int>::max();
  std::vector<int> numbers;
  for (const std::string& word : words) {
    const std::optional<std::int64_t> number = parse_integer(word);
    if (!number || *number > kLargest || *number < -kLargest) {
      break;
    }
    numbers.push_back(static_cast<int>(*number));
  }
  if (numbers.size() == words.size()) {
    return numbers;
  }
  const std::set<std::string> alphabet(words.begin(), words.end());
  numbers.clear();
  for (const std::string& word : words) {
    numbers.push_back(static_cast<int>(std::distance(alphabet.begin(), alphabet.find(word))));
  }
  return numbers;
}

}  // namespace

std::vector<std::string> load_words(const DatasetRequest& request, const std::string& file,
                                    const std::string& column) {
  const std::optional<std::filesystem::path> path = find_if_there(request, file);
  return path ? named_column(read_csv_words(*path), column, *path) : std::vector<std::string>();
}

Dataset with_labels(Dataset dataset, const DatasetRequest& request, const std::string& file,
                    const std::string& column) {
  const std::optional<std::filesystem::path> path = find_if_there(request, file);
  if (!path) {
    return dataset;
  }
  const WordLines lines = read_csv_words(*path);
  const bool has_header = !lines.empty() && (lines[0].size() > 1 || lines[0][0] == column);
  const std::vector<std::string> words =
      has_header ? named_column(lines, column, *path) : column_of(lines, 0, 0, *path);
  const Index samples = dataset.covariance->samples();
  if (static_cast<Index>(words.size()) != samples) {
    throw InputError(fmt::format("{}: found {} classes; accepted: {}, one for each sample",
                                 path->string(), words.size(), samples));
  }
  dataset.labels = class_numbers(words);
  if (std::set<int>(dataset.labels.begin(), dataset.labels.end()).size() < 2) {
    throw InputError(fmt::format("{}: found the class {} only; accepted: two classes or more",
                                 path->string(), words[0]));
  }
  return dataset;
}

}  // namespace spca
