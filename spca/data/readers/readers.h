#pragma once

/// Reads files of numbers in common formats; text and .npy plain or gzipped. Every reader throws
/// InputError of one line: "file:line: what was found; accepted: ...".

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "spca/base/types.h"
#include "spca/covariance/genotypes.h"
#include "spca/covariance/sparse_arrays.h"

namespace spca {

/// A matrix as read from its file, n x p. It is dense if the three pointers are null; at most one
/// pointer is not null.
struct FileContent {
  Matrix dense;  // n x p, or 0 x 0
  /// A pointer, because moving Eigen's sparse matrices copies them.
  std::unique_ptr<SparseRows> sparse = nullptr;
  /// Sparse data that stay in their file.
  std::shared_ptr<const MappedSparse> mapped = nullptr;
  std::shared_ptr<const Genotypes> genotypes = nullptr;  // also stay in their file
  /// One name for each column; empty if the file has none.
  std::vector<std::string> variable_names;
  /// True for word counts, which by convention are not centred.
  bool is_bag_of_words = false;
  /// One name for each row; empty if the file has none.
  std::vector<std::string> sample_names = {};
  /// True if the file declares its matrix symmetric (Matrix Market).
  bool is_symmetric = false;
  /// Properties of the file that the reader inferred, one line each.
  std::vector<std::string> notes = {};
};

/// The form of a CSV file. Members that are not set are inferred from the file.
struct CsvForm {
  char separator = 0;  // a comma, semicolon or tab, or ' ' for blanks and tabs
  char decimal = 0;    // a point or a comma
  std::optional<bool> header = std::nullopt;     // the first line names the columns
  std::optional<bool> row_names = std::nullopt;  // the first column names the rows
  /// Words and numbers that stand for missing values, besides the usual ones. Dense data in other
  /// formats take numbers.
  std::vector<std::string> missing_words = {};
  /// The choice of columns (TableChoice). Other columns may hold text: they are NaN in the matrix,
  /// for choose_table() to leave out.
  std::vector<std::string> columns = {};
  std::vector<std::string> drop = {};
  /// If true, a missing value is NaN in the matrix. Otherwise it is an error.
  bool keeps_missing = false;
  /// If true, consecutive numbers in the first line or column are an error that asks whether they
  /// are names. Otherwise they are data.
  bool asks = false;

  /// Returns true if a member is set that applies to CSV files only.
  bool has_layout() const {
    return separator != 0 || decimal != 0 || header.has_value() || row_names.has_value();
  }
  /// Returns true if a member is set that changes what is read.
  bool is_set() const { return has_layout() || !missing_words.empty(); }
};

/// The formats that read_file() knows.
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
/// InputError if the form of CSV is set and the file is in another format.
FileContent read_file(const std::filesystem::path& path, const CsvForm& form = {});
/// The same as read_file(), for a matrix in memory. Throws InputError for a matrix that stays in
/// its file (.spca, PLINK).
FileContent read_matrix_file(const std::filesystem::path& path);

/// Reads CSV: rows of numbers, all of one length. The first rows show whether commas, semicolons,
/// tabs or blanks separate the fields. If the separator is not a comma, numbers may have decimal
/// commas; then all numbers have. The first line holds the names of the variables if none of its
/// unquoted fields is a number, if it begins with an empty field, or if it has one field less than
/// the rows (as R writes it). The first column names the rows if its first entry below such a line
/// is not a number, or in the last two cases. Quotes, CRLF and a byte order mark are accepted.
/// Missing values are empty fields, NA, N/A, NaN (with a sign or not), null, None, `<NA>`, `#N/A`,
/// ? and ., in any case, and `missing_words`. A first line of missing values only is data. Throws
/// InputError for a missing value (unless `keeps_missing`), with the number of missing values and
/// the place of the first; for a field that is not a finite number, with line and column; and for a
/// row of another length.
FileContent read_csv(const std::filesystem::path& path, const CsvForm& form = {});

/// One line of a CSV file whose fields need not be numbers.
struct CsvRow {
  std::size_t line = 0;             // in the file, from 1
  std::vector<std::string> fields;  // without quotes
};

/// Returns the lines of such a file, without quotes and without blank lines. The first line shows
/// the separator of the fields. Throws InputError if a quote is not closed on its line.
std::vector<CsvRow> read_csv_rows(const std::filesystem::path& path);

/// NumPy's .npy, versions 1 to 3: two dimensions; booleans, integers of 1 to 8 bytes or floating
/// point numbers of 2, 4 or 8 bytes, in either byte order; by rows (C) or by columns (Fortran).
FileContent read_npy(const std::filesystem::path& path);

/// Matrix Market: coordinate (becomes sparse) or array (becomes dense); real, integer,
/// unsigned-integer or pattern; general, symmetric or skew-symmetric. With the names of 10x
/// Genomics beside it (ten_x_names.h), genes are variables, and a note says so.
FileContent read_matrix_market(const std::filesystem::path& path);

/// Reads the output of scipy.sparse.save_npz, of the formats csr, csc and coo; compressed or not.
/// Becomes sparse. Throws InputError for indices that are out of range or repeated; they may be in
/// any order.
FileContent read_scipy_npz(const std::filesystem::path& path);

/// NumPy's .npz: the array of that name or, if `array` is empty, the only one of numbers in two
/// dimensions; a sparse matrix as read_scipy_npz reads it.
FileContent read_npz(const std::filesystem::path& path, const std::string& array);

/// HDF5: a data set of two dimensions (dense), or a sparse matrix of AnnData, 10x Genomics or
/// MATLAB 7.3, at the place `matrix` in the file. Without a place it is X, as in .h5ad, or the only
/// matrix at the top. Integers and floating point numbers. Matrices of MATLAB have the rows and
/// columns that MATLAB shows. Matrices of 10x Genomics and loom are genes x cells: cells are
/// samples, and a note says so. Names are those of AnnData (obs and var, or raw/var for matrices
/// below raw), 10x Genomics and loom, if every row or column has one.
FileContent read_hdf5(const std::filesystem::path& path, const std::string& matrix);

/// The lines "label feature:value ..." of SVMlight and LIBSVM; becomes sparse. Features are
/// numbered from 1, or from 0 if one is 0. Labels are left out. Notes say both.
FileContent read_svmlight(const std::filesystem::path& path);
/// Returns true if the first bytes of a file are lines of SVMlight.
bool looks_like_svmlight(std::string_view start);

/// GCT 1.2 and 1.3. Its rows are genes: they become variables, and a note says so. If
/// `keeps_missing`, a missing value is NaN in the matrix; otherwise it is an error.
FileContent read_gct(const std::filesystem::path& path, bool keeps_missing);

/// PLINK 1 binary genotypes: FILE.bed, with FILE.bim and FILE.fam beside it. The genotypes stay in
/// the file, at two bits each. The names of the variants are the names of the variables;
/// CHROMOSOME:POSITION for a variant named ".".
FileContent read_plink(const std::filesystem::path& path);

/// The project's own format (spca_file.h). The data stay in the file.
FileContent read_spca(const std::filesystem::path& path);

/// UCI bag of words: three lines D, W, NNZ, then NNZ lines "document word count" with ids from 1.
/// The result is D x W; no further memory is needed. The words are read from vocab.NAME.txt beside
/// docword.NAME.txt, if that file exists. Each file may be plain or .gz.
FileContent read_docword(const std::filesystem::path& path);

}  // namespace spca
