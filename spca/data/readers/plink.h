#pragma once

#include <filesystem>

#include "spca/data/content/rows_of_file.h"

namespace spca {

/// Reads PLINK 1 binary genotypes: FILE.bed, with FILE.bim and FILE.fam beside it. The genotypes
/// stay in the file, at two bits each. The names of the variants are the names of the variables. A
/// variant named "." is called CHROMOSOME:POSITION.
FileContent read_plink(const std::filesystem::path& path);
/// Reads the rows that one rank holds (read_rows.h).
RowsOfFile read_plink_rows(const std::filesystem::path& path, const RowShare& share);

}  // namespace spca
