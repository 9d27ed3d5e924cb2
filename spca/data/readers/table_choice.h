#pragma once

#include <string>
#include <vector>

#include "spca/data/content/file_content.h"

namespace spca {

/// The part of a matrix that is used as data.
struct TableChoice {
  bool transpose = false;  // the file has variables as rows, as gene tables do
  /// The variables to keep and to drop: names, positions from 1, or ranges of positions such as
  /// "2-5". If `columns` is empty, all variables are kept.
  std::vector<std::string> columns = {};
  std::vector<std::string> drop = {};

  bool is_default() const { return !transpose && columns.empty() && drop.empty(); }
};

/// Returns for each of `count` columns whether it is chosen. Throws InputError as choose_table()
/// does.
std::vector<char> chosen_marks(const std::vector<std::string>& columns,
                               const std::vector<std::string>& drop,
                               const std::vector<std::string>& names, Index count);

/// Keeps the names at these indices, from 0, in this order. Does nothing if there are no names.
void select_names(const std::vector<Index>& kept, std::vector<std::string>& names);

/// The meaning of a matrix in a file: samples of variables, or S.
enum class TableKind { kData, kCovariance };

/// Transposes the matrix and then keeps the chosen columns, in the order of the file; for an S also
/// the rows. Sparse data stay sparse. Names are adapted. If some columns are chosen, columns
/// without names are named by their positions, from 1 (except in genotypes). Throws InputError for
/// sparse data that stay in their file, for genotypes or word counts that are to be transposed, for
/// a choice from a sparse S, for a name that is unknown or not unique, for a position that does not
/// exist, and if no column is left.
void choose_table(const TableChoice& choice, TableKind kind, FileContent& content);

}  // namespace spca
