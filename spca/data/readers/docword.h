#pragma once

#include <filesystem>

#include "spca/data/content/rows_of_file.h"

namespace spca {

/// Reads a UCI bag of words: three lines D, W, NNZ, then NNZ lines "document word count" with ids
/// from 1. The result is D x W. A plain file needs hardly any memory besides it; a .gz file may
/// need more while the arrays grow. The words are read from vocab.NAME.txt beside docword.NAME.txt,
/// if that file exists. Each file may be plain or .gz.
FileContent read_docword(const std::filesystem::path& path);
/// Reads the rows that one rank holds (read_rows.h).
RowsOfFile read_docword_rows(const std::filesystem::path& path, const RowShare& share);

}  // namespace spca
