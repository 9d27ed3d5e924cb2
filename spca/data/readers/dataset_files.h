#pragma once

/// What the data sets that are files have in common.

#include <optional>
#include <string>
#include <vector>

#include "spca/data/bag_of_words.h"
#include "spca/data/dataset.h"

namespace spca {

/// S = X'X/n of the data in `file`, a path below the data folder.
Dataset load_data_file(const DatasetRequest& request, const std::string& file, bool centered);

/// S = X'X/n of counts of words in documents, not centred, with the words where their file is
/// there.
Dataset load_bag_of_words(const DatasetRequest& request, const std::string& file,
                          const BagOptions& words);

/// S itself, as `file` has it.
Dataset load_covariance_file(const DatasetRequest& request, const std::string& file);

/// The fields of `file`'s column with this header, top to bottom; empty if the data folder has no
/// such file. Throws InputError where the file has no such column.
std::vector<std::string> load_words(const DatasetRequest& request, const std::string& file,
                                    const std::string& column);

/// `dataset` with the class of each of its samples, from `file`'s column with this header, or its
/// only column where it has no header. Whole numbers stand for themselves; words are numbered from
/// 0 in the order of the alphabet. No classes if the data folder has no such file. Throws
/// InputError unless there is one class for each sample and two or more of them.
Dataset with_labels(Dataset dataset, const DatasetRequest& request, const std::string& file,
                    const std::string& column = "label");

/// What X is: `centered` in JSON.
struct CenterOptions {
  bool centered = true;

  void describe(OptionVisitor& visit) {
    visit("centered", centered, "subtract the means of the columns");
  }
};

/// Which of two published matrices: `matrix` in JSON.
struct MatrixOptions {
  std::string matrix = "correlation";

  void describe(OptionVisitor& visit) {
    visit("matrix", matrix, "S is this matrix of the variables", {"correlation", "covariance"});
  }
};

}  // namespace spca
