#include "spca/dataset_files.h"

#include <fmt/format.h>

#include <algorithm>

#include "spca/error.h"
#include "spca/readers/readers.h"

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

std::vector<std::string> load_words(const DatasetRequest& request, const std::string& file,
                                    const std::string& column) {
  std::filesystem::path path;
  try {
    path = find_data_file(request.data_dir, file);
  } catch (const MissingData&) {
    return {};
  }
  const std::vector<std::vector<std::string>> lines = read_csv_words(path);
  const std::vector<std::string> header = lines.empty() ? std::vector<std::string>() : lines[0];
  const auto position = std::find(header.begin(), header.end(), column);
  if (position == header.end()) {
    throw InputError(fmt::format("{}:1: found columns {}; accepted: one that is called {}",
                                 path.string(), join(header), column));
  }
  const auto j = static_cast<std::size_t>(position - header.begin());
  std::vector<std::string> words;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    if (lines[i].size() != header.size()) {
      throw InputError(fmt::format("{}: found {} fields in row {}; accepted: {}", path.string(),
                                   lines[i].size(), i, header.size()));
    }
    words.push_back(lines[i][j]);
  }
  return words;
}

}  // namespace spca
