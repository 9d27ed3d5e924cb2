#pragma once

#include <limits>
#include <stdexcept>

#include "spca/algebra/covariance.h"
#include "spca/base/types.h"

namespace spca {

/// The largest eigenvalues in descending order and their unit eigenvectors.
struct Eigenpairs {
  Vector values;   // r
  Matrix vectors;  // p x r; in each column the entry of largest magnitude (lowest index among ties)
                   // is positive
  /// A bound of ||SU - U diag(values)||, U the vectors, if they were sought nearly; otherwise 0, and
  /// they are exact but for rounding. The vectors are orthonormal in either case, and U'SU is
  /// diagonal, so that they are exact for a matrix that differs from S by no more than this.
  double residual = 0;
  /// `upper[j]` >= lambda_{j+1}: the values and what rounding, residuals and copies that were not
  /// found may add. Empty if Copies::kAny was asked for.
  Vector upper = {};
  /// A bound on v'Sv for unit v orthogonal to the vectors of S, or of the matrix of which the pairs are
  /// exact. Infinite if Copies::kAny was asked for.
  double rest = std::numeric_limits<double>::infinity();
};

/// Whether every copy of an eigenvalue that repeats has to be found.
enum class Copies {
  /// Nothing is missing: shown by a dense factorisation or, with a probability above 1 - 1e-12, by
  /// complement_bound.h. For whatever enters a bound or an answer.
  kAll,
  /// A copy may be missing, or, less probably, an eigenvalue close to another: for the start of an
  /// iteration.
  kAny,
};

/// How exact eigenpairs have to be, where S is so large that they are found step by step. Each digit
/// takes about as many passes over the data.
enum class Exact {
  kPairs,   // but for rounding
  kValues,  // the values alone; their error is the square of the vectors'
  kNearly,  // each residual is kNearResidual lambda_1 or less, or the values are exact; residuals are told
};
/// Of Exact::kNearly, over lambda_1.
inline constexpr double kNearResidual = 1e-9;

/// Returns the `count` leading eigenpairs of S, 1 <= count <= p. With Copies::kAll none is missing
/// among them. The method depends on the shape (eigenpairs.cpp gives the limits):
///
///   small n < p              dense, through the n x n Gram matrix
///   small p, or count ~ p    dense
///   large p                  by blocks (block_davidson.h), if their basis fits
///   otherwise                Spectra's implicitly restarted Lanczos on products with S
///
/// `exact` is kPairs or kNearly. Deterministic. Throws NumericalError if it does not converge.
Eigenpairs leading_eigenpairs(const Covariance& covariance, Index count,
                              Exact exact = Exact::kPairs, Copies copies = Copies::kAll);
/// Returns upper bounds on lambda_1 ... lambda_count, descending, which are these values but for
/// rounding if they can be told apart (Eigenpairs::upper). Where S is large, it takes fewer products
/// than the pairs, and nothing is taken from an EigenMemory or left there. Throws as
/// leading_eigenpairs does.
Vector leading_eigenvalues(const Covariance& covariance, Index count);

/// The leading eigenpair of a small dense symmetric matrix, m x m.
struct LeadingEigenpair {
  double value = 0;  // in the units of the matrix
  Vector vector;     // m, unit, largest entry positive
};
/// Returns it for a matrix of m x m, m >= 1, of which the lower triangle is read. O(m^3). Throws
/// NumericalError if the iteration does not converge.
LeadingEigenpair leading_eigenpair(const Matrix& matrix);
/// The same by Lanczos steps from a start that is near: O(m^2) a step. Falls back to the dense
/// solver if the steps stall.
LeadingEigenpair leading_eigenpair(const Matrix& matrix, const Vector& start);

/// Returns an upper bound on the largest eigenvalue of a matrix as above: the eigenvalue but for rounding.
double largest_eigenvalue_bound(const Matrix& matrix);

/// The best unit vector on a support: the leading eigenvector of S_II. Entries that are exactly
/// zero are dropped.
struct SupportOptimum {
  double value = 0;     // lambda_max(S_II)
  Component component;  // unit length, its support within I
};
/// Returns it for a support of one variable or more. O(|I|^3) beside S_II itself. Throws
/// NumericalError if the eigenvectors do not converge.
SupportOptimum best_on_support(const Covariance& covariance, const Support& support);

}  // namespace spca
