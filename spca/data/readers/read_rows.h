#pragma once

/// Reads some rows of a file: what one of several processes holds.

#include <filesystem>
#include <optional>
#include <string>

#include "spca/data/readers/readers.h"
#include "spca/ranks/row_blocks.h"

namespace spca {

struct RowsOfFile {
  Index samples = 0;  // n, of the whole file
  RowRange held;
  /// Dense or sparse: the rows that are held, of which there may be none. Data that stay in their
  /// file (.spca, PLINK): all of them, and the genotypes of PLINK without their counts.
  FileContent content;
};

/// Reads rows of FILE or FILE:MATRIX, as read_file does. Nothing if rows cannot be read without all
/// others in memory: CSC, SciPy's COO, svmlight and GCT. How much of the file is read beside the
/// rows:
///
///   .npy by rows, HDF5 dense and CSR   the file is read from row to row; of CSR all starts
///   .spca, PLINK                       mapped
///   .npy by columns, .npz CSR          what stands between is passed over
///   docword, Matrix Market, CSV        every line is scanned, and of CSV twice
///
/// Whether there is nothing does not depend on the rank. There is nothing either if the form of CSV
/// is set and the file is in another format. Throws InputError as read_file does. What is wrong
/// outside of the rows may go unseen.
std::optional<RowsOfFile> read_rows(const std::filesystem::path& path, const RowShare& share,
                                    const CsvForm& form = {});

/// The same by format.
RowsOfFile read_csv_rows_of(const std::filesystem::path& path, const RowShare& share,
                            const CsvForm& form = {});
RowsOfFile read_npy_rows(const std::filesystem::path& path, const RowShare& share);
std::optional<RowsOfFile> read_npz_rows(const std::filesystem::path& path, const std::string& array,
                                        const RowShare& share);
RowsOfFile read_matrix_market_rows(const std::filesystem::path& path, const RowShare& share);
RowsOfFile read_docword_rows(const std::filesystem::path& path, const RowShare& share);
RowsOfFile read_plink_rows(const std::filesystem::path& path, const RowShare& share);
std::optional<RowsOfFile> read_scipy_npz_rows(const std::filesystem::path& path,
                                              const RowShare& share);
std::optional<RowsOfFile> read_hdf5_rows(const std::filesystem::path& path,
                                         const std::string& matrix, const RowShare& share);

}  // namespace spca
