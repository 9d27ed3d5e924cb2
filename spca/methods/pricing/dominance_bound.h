#pragma once

/// An upper bound on the worth, beyond their prices, of the supports that hold some chosen
/// variables: by the spectrum of the chosen variables and the diagonal dominance of the others.
///
/// Let P be the variables chosen, J the m = k - |P| others of a support, q the prices, and c =
/// target + q(P). A support that counts has lambda > c + q(J). Let b_j be the column of j of S_PJ,
/// and
///
///   s_j = c + q_j - S_jj - the sum of the m - 1 largest |S_jl| w_l / w_j - q_l > 0             (1)
///
/// over the candidates l, those that are positive, for any w > 0. Then lambda I - S_JJ >= Diag(s)
/// by weighted diagonal dominance, and Schur's complement says
///
///   lambda <= lambda_max(S_PP + G),   G = sum over J of b_j b_j' / s_j                         (2)
///
/// Let lambda_0 > lambda_1 >= ... be the eigenvalues of S_PP, v_t its eigenvectors, B_jt = b_j'v_t,
/// and e_j = sum over t > 0 of B_jt^2 / s_j. With R the sum of the m largest e_j - q_j and d_t = c
/// - lambda_t - R > 0 for t > 0, Schur's complement of (2) says
///
///   lambda <= lambda_0 + sum over J of B_j0^2 / s_j + sum over t > 0 of M_t^2 / d_t            (3)
///   M_t = sum over J of B_j0 B_jt / s_j
///
/// The last sum is at most a constant: each |M_t| is at most the sum of its m largest terms of one
/// sign. It is also at most a sum of terms: with a_j = |B_j0| / s_j sqrt(sum of B_jt^2 / d_t), it
/// is at most (sum of a_j)^2, and so at most A sum a_j, with A the sum of the m largest
/// a_j. The smaller of both bounds counts. One term for each candidate remains.
///
/// For an eigenvector, the part of x_P across v_0 is at most
///
///   r = sqrt(the m largest B_j0^2 / s_j, summed, times the m largest e_j, summed) / d_1        (4)
///
/// of the part along v_0. So the loadings of P have limits.
///
/// Source  I. Schur, Journal fuer die reine und angewandte Mathematik 147:205, 1917; diagonal
///         dominance: S. Gerschgorin, 1931; the rest is this project's

#include <vector>

#include "spca/base/types.h"
#include "spca/methods/pricing/loading_family.h"
#include "spca/methods/pricing/strongest_entries.h"
#include "spca/methods/relaxations/support_pricing.h"

namespace spca {

class DominanceBound {
 public:
  /// `matrix` is S, p x p, positive semidefinite, and `strongest` has its entries in descending
  /// order of size; all arguments must outlive the object. `pricing` has p prices.
  DominanceBound(const Matrix& matrix, const SupportPricing& pricing, Index k,
                 const StrongestEntries& strongest);

  /// Computes the terms for the supports of the family that are worth more than `least`, the
  /// target. Returns false if the bound does not apply: c, s or d is not large enough, no variable
  /// is missing, or there are too few candidates.
  bool weigh(const LoadingFamily& family, double least);
  /// An upper bound on the worth beyond the prices is `constant` plus the terms of the support's
  /// candidates. A term includes the candidate's price.
  double constant() const { return constant_; }
  const Vector& terms() const { return terms_; }
  /// Narrows the limits of the chosen variables, after weigh().
  void narrow(LoadingFamily& family) const;
  /// Number of multiplications so far, roughly.
  double work() const { return work_; }

 private:
  struct Borders {
    Vector prices;  // of the candidates
    Vector along;   // B_j0
    Matrix across;  // B_jt, t > 0, least eigenvalue first; |P| - 1 rows
    Vector least;   // s_j
  };
  bool dominate(const LoadingFamily& family, double target, Index missing, Borders& borders);
  bool separate(const Borders& borders, const Vector& gaps, Index missing);
  double largest(const Vector& values, Index count);

  const Matrix& matrix_;
  const SupportPricing& pricing_;
  Index k_;
  const StrongestEntries& strongest_;
  double constant_ = 0;
  Vector terms_;
  Vector leading_;     // v_0, positive at the leader
  double across_ = 0;  // r
  double work_ = 0;
  std::vector<int> positions_;  // index of each variable among the candidates; -1: not a candidate
  std::vector<double> scratch_;
};

}  // namespace spca
