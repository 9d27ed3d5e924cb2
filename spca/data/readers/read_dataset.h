#pragma once

#include <filesystem>
#include <optional>

#include "spca/data/bag_of_words.h"
#include "spca/data/dataset.h"
#include "spca/data/readers/read_dataset.h"

namespace spca {

/// Any file as a data set.
struct FileRequest {
  std::filesystem::path path;
  bool is_covariance = false;
  /// Unset: centred, except a bag of words (docword), which is not.
  std::optional<bool> centered = std::nullopt;
  Scale scale = Scale::kSamples;
  /// Only for a bag of words.
  BagOptions words = {};
};

/// Reads CSV (with or without a header line; comma, semicolon, tab or blanks), NumPy .npy (2-d, any
/// real or integer type), Matrix Market (coordinate or array, general or symmetric) or UCI docword
/// with its vocab file beside it; each plain or gzipped. The format is told from the content, then
/// from the name. Throws InputError with file and line.
Dataset read_dataset(const FileRequest& request);

}  // namespace spca
