#pragma once

/// The names that 10x Genomics writes beside a matrix in Matrix Market format.

#include <filesystem>
#include <string>
#include <vector>

#include "spca/data/content/file_content.h"

namespace spca {

/// The files of names beside NAMEmatrix.mtx or .mtx.gz: NAMEfeatures.tsv (or genes.tsv) and
/// NAMEbarcodes.tsv, plain or .gz. Empty if a file does not exist.
struct TenXFiles {
  std::filesystem::path features;
  std::filesystem::path barcodes;
};
TenXFiles ten_x_files(const std::filesystem::path& matrix);

/// Returns a note on the types of the features, genes and others; empty if there is one type.
std::string feature_types_note(const std::vector<std::string>& types);

/// Returns true if the rows of the matrix, which has these sizes, are genes, which means
/// that it must be transposed. If its rows or its columns are genes, sets the names of `content`
/// and adds a note. Throws InputError if the names are for a matrix of other sizes.
bool set_ten_x_names(const std::filesystem::path& matrix, Index rows, Index columns,
                     FileContent& content);

}  // namespace spca
