#pragma once

/// Starts of the truncated power method that follow from S and k. Each is poor for some S.

#include <vector>

#include "spca/methods/ascent/column_starts.h"

namespace spca {

/// Returns equal loadings on the support, which is not empty, at unit length.
Component uniform_on(Support support);

/// Returns the leading eigenvector of S on its k largest entries. Empty if S is zero.
Component truncated_eigenvector(const Covariance& covariance, Index k);

/// Returns the `count` rows of X of largest norm, each on its k largest entries, without rows of
/// zeros. Empty if S has no data, or if the data are so large that a pass over X takes too long.
std::vector<Component> heaviest_rows(const Covariance& covariance, Index k, Index count);

/// Returns the first `count` rows of the pivoted Cholesky factor R of S = R'R, each on its k
/// largest entries. The first row is that of the variable `first`, of positive variance. Each later
/// row is that of the variable of which the rows before leave the largest variance. Fewer rows if
/// none is left.
std::vector<Component> factor_rows(const Covariance& covariance, Index k, Index first, Index count);

/// The first cardinality of a path of warm starts is this multiple of k, or p if that is less.
/// Chosen by trial, not measured.
inline constexpr Index kPathFactor = 8;
/// Returns the cardinalities of such a path above k: min(8k, p), and half of each, rounded down.
std::vector<Index> path_cardinalities(Index k, Index p);

/// The best columns of S as starts. They are read once, if they are needed.
class ColumnStarts {
 public:
  /// At most `count` columns. `covariance` outlives the object.
  ColumnStarts(const Covariance& covariance, Index k, Index count)
      : covariance_(covariance), k_(k), count_(count) {}

  /// Returns the variable of largest variance: among ties the one whose column has the best score,
  /// or the first one if none of their columns is in columns().
  Index largest_variance();
  /// Returns the columns with the best scores, best first.
  const std::vector<ColumnStart>& columns();

 private:
  const Covariance& covariance_;
  Index k_;
  Index count_;
  std::vector<ColumnStart> columns_;
};

}  // namespace spca
