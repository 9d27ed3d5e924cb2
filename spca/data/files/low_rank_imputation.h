#pragma once

#include "spca/base/types.h"

namespace spca {

struct Imputation {
  Index rank = 0;  // of the fitted matrix
  int iterations = 0;
  /// False if the last iteration changed an entry by more than 1e-9 of its column's deviation.
  bool has_converged = true;
};

/// Fills the NaNs of X, n x p, from a matrix of this rank, or of rank min(n - 1, p - 1) if that is
/// less, plus the means of the columns. Columns are scaled by the standard deviations of their
/// known values. Each iteration fits the filled matrix by one step of orthogonal iteration and
/// fills it again: this is expectation maximisation for probabilistic PCA without noise. It starts
/// from the means of the columns. Deterministic. O(n p rank) per iteration, at most 2000
/// iterations. Throws InputError if a column or a row has no value.
/// Source  S. Roweis, EM algorithms for PCA and SPCA, NIPS 1998; A. Ilin, T. Raiko, Practical
///         approaches to principal component analysis in the presence of missing values, JMLR
///         11:1957, 2010; H. Wold, NIPALS, 1966
Imputation impute_low_rank(Matrix& x, Index rank);

}  // namespace spca
