#pragma once

/// Reads the rows of a file that one of several processes holds.

#include <filesystem>
#include <optional>
#include <string>

#include "spca/data/content/rows_of_file.h"
#include "spca/data/readers/csv.h"

namespace spca {

/// Reads the rows of `share` of FILE or FILE:MATRIX, as read_file() does. Returns nothing if rows
/// cannot be read without all other rows in memory: CSC, HDF5 dense by columns, SciPy's COO,
/// svmlight and GCT. The part of the file that is read besides the rows:
///
///   .npy by rows, HDF5 dense and CSR   nothing; all starts of CSR
///   .spca, PLINK                       the file is mapped
///   .npy by columns, .npz CSR          the parts between are skipped
///   docword, Matrix Market, CSV        every line is scanned; twice for CSV and coordinates
///
/// The result is nothing in all ranks or in none. It is also nothing if the form of CSV is set and
/// the file is in another format, if MATRIX is named for a format with one matrix, and for .npz CSR
/// if there is one rank. Throws InputError as read_file() does. Faults outside the rows may go
/// unnoticed.
std::optional<RowsOfFile> read_rows(const std::filesystem::path& path, const RowShare& share,
                                    const CsvForm& form = {});

/// The same as read_rows(), for CSV.
RowsOfFile read_csv_rows_of(const std::filesystem::path& path, const RowShare& share,
                            const CsvForm& form = {});

}  // namespace spca
