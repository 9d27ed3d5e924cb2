#pragma once

/// The content of a file of numbers, whatever its format.

#include <memory>
#include <string>
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
  /// Genotypes. They stay in their file until some of them are left out.
  std::shared_ptr<const Genotypes> genotypes = nullptr;
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

}  // namespace spca
