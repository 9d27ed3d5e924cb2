#pragma once

#include <filesystem>
#include <optional>

#include "spca/data/bag_of_words.h"
#include "spca/data/dataset.h"

namespace spca {

/// A file to be read as a data set.
struct FileRequest {
  std::filesystem::path path;  // FILE or FILE:MATRIX, as read_file takes it
  bool is_covariance = false;
  /// If unset, data are centred, except a bag of words (docword).
  std::optional<bool> centered = std::nullopt;
  Scale scale = Scale::kSamples;
  /// For a bag of words only.
  BagOptions bag = {};
};

/// Reads data or S from a file in any format of readers.h. Throws InputError that
/// names file and line.
Dataset read_dataset(const FileRequest& request);

}  // namespace spca
