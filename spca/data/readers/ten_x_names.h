#pragma once

/// The names that 10x Genomics and others write beside a matrix in Matrix Market format.

#include <filesystem>
#include <string>
#include <vector>

#include "spca/data/content/file_content.h"

namespace spca {

/// The files of names beside a matrix, plain or .gz: NAMEfeatures.tsv (or NAMEgenes.tsv) and
/// NAMEbarcodes.tsv beside NAMEmatrix.mtx, or NAME.mtx_rows and NAME.mtx_cols beside any other
/// NAME.mtx. The path of a file that does not exist is empty.
struct TenXFiles {
  std::filesystem::path features;
  std::filesystem::path barcodes;
};
TenXFiles ten_x_files(const std::filesystem::path& matrix);

/// Returns a note on the types of the features, such as genes; empty unless there are several
/// types.
std::string feature_types_note(const std::vector<std::string>& types);

/// Returns true if the rows of the `rows` x `columns` matrix are genes, so that it must be
/// transposed. If there are names of genes and of barcodes, sets the names of `content` and adds a
/// note. If only one of the two files exists, only adds a note. Throws InputError if the names are
/// for a matrix of other sizes.
bool set_ten_x_names(const std::filesystem::path& matrix, Index rows, Index columns,
                     FileContent& content);

}  // namespace spca
