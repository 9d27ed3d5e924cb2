#pragma once

/// Files of numbers in the formats that people have. Every reader throws InputError in one line:
/// "file:line: what was found; accepted: ...".

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "spca/base/types.h"

namespace spca {

/// A matrix as its file has it: dense or sparse, never both.
struct FileContent {
  Matrix dense;
  /// Behind a pointer, because moving Eigen's sparse matrices copies them.
  std::unique_ptr<SparseRows> sparse;
  /// One name a column; empty if the file has none.
  std::vector<std::string> variable_names;
  /// Counts of words in documents, which by custom are not centred.
  bool is_bag_of_words = false;
};

enum class FileFormat { kCsv, kNpy, kMatrixMarket, kDocword };

/// The format is told from the content, then from the name. Throws InputError for a file that is
/// missing, empty or of no such format.
FileFormat format_of(const std::filesystem::path& path);
FileContent read_file(const std::filesystem::path& path);

/// Numbers in rows of equal length, apart by commas, semicolons, tabs or blanks (told from the
/// first rows); a first line in which no unquoted field is a number holds the variables' names.
/// Quotes, CRLF and a byte order mark are understood. Throws InputError for a field that is empty,
/// missing (NA), not finite or no number, naming line and column, and for a row of another length.
FileContent read_csv(const std::filesystem::path& path);

/// The fields of a CSV file of words, line by line, quotes removed. Throws InputError where a quote
/// is not closed.
std::vector<std::vector<std::string>> read_csv_words(const std::filesystem::path& path);

/// NumPy's .npy, versions 1 to 3: two-dimensional, booleans, integers and floating point numbers of
/// 2, 4 or 8 bytes in either byte order, by rows (C) or by columns (Fortran).
FileContent read_npy(const std::filesystem::path& path);

/// Matrix Market: coordinate (becomes sparse) or array (becomes dense); real, integer or pattern;
/// general, symmetric or skew-symmetric.
FileContent read_matrix_market(const std::filesystem::path& path);

/// UCI bag of words: three lines D, W, NNZ, then NNZ lines "document word count" with ids from 1;
/// streamed, with no memory beside the result. D x W. The words are read from the vocab file beside
/// it if it is there: vocab.NAME.txt for docword.NAME.txt, either of them plain or .gz.
FileContent read_docword(const std::filesystem::path& path);

}  // namespace spca
