#pragma once

/// What data sets that read files have in common.

#include <optional>
#include <string>
#include <vector>

#include "spca/data/bag_of_words.h"
#include "spca/data/dataset.h"

namespace spca {

/// S = X'X/n of the data in `file`, a path below the data folder. X is centred if `centered`.
Dataset load_data_file(const DatasetRequest& request, const std::string& file, bool centered);

/// S = X'X/n of counts of words in documents, not centred. Has the words as names if their file is
/// there.
Dataset load_bag_of_words(const DatasetRequest& request, const std::string& file,
                          const BagOptions& bag);

/// S itself, which `file` holds.
Dataset load_covariance_file(const DatasetRequest& request, const std::string& file);

/// The numbers of a CSV file whose first line names the variables and whose first column names the
/// rows. Throws InputError for a field that is no number, with its line.
struct NamedTable {
  Matrix numbers;                  // a row for each line but the first
  std::vector<std::string> names;  // of the columns
};
NamedTable load_named_table(const DatasetRequest& request, const std::string& file);

/// The fields of the column of `file` with this header, top to bottom. Empty if the data folder has
/// no such file. Throws InputError if the file has no such column.
std::vector<std::string> load_column(const DatasetRequest& request, const std::string& file,
                                     const std::string& column);

/// `dataset` with the class of each of its samples. The classes are in the column of `file` with
/// this header; a file of one column may have no header. Whole numbers stand for themselves; words
/// are numbered from 0 in the order of the alphabet. If the data folder has no such file, there are
/// no classes. Throws InputError unless each sample has a class and there are at least two.
Dataset with_labels(Dataset dataset, const DatasetRequest& request, const std::string& file,
                    const std::string& column = "label");

/// The option `centered`.
struct CenterOptions {
  bool centered = true;

  void describe(OptionVisitor& visit) {
    visit("centered", centered, "subtract the means of the columns");
  }
};

/// The option `matrix`: which of two published matrices S is.
struct MatrixOptions {
  std::string matrix = "correlation";

  void describe(OptionVisitor& visit) {
    visit("matrix", matrix, "S is this matrix of the variables", {"correlation", "covariance"});
  }
};

}  // namespace spca
