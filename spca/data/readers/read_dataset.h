#pragma once

#include <filesystem>
#include <optional>

#include "spca/data/bag_of_words.h"
#include "spca/data/dataset.h"
#include "spca/data/readers/read_rows.h"

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

/// The rows of data that one rank holds, and how they are prepared.
struct RowsOfDataset {
  RowsOfFile file;
  DataForm form;
};
/// Nothing if the file cannot be read by rows (read_rows), or if words are to be chosen or weighted
/// by what all documents have. Throws InputError as read_dataset does.
std::optional<RowsOfDataset> read_dataset_rows(const FileRequest& request, const RowShare& share);

/// Throws InputError if the squares of the data are not finite, or S is on a scale on which solvers
/// run into such numbers.
void check_variances(const Covariance& covariance);

}  // namespace spca
