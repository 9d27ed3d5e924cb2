#pragma once

/// Bounds on supports if most variables share one factor, and a few others form topics: in word
/// counts that are not centred S_ij is near m_i m_j, and larger for the words of a topic.
///
/// Let Q be the variables of largest variance, divided into a block B and the middle M, and R all
/// others. A support of k variables has j of B, the set P, n of M, the set N, and l of R, the set
/// L.
///
/// The middle. For any vector a >= 0 let d_i = S_ii - a_i^2, and E_il = max(|S_il| - a_i a_l, 0)
/// outside the diagonal. Then lambda_max(S_NN) <= t + e if
///
///   the sum of the n largest a_i^2 / (t - d_i), i in M, is at most 1,  t > d_i                 (1)
///   e = min(the largest e_i, root(the sum of the n largest f_i)),                              (2)
///       e_i = the sum of the n - 1 largest E_il, f_i = the sum of the n - 1 largest E_il^2
///
/// because v'Sv does not fall if v_i and S_il are replaced by |v_i| and |S_il|, |S_il| is at most
/// a_i a_l + E_il, and by (1) t I - diag(d) - aa' is positive semidefinite on N (Schur's
/// complement). a is chosen such that E is small. With r_n the smaller of such a t + e and the sum
/// of the n largest variances, b_j >= lambda_max(S_PP) and c >= ||S_PN||_F^2, summed up from the
/// largest S_ip^2,
///
///   lambda_max on P and N <= the larger root t of (t - b_j)(t - r_n) = c                       (3)
///
/// as in strong_block.h. Only the block is searched, for b_j.
///
/// The others. L is added by (3) once more: lambda_max(S_LL) is at most the sum of the l largest
/// variances, and ||S_PL||_F^2 is bounded by the columns of S of the block. For N and L take u on
/// M, and h = Su / root(u'Su). C = S - hh' is positive semidefinite, so
///
///   ||S_NL|| <= ||h_N|| ||h_L|| + root(lambda_max(C_NN) lambda_max(C_LL))                      (4)
///
/// with lambda_max(C_NN) by rows as in (2), and lambda_max(C_LL) by its diagonal. Only this part
/// requires a positive semidefinite S.
///
/// If all supports with l > 0 are bounded by a known value, R is eliminated. Then a variable i of M
/// is eliminated if (3) is at most the value for every j < k, with i in the sums of (1) and c.
/// Without these variables E is smaller, and the step is repeated. B is eliminated if all bounds
/// for j > 0 are no more than the value.
///
/// Source  (1) is the secular equation of a diagonal matrix and a rank-one one, G. H. Golub, SIAM
///         Review 15:318, 1973; the rest is this project's

#include <functional>
#include <memory>
#include <vector>

#include "spca/covariance/covariance.h"
#include "spca/methods/bounds/variables_left.h"
#include "spca/methods/relaxations/relaxation_certificate.h"

namespace spca {

/// r_n of a middle, by (1) and (2).
class OneFactor {
 public:
  /// `matrix`: S of M, which may be empty; `max_n`: the largest n.
  OneFactor(Matrix matrix, Index max_n);

  Index variables() const { return matrix_.rows(); }
  /// M and a.
  const Matrix& matrix() const { return matrix_; }
  const Vector& factor() const { return factor_; }
  /// r_n, 0 <= n <= min(max_n, |M|).
  double bound(Index n) const { return bounds_[n]; }
  /// Returns for each i whether t + e of the supports of n variables that hold i is at most
  /// `limits[i]`.
  std::vector<char> is_within(Index n, const Vector& limits) const;

 private:
  double sum_of_terms(double t, Index n, std::vector<double>& terms) const;

