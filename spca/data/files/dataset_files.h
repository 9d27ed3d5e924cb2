#pragma once

/// Functions that data sets from files share.

#include <optional>
#include <string>
#include <vector>

#include "spca/data/bag_of_words.h"
#include "spca/data/dataset.h"

namespace spca {

/// Says whether the means of the columns of X are subtracted.
enum class Centering { kNone, kColumns };

/// Returns S = X'X/n of the data in `file`, a path below the data folder.
Dataset load_data_file(const DatasetRequest& request, const std::string& file, Centering centering);

/// Returns S = X'X/n of word counts, not centred. Has the words as names if the file of words
/// exists.
Dataset load_bag_of_words(const DatasetRequest& request, const std::string& file,
                          const BagOptions& bag);

/// Returns the S that `file` holds.
Dataset load_covariance_file(const DatasetRequest& request, const std::string& file);

/// The numbers of a CSV file whose first line names the variables and whose first column names the
/// rows. load_named_table() throws InputError for a field that is not a number, with its line.
struct NamedTable {
  Matrix numbers;                  // a row for each line but the first
  std::vector<std::string> names;  // of the columns
};
NamedTable load_named_table(const DatasetRequest& request, const std::string& file);

/// Returns the fields of the column of `file` with this header, top to bottom. Empty if the data
/// folder has no such file. Throws InputError if the file has no such column.
std::vector<std::string> load_column(const DatasetRequest& request, const std::string& file,
                                     const std::string& column);

/// Returns `dataset` with the class of each sample. The classes are in the column of `file` with
/// this header; a file of one column may have no header. Whole numbers are used directly; words are
/// numbered from 0 in alphabetical order. If the data folder has no such file, there are no
/// classes. Throws InputError unless each sample has a class and there are at least two classes.
Dataset with_labels(Dataset dataset, const DatasetRequest& request, const std::string& file,
                    const std::string& column = "label");

/// The option `centered`.
struct CenterOptions {
  bool centered = true;

  void describe(OptionVisitor& visit) {
    visit("centered", centered, "subtract the means of the columns");
  }
};

/// The option `matrix`: the choice between two published matrices.
struct MatrixOptions {
  std::string matrix = "correlation";

  void describe(OptionVisitor& visit) {
    visit("matrix", matrix, "S is this matrix of the variables", {"correlation", "covariance"});
  }
};

}  // namespace spca
