#pragma once

#include <filesystem>
#include <optional>

#include "spca/data/content/rows_of_file.h"

namespace spca {

/// Reads the output of scipy.sparse.save_npz, of the formats csr, csc and coo, compressed or not.
/// The result is sparse. Throws InputError for indices that are out of range or repeated; indices
/// may be in any order.
FileContent read_scipy_npz(const std::filesystem::path& path);
/// Reads the rows that one rank holds (read_rows.h). Returns nothing unless the format is csr and
/// there are several ranks.
std::optional<RowsOfFile> read_scipy_npz_rows(const std::filesystem::path& path,
                                              const RowShare& share);

}  // namespace spca
