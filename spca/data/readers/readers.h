#pragma once

/// Reads files of numbers in the formats that people have, plain or gzipped. Every reader throws
/// InputError of one line: "file:line: what was found; accepted: ...".

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "spca/base/types.h"

namespace spca {

/// A matrix as its file has it: dense or sparse, never both. n x p.
struct FileContent {
  Matrix dense;
  /// Null if the matrix is dense. A pointer, because moving Eigen's sparse matrices copies them.
  std::unique_ptr<SparseRows> sparse;
  /// One name for each column; empty if the file has none.
  std::vector<std::string> variable_names;
  /// True for counts of words in documents, which by custom are not centred.
  bool is_bag_of_words = false;
};

enum class FileFormat { kCsv, kNpy, kMatrixMarket, kDocword };

/// The format is told from the content, then from the name. Throws InputError for a file that is
/// missing, empty or of no such format.
FileFormat format_of(const std::filesystem::path& path);
FileContent read_file(const std::filesystem::path& path);

/// CSV: rows of numbers, all of one length. The first rows tell whether commas, semicolons, tabs or
/// blanks separate them. If no unquoted field of the first line is a number, that line holds the
/// variables' names. Quotes, CRLF and a byte order mark are understood. Throws InputError for a
/// field that is empty, missing (NA), not finite or no number, with line and column, and for a row
/// of another length.
FileContent read_csv(const std::filesystem::path& path);

/// One line of a CSV file whose fields need not be numbers.
struct CsvRow {
  std::size_t line = 0;  // in the file, from 1
  std::vector<std::string> fields;
};

/// The lines of such a file, without quotes and without the lines that are blank. The first line
/// tells what separates the fields. Throws InputError if a quote is not closed on its line.
std::vector<CsvRow> read_csv_rows(const std::filesystem::path& path);

/// NumPy's .npy, versions 1 to 3: two dimensions; booleans, integers of 1 to 8 bytes or floating
/// point numbers of 2, 4 or 8 bytes, in either byte order; by rows (C) or by columns (Fortran).
FileContent read_npy(const std::filesystem::path& path);

/// Matrix Market: coordinate (becomes sparse) or array (becomes dense); real, integer or pattern;
/// general, symmetric or skew-symmetric.
FileContent read_matrix_market(const std::filesystem::path& path);

/// UCI bag of words: three lines D, W, NNZ, then NNZ lines "document word count" with ids from 1.
/// The result is D x W; no memory is needed beside it. The words are read from vocab.NAME.txt
/// beside docword.NAME.txt, if that file is there. Either of them may be plain or .gz.
FileContent read_docword(const std::filesystem::path& path);

}  // namespace spca
