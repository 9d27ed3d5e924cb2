#pragma once

/// Reads files of numbers in common formats; text and .npy plain or gzipped. Every reader throws
/// InputError of one line: "file:line: what was found; accepted: ...".

#include <filesystem>
#include <string>
#include <vector>

#include "spca/data/content/file_content.h"
#include "spca/data/readers/csv.h"

namespace spca {

/// The formats that read_file() supports.
enum class FileFormat {
  kCsv,
  kNpy,
  kMatrixMarket,
  kDocword,
  kScipyNpz,  // and .npz of dense arrays
  kHdf5,
  kPlink,
  kSpca,
  kSvmlight,
  kGct
};

/// Returns the format of a file, from the content, then from the name. Throws InputError for a file
/// that is missing, empty or of no such format.
FileFormat format_of(const std::filesystem::path& path);

/// Returns true if FILE:MATRIX names a matrix in a file of this format.
inline bool holds_several(FileFormat format) {
  return format == FileFormat::kHdf5 || format == FileFormat::kScipyNpz;
}

/// A file and one of the matrices in it.
struct FileSelection {
  std::filesystem::path path;  // of the file
  std::string matrix;          // "" for the default matrix of the format
};
/// Splits FILE or FILE:MATRIX, such as cells.h5ad:layers/counts. A path that is itself an existing
/// file is not split.
FileSelection select_in_file(const std::filesystem::path& path);

/// Returns the files that read_file() opens for `path`: the file itself and, if they exist,
/// FILE.bim and FILE.fam beside FILE.bed, vocab.NAME.txt beside docword.NAME.txt, and the names
/// beside matrix.mtx.
std::vector<std::filesystem::path> files_of(const std::filesystem::path& path);

/// Reads FILE or, for a format that holds several matrices (HDF5, .npz), FILE:MATRIX. Throws
/// InputError if the layout of CSV is set (CsvForm::has_layout()) and the file has another format.
FileContent read_file(const std::filesystem::path& path, const CsvForm& form = {});
/// The same as read_file(), for a matrix in memory. Throws InputError for a matrix that stays in
/// its file (.spca, PLINK).
FileContent read_matrix_file(const std::filesystem::path& path);

}  // namespace spca
