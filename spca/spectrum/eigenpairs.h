#pragma once

#include <limits>
#include <stdexcept>

#include "spca/base/types.h"
#include "spca/covariance/covariance.h"

namespace spca {

/// The largest eigenvalues in descending order and their unit eigenvectors.
struct Eigenpairs {
  Vector values;   // r
  Matrix vectors;  // p x r; in each column the entry of largest magnitude (lowest index among ties)
                   // is positive
  /// A bound on ||SU - U diag(values)|| with the vectors U, if Exact::kNearly was asked for;
  /// otherwise 0, and the pairs are exact up to rounding. In either case U is orthonormal and U'SU
  /// is diagonal, so the pairs are exact for a matrix that differs from S by no more than this
  /// bound.
  double residual = 0;
  /// `upper[j]` >= lambda_{j+1}: the values, increased by the possible effect of rounding,
  /// residuals and missed copies. May be empty if Copies::kAny was asked for.
  Vector upper = {};
  /// A bound on v'Sv for unit v orthogonal to the vectors, for S or for the matrix whose pairs
  /// these are exactly. May be infinite if Copies::kAny was asked for.
  double rest = std::numeric_limits<double>::infinity();
};

/// The choice whether every copy of a repeated eigenvalue must be found.
enum class Copies {
  /// No copy is missing: shown by a dense factorisation or, with a probability above 1 - 1e-12, by
  /// complement_bound.h. For values that enter a bound or an answer.
  kAll,
  /// A copy may be missing, or, less probably, an eigenvalue close to another: for the start of an
  /// iteration.
  kAny,
};

/// The accuracy of eigenpairs that are found by iteration. Each further digit takes about the same
/// number of passes over the data.
enum class Exact {
  kPairs,   // up to rounding
  kValues,  // only the values; their error is the square of the error of the vectors
  /// Each residual is at most kNearResidual lambda_1, or the values are exact
  /// (Eigenpairs::residual).
  kNearly,
};
/// The largest residual that Exact::kNearly accepts, relative to lambda_1.
inline constexpr double kNearResidual = 1e-9;

/// Returns the `count` leading eigenpairs of S, 1 <= count <= p. With Copies::kAll no pair is
/// missing. The method depends on the shape (eigenpairs.cpp gives the limits):
///
///   small n < p              dense, through the n x n Gram matrix
///   small p, or count ~ p    dense
///   large p                  by blocks (block_davidson.h), if their basis fits
///   otherwise                Spectra's implicitly restarted Lanczos on products with S
///
/// `exact` is kPairs or kNearly. Deterministic. Throws NumericalError if it does not converge.
Eigenpairs leading_eigenpairs(const Covariance& covariance, Index count,
                              Exact exact = Exact::kPairs, Copies copies = Copies::kAll);
/// Returns upper bounds on lambda_1 ... lambda_count, descending. They are these values up to
/// rounding if the eigenvalues can be told apart (Eigenpairs::upper). If S is large, this takes
/// fewer products than the pairs, and neither reads nor changes an EigenMemory. Throws as
/// leading_eigenpairs() does.
Vector leading_eigenvalues(const Covariance& covariance, Index count);

/// Returns an upper bound on the largest eigenvalue of a symmetric matrix: the eigenvalue up to
/// rounding.
double largest_eigenvalue_bound(const Matrix& matrix);

/// The best unit vector on a support: the leading eigenvector of S_II. Entries that are exactly
/// zero are dropped.
struct SupportOptimum {
  double value = 0;     // lambda_max(S_II)
  Component component;  // unit length, its support within I
};
/// Returns the optimum on a support that is not empty. O(|I|^3), and the cost of S_II; on a large
/// support, S_II is not formed, and products with S are taken instead. Throws NumericalError if the
/// eigenvectors do not converge.
SupportOptimum best_on_support(const Covariance& covariance, const Support& support);

}  // namespace spca
