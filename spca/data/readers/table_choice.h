#pragma once

#include <string>
#include <vector>

#include "spca/data/readers/readers.h"

namespace spca {

/// The part of a matrix that is taken as data.
struct TableChoice {
  bool transpose = false;  // the file has variables as rows, as tables of genes have
  /// The variables that are taken, or left out: names, or places from 1, or ranges of places as
  /// "2-5". All of them if `columns` is empty.
  std::vector<std::string> columns = {};
  std::vector<std::string> drop = {};

  bool is_default() const { return !transpose && columns.empty() && drop.empty(); }
};

/// Keeps the names at these places, in this order; of no names there is none to keep.
void select_names(const std::vector<Index>& kept, std::vector<std::string>& names);

/// Transposes the matrix and then leaves the chosen columns, in the order of the file; of an S
/// (`is_covariance`) the rows too. Sparse data stay sparse. Names follow; columns without names are
/// called by their places, from 1, if some are chosen. Throws InputError for data that
/// stay in their file, for counts of words that are to be transposed, for a name that is unknown or
/// that several columns have, for a place that does not exist, and if no column is left.
void choose_table(const TableChoice& choice, bool is_covariance, FileContent& content);

}  // namespace spca
