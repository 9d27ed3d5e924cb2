#pragma once

/// Bounds on supports whose variables are divided between a block of strong variables and the
/// others.
///
/// Let B be the variables of largest variance and R the others. A support I of k variables has j of
/// them in B, the set P, and m = k - j in R, the set N. Then
///
///   lambda_max(S_II) <= the larger root t of (t - b_j)(t - r_m) = c_j                         (1)
///
///   b_j >= lambda_max(S_PP),   r_m >= lambda_max(S_NN),   c_j >= ||S_PN||_F^2
///
/// because a unit v with the lengths x on P and y on N has v'Sv <= b_j x^2 + r_m y^2 + 2 xy
/// ||S_PN||. Only B is searched for b_j. The others are bounded from columns of S:
///
///   c_j = the sum of the m largest c_ij, i in R,  c_ij = the sum of the j largest S_ip^2, p in B
///   r_m = min(the sum of the m largest variances, root(the sum of the m largest u_i, i in R)),
///         u_i = S_ii^2 + the sum of the m - 1 largest S_il^2, l in R
///
/// S_ii S_ll replaces S_il^2 if neither column was read. All this requires a positive semidefinite
/// S. A corpus with a topic of few words and noise in the other words has this structure: the
/// relaxation (cardinality_relaxation.h) mixes the noise of thousands of words, but (1) counts only
/// m.
///
/// A variable i of R is eliminated if (1) is at most a known value for every j < k, with c_j
/// the sum of c_ij and the m - 1 largest.
///
/// Source  this project

#include <functional>
#include <memory>
#include <vector>

#include "spca/covariance/covariance.h"
#include "spca/methods/bounds/variables_left.h"
#include "spca/methods/relaxations/relaxation_certificate.h"

namespace spca {

/// The right sides of (1).
class BlockBound {
 public:
  /// B: the `count` variables of largest variance, 1 <= count < p. S is positive semidefinite and 1
  /// <= k <= p. Reads columns of S, O(p log k) each in addition to the column itself. `keep_going`
  /// is called between groups of columns; once it returns false, is_complete() is false, and no
  /// other function may be called.
  BlockBound(const Covariance& covariance, Index k, Index count,
             const std::function<bool()>& keep_going);

  bool is_complete() const { return is_complete_; }
  /// B, ascending, and S of it.
  const Support& block() const { return block_; }
  const Matrix& matrix() const { return matrix_; }

  /// The least and the largest j of a support.
  Index fewest() const { return fewest_; }
  Index most() const { return most_; }
  /// Lowers b_0, ..., b_j to at most `bound`.
  void limit(Index j, double bound);
  /// b_j; (1) of j, and the largest of all j.
  double block_bound(Index j) const { return block_bounds_[j]; }
  double bound(Index j) const;
  /// (1) for j if b_j were `block`.
  double bound(Index j, double block) const;
  double bound() const;
  /// B, and the variables that are not eliminated if `value` is known. Ascending.
  Support variables_left(double value) const;

 private:
  void look_at_columns(const std::function<bool()>& keep_going);
  void bound_others(const Matrix& largest);

  const Covariance& covariance_;
  Index k_;
  Index fewest_ = 0;
  Index most_ = 0;
  bool is_complete_ = false;
  Support block_;
  std::vector<char> is_strong_;  // p
  Matrix matrix_;
  Matrix couplings_;      // c_ij in row j - 1 and column i
  Vector block_bounds_;   // b_j, j = 0..most()
  Vector other_bounds_;   // r_m, m = 0..k
  Vector coupling_sums_;  // c_j
  Vector coupling_rest_;  // c_j without the least of the m terms
};

/// The certificate of such bounds.
struct BlockCertificate {
  Index count = 0;  // number of variables in B; 0: there is no block
  /// The certificates of searches in B, each for the number of variables of its support.
  std::vector<std::shared_ptr<const RelaxationCertificate>> searches;
};

/// The elimination and the bound that a block gives.
struct BlockElimination {
  BlockCertificate certificate;
  VariablesLeft left;
};

/// Searches for a block with useful bounds. `best`: a unit vector of at most k variables, the best
/// known, of value `value`. The block holds the variables that make up most of `best`; it ends
/// where the variances fall most. Each j for which (1) exceeds the value is searched for a while.
/// There is no block if S has no data form, if the block or p k would be too large, if the bounds
/// cannot come near the value, or if time ends before they are computed. `has_time` is called
/// within long steps, `keep_going` before each step; false means that time is over.
BlockElimination find_block(const Covariance& covariance, Index k, const Component& best,
                            double value, int threads, const std::function<bool()>& keep_going,
                            const std::function<bool()>& has_time);

/// Returns the elimination that the certificate, which is not trusted, proves if `value` is known.
/// All variables remain, and the bound is infinity, if the certificate is invalid or `keep_going`
/// returns false before the bounds are computed. If it returns false later, the other searches are
/// left out.
VariablesLeft eliminate_by_block(const Covariance& covariance, Index k, double value,
                                 const BlockCertificate& certificate,
                                 const std::function<bool()>& keep_going);

}  // namespace spca
