#pragma once

#include <filesystem>
#include <optional>

#include "spca/data/bag_of_words.h"
#include "spca/data/content/file_content.h"
#include "spca/data/dataset.h"
#include "spca/data/files/given_covariance.h"
#include "spca/data/files/missing_values.h"
#include "spca/data/readers/csv.h"
#include "spca/data/readers/read_rows.h"
#include "spca/data/readers/table_choice.h"

namespace spca {

/// A file to be read as a data set.
struct FileRequest {
  std::filesystem::path path;  // FILE or FILE:MATRIX, as read_file takes it
  /// If unset, the file holds data, unless it declares itself symmetric (Matrix Market) and neither
  /// `centered` nor `scale` is set.
  std::optional<bool> is_covariance = std::nullopt;
  /// If unset, data are centred, except a bag of words (docword) that is not standardised.
  std::optional<bool> centered = std::nullopt;
  Scale scale = Scale::kSamples;
  /// S is the correlation matrix.
  bool standardized = false;
  Missing missing = Missing::kAuto;
  Index missing_rank = kImputationRank;  // of Missing::kLowRank
  TableChoice choice = {};
  Triangle triangle = Triangle::kWhole;  // of S
  bool nearest = false;                  // S without its negative eigenvalues
  CsvForm csv = {};
  /// For a bag of words only.
  BagOptions bag = {};
  bool samples_only = false;  // DataForm::samples_only
};

/// Reads data or S from a file in any format of read_file.h. Throws InputError that names the file,
/// and the line if the reader finds the error.
Dataset read_dataset(const FileRequest& request);

/// The rows of data that one rank holds, and how they are prepared.
struct RowsOfDataset {
  RowsOfFile file;  // the rows, neither centred nor scaled
  DataForm form;    // how S is made of all rows
};
/// Reads the rows of one rank. Returns nothing if the file cannot be read by rows (read_rows), if
/// columns are to be chosen or the table to be transposed, or if the preparation of a row depends
/// on the other rows: words to be chosen or weighted, missing values, standardised data. Throws
/// InputError as read_dataset() does, and for a file that declares itself symmetric.
std::optional<RowsOfDataset> read_dataset_rows(const FileRequest& request, const RowShare& share);

/// Throws InputError if the variances or their sum are not finite, or if S is on a scale on which
/// solvers would overflow or underflow.
void check_variances(const Covariance& covariance);
/// Returns a note on variables that share a name; empty if names are unique.
std::string equal_names_note(const std::vector<std::string>& names);
/// Returns a note on variables without variance, which no answer for a correlation matrix contains;
/// empty if there are none.
std::string constant_variables_note(const Dataset& dataset);
/// Returns a note on a variable that has nearly all of the variance. The note ends with `remedy`.
/// Empty if no variable has nearly all of it.
std::string dominant_variable_note(const Dataset& dataset, const std::string& remedy);
/// Returns a note on two variables that together have nearly all of the variance of five or more.
/// The note ends with `remedy`. Empty if no two have it, or if one alone has nearly all.
std::string dominant_pair_note(const Dataset& dataset, const std::string& remedy);

}  // namespace spca
