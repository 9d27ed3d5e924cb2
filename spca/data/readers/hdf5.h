#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "spca/data/content/rows_of_file.h"

namespace spca {

/// Reads a matrix from HDF5: a data set of two dimensions (dense), or a sparse matrix of AnnData,
/// 10x Genomics or MATLAB 7.3, at the place `matrix` in the file. Without a place it is X, as in
/// .h5ad, the matrix of loom, or the only matrix at the top. The numbers are integers or floating
/// point. Matrices of MATLAB have the rows and columns that MATLAB shows. Matrices of 10x Genomics
/// and loom are genes x cells: cells are samples, and a note says so. Names are those of AnnData
/// (obs and var, or raw/var for matrices below raw), 10x Genomics and loom, if every row or column
/// has one.
FileContent read_hdf5(const std::filesystem::path& path, const std::string& matrix);
/// Reads the rows that one rank holds (read_rows.h).
std::optional<RowsOfFile> read_hdf5_rows(const std::filesystem::path& path,
                                         const std::string& matrix, const RowShare& share);

}  // namespace spca
