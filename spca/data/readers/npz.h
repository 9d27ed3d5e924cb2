#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "spca/data/content/rows_of_file.h"

namespace spca {

/// Reads NumPy's .npz: the array of that name or, if `array` is empty, the only one of numbers in
/// two dimensions, or a sparse matrix as read_scipy_npz() does.
FileContent read_npz(const std::filesystem::path& path, const std::string& array);
/// Reads the rows that one rank holds, or returns nothing (read_rows.h).
std::optional<RowsOfFile> read_npz_rows(const std::filesystem::path& path, const std::string& array,
                                        const RowShare& share);

}  // namespace spca
