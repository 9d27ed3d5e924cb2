#pragma once

#include <filesystem>

#include "spca/data/content/rows_of_file.h"

namespace spca {

/// Reads NumPy's .npy, versions 1 to 3, with two dimensions; booleans, integers of 1 to 8 bytes or
/// floating point numbers of 2, 4 or 8 bytes, in either byte order; by rows (C) or by columns
/// (Fortran).
FileContent read_npy(const std::filesystem::path& path);
/// Reads the rows that one rank holds (read_rows.h).
RowsOfFile read_npy_rows(const std::filesystem::path& path, const RowShare& share);

}  // namespace spca
