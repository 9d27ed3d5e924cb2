#pragma once

#include <filesystem>

#include "spca/data/content/rows_of_file.h"

namespace spca {

/// Matrix Market: coordinate (becomes sparse) or array (becomes dense); real, integer,
/// unsigned-integer or pattern; general, symmetric or skew-symmetric. With the names of 10x
/// Genomics beside it (ten_x_names.h), genes are variables, and a note says so.
FileContent read_matrix_market(const std::filesystem::path& path);
/// Reads the rows that one rank holds (read_rows.h).
RowsOfFile read_matrix_market_rows(const std::filesystem::path& path, const RowShare& share);

}  // namespace spca
