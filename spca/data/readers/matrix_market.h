#pragma once

#include <filesystem>

#include "spca/data/content/rows_of_file.h"

namespace spca {

/// Reads Matrix Market: coordinate (becomes sparse) or array (becomes dense); real, double,
/// integer, unsigned-integer or, for coordinate, pattern; general, symmetric or skew-symmetric. If
/// the names of genes and cells lie beside the file (ten_x_names.h), genes are variables, and a
/// note says so.
FileContent read_matrix_market(const std::filesystem::path& path);
/// Reads the rows that one rank holds (read_rows.h).
RowsOfFile read_matrix_market_rows(const std::filesystem::path& path, const RowShare& share);

}  // namespace spca