  Matrix matrix_;
  Vector factor_;
  Vector rest_;  // d
  double largest_rest_ = 0;
  Vector remainders_;  // e by n
  Vector bounds_;
};

/// The certificate of such bounds. Nothing in it is trusted.
struct OneFactorCertificate {
  Index considered = 0;  // number of variables in Q; 0: there is no bound
  Support block;         // B, ascending
  /// The certificates of searches in B, each for the number of variables of its support.
  std::vector<std::shared_ptr<const RelaxationCertificate>> searches;
};

class OneFactorBound {
 public:
  /// 1 <= k <= |Q|; `strongest`: Q, the variables of largest variance, ascending; `matrix`: S of
  /// them; `block`: B, some of them, ascending. `keep_going` is called in between; once it returns
  /// false, is_complete() is false, and no other function may be called.
  OneFactorBound(const Covariance& covariance, Index k, const Support& strongest,
                 const Matrix& matrix, Support block, const std::function<bool()>& keep_going);

  bool is_complete() const { return is_complete_; }
  const Support& block() const { return block_; }
  /// S of the block.
  const Matrix& matrix() const { return matrix_; }
  Index fewest() const { return fewest_; }
  Index most() const { return most_; }
  double block_bound(Index j) const { return block_bounds_[j]; }
  void limit(Index j, double bound);
  /// The bound of supports with j variables of B, and the largest of all j.
  double bound(Index j) const { return bound(j, block_bounds_[j]); }
  double bound() const;
  /// The bound for j if b_j were `block`.
  double bound(Index j, double block) const;
  /// Returns the variables that remain if `value` is known, eliminated as above. The call destroys
  /// R and M, so it must be the last one.
  VariablesLeft eliminate(double value);

 private:
  double middle_bound(Index j, Index n, double block) const;
  double far_bound(Index j, double block) const;
  void couple_middle(const Matrix& couplings);
  void look_at_others(const std::function<bool()>& keep_going);
  void bound_far_couplings(const Vector& variances);
  std::vector<char> is_middle_left(double value) const;

  const Covariance& covariance_;
  Index k_;
  Index fewest_ = 0;
  Index most_ = 0;
  bool is_complete_ = false;
  Support block_;
  Support middle_;
  Support others_;  // R
  Matrix matrix_;
  Matrix couplings_;        // most() x M: cumulative sums of the largest S_ip^2, p in B
  Matrix middle_sums_;      // c of j and n, (most() + 1) x (k + 1)
  Matrix far_sums_;         // c of j and l
  Matrix far_middle_sums_;  // (4), squared, of n and l
  Vector far_bounds_;       // bounds on lambda_max(S_LL) by l
  Vector block_bounds_;     // b_j
  std::unique_ptr<OneFactor> factor_;
};

struct OneFactorElimination {
  OneFactorCertificate certificate;
  Support support;  // of k variables, the best found, including `known`
  VariablesLeft left;
};

/// Searches for a block with useful bounds: the variables whose covariances exceed those of one
/// factor most, up to the largest relative fall of this excess; none if it nowhere falls by more
/// than half. The known value is that of `known`, k variables, or of a better support that ascents
/// in Q find. Each j whose bound exceeds that value is searched for a while. The certificate is
/// empty if S has no data form, if p k is too large, if the bounds cannot come near the value,
/// which a test on a few variables shows first, or if time ends before the bounds are computed.
/// `has_time` is called within long steps, `keep_going` with the value before each step; false
/// means that time is over.
OneFactorElimination find_one_factor(const Covariance& covariance, Index k, const Support& known,
                                     int threads,
                                     const std::function<bool(double value)>& keep_going,
                                     const std::function<bool()>& has_time);

/// Returns the elimination that the certificate proves if `value` is known. All variables remain,
/// and the bound is infinity, if the certificate is invalid or `keep_going` returns false before
/// the bounds are computed. If it returns false later, the other searches are left out.
VariablesLeft eliminate_by_one_factor(const Covariance& covariance, Index k, double value,
                                      const OneFactorCertificate& certificate,
                                      const std::function<bool()>& keep_going);

}  // namespace spca
