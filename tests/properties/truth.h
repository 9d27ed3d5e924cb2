#pragma once

/// Optima that are computed without the library under test.

#include <memory>
#include <vector>

#include "tests/properties/hunted_matrix.h"

namespace spca::properties {

/// The optima of one S. Cardinalities are at least 1; their sum may exceed p.
class Truth {
 public:
  virtual ~Truth() = default;
  Truth() = default;
  Truth(const Truth&) = delete;
  Truth& operator=(const Truth&) = delete;

  /// The largest v'Sv over unit v of at most k nonzeros.
  virtual double one(Index k) const = 0;
  /// The largest sum over unit components of disjoint supports, ||v_j||_0 <= k_j. Minus infinity if
  /// there are more components than variables.
  virtual double disjoint(const std::vector<Index>& cardinality) const = 0;
  /// lambda_1 >= ... >= lambda_p.
  virtual const Vector& eigenvalues() const = 0;

  /// lambda_1 + ... + lambda_r.
  double leading_sum(Index r) const { return eigenvalues().head(r).sum(); }
  /// The sum of the positive ones of lambda_1, ..., lambda_r: the span of r loadings may have fewer
  /// than r dimensions.
  double positive_sum(Index r) const { return eigenvalues().head(r).cwiseMax(0.0).sum(); }
};

/// Returns the optima by enumeration if S is small. If it is large, they have a closed form, or
/// follow from enumeration in each block. `covariance` is exact_covariance(matrix).
std::unique_ptr<const Truth> truth_of(const HuntedMatrix& matrix, const Matrix& covariance);
/// Returns the optima by enumeration of all supports, p <= 16.
std::unique_ptr<const Truth> enumerated_truth(const Matrix& covariance);

/// Returns all eigenvalues in descending order, by Eigen's solver on the scaled matrix.
Vector reference_eigenvalues(const Matrix& symmetric);

/// Returns S_d, the best approximation of S of rank d, 1 <= d <= p.
Matrix low_rank_part(const Matrix& covariance, Index d);

/// Returns a value that some orthonormal loadings of these cardinalities have: the best of local
/// ascents on all pairs of supports for r = 2 and p <= 7, otherwise on 60 random choices of
/// supports. The value may be below the optimum: a bound below it is wrong, but a bound above it
/// need not be right.
double orthogonal_value(const Matrix& covariance, const std::vector<Index>& cardinality);

}  // namespace spca::properties
