#pragma once

/// A bound on disjoint or orthonormal components that needs no search, for components of many
/// variables.
///
/// Let C be p x p with C_il C_li >= 0, and T symmetric with T_il^2 = C_il C_li, T_il of the same
/// sign, and T_ii = 0. Let mu >= 0 be prices of the variables. For x on the support I, ||x|| = 1,
/// |I| <= k,
///
///   x'Tx <= sum over i, l in I of |C_il| x_i^2 <= sum over I of h_i x_i^2 + mu(I)              (1)
///   h_i = - mu_i + the sum of the k - 1 largest positive |C_il| - mu_l, l != i                 (2)
///
/// because 2 |T_il x_i x_l| <= |C_il| x_i^2 + |C_li| x_l^2. Disjoint supports pay each price at
/// most once, and their x_j are orthonormal. So with Ky Fan's sum, and with k the largest k_j,
///
///   sum_j x_j'S x_j <= lambda_1(M) + ... + lambda_r(M) + sum_i mu_i,   M = S - T + Diag(h)     (3)
///
/// The minimum of (3) is the dual of
///
///   maximise <S, Y>  s.t.  0 <= Y <= I, tr Y = r, Y_il^2 <= D_il D_li, D_ii = Y_ii             (4)
///   0 <= D_il <= Y_ii, sum over l of D_il <= k Y_ii, sum over i of D_il <= 1
///
/// in which D_il is x_i^2 of the component that has both i and l. It is solved by the alternating
/// direction method of multipliers: Y and D have four projections (pair_projection.h).
///
/// Supports that overlap pay a price once for each of them that has the variable. Prices may then
/// be negative, and (1) holds for them, too, if (2) takes no negative terms. If the number n_i of
/// supports that have i is between a_i and b_i for all answers, with x_j orthonormal,
///
///   sum_j x_j'S x_j <= lambda_1(M) + ... + lambda_r(M) + max over n of sum_i n_i mu_i         (5)
///   a_i <= n_i <= b_i, sum_i n_i <= k_1 + ... + k_r
///
/// In (4), a_l <= sum over i of D_il <= b_l then. Now k Diag(Y) - Y is positive semidefinite,
/// because v'Yv <= sum_i v_i^2 sum_l D_il: the relaxation is at least as strong as the one with
/// that condition.
///
/// The x_j span a subspace of the vectors on the union A of the supports. So tr(Lambda Y) is at
/// most the sum of Lambda_ii over A for Lambda >= 0, and with Lambda as a price of the union
///
///   sum_j x_j'S x_j <= lambda_1(M) + ... + lambda_r(M) +
///                      max over n of sum_i ( n_i mu_i + min(n_i, 1) Lambda_ii )               (6)
///   M = S - Lambda - T + Diag(h)
///
/// In (4), Y <= Diag(u) then, u_i <= 1, u_l <= sum over i of D_il. Supports that overlap have a
/// smaller union, which (5) does not see: with a = 0 and b = r its prices are of no use.
///
/// If all components have the same support, of k variables, each n_i is 0 or r, so the maximum of
/// (6) is over at most k variables that pay r mu_i + Lambda_ii each. In (4), the sum over i of D_il
/// is r u_l then.
///
/// One support may pay a charge for each of its variables, as in the pricing problem
/// (support_pricing.h). With mu_i less the charge of i in the maximum of (5), it bounds what the
/// support is worth beyond its charges. In (4), D_il costs the charge of l then.
///
/// Variables j that are not part of S: M is zero beyond its diagonal there, so C_jl C_lj = S_jl^2.
/// A variable l of S takes |C_lj| = t_l, its (k - 1)-th largest term in (2), which costs nothing
/// there, or more where that does not suffice. The other factor, S_jl^2 / t_l, is |C_jl|, the cost
/// of j. So j adds nothing to (3) or (5) as long as S_jj + h_j is at most lambda_r(M). Two
/// variables j, j' that are not part of S have C_jj' = S_jj.
///
/// Source  the projection on 0 <= Y <= I: V. Vu, J. Cho, J. Lei, K. Rohe, NIPS 2013; the sum of r
///         eigenvalues: K. Fan, Proceedings of the National Academy of Sciences 35:652, 1949; the
///         rest is this project's

#include <limits>
#include <vector>

#include "spca/base/types.h"
#include "spca/methods/pairs/outside_variables.h"

namespace spca {

/// The multipliers that prove a bound; any values prove one.
struct PairProof {
  Matrix costs = {};   // C, p x p; 0 x 0: there is none
  Vector prices = {};  // mu, p; >= 0 for disjoint supports
  /// L of Lambda = LL', p x q; 0 x 0: Lambda = 0. Of no use for disjoint supports.
  Matrix union_factor = {};
};

struct PairBound {
  double value = std::numeric_limits<double>::infinity();  // pair_bound_under() of the proof
  PairProof proof = {};
};

/// The conditions of a problem, which together with S define it.
struct PairConditions {
  /// Disjoint supports of these cardinalities.
  explicit PairConditions(const std::vector<Index>& cardinality);
  /// Supports among p variables that may overlap: least = 0, most = r.
  static PairConditions shared(const std::vector<Index>& cardinality, Index p);
  /// One support of k of p variables for all r components: least and most are 0 or r.
  static PairConditions common(Index r, Index k, Index p);
  /// One support of at most k variables that pays these charges, p, >= 0.
  static PairConditions charged(Index k, const Vector& charges);

  /// The limits of these variables alone.
  PairConditions among(const Support& variables) const;
  /// Returns those of the variables that some support may have. Not for disjoint supports.
  Support allowed_among(Support variables) const;

  Index k = 0;       // the largest cardinality
  Index r = 0;       // the number of components
  Index places = 0;  // k_1 + ... + k_r
  bool is_common = false;
  /// The limits on the number of supports that have each variable, p whole numbers in 0..r, least
  /// <= most. Both are empty for disjoint supports: 0 and 1.
  Vector least = {};
  Vector most = {};
  Vector charges = {};  // zero for several components, p; empty for disjoint supports
};

/// Returns the most that the supports can pay: the largest sum of n_i mu_i + min(n_i, 1)
/// Lambda_ii, less the charges. `prices`: mu, p; `of_union`: the diagonal of Lambda, p, >= 0. Minus
/// infinity if no supports satisfy the conditions.
double largest_payment(const Vector& prices, const Vector& of_union,
                       const PairConditions& conditions);

/// Returns whether the proof has the sizes of p variables and its numbers are finite.
bool is_valid(const PairProof& proof, Index p);

/// The value of pair_bound_under() for a valid proof, and the t_l that variables outside raise.
struct PairBoundAt {
  double value = 0;
  Vector floors = {};  // t, one for each variable of S; 0: not raised
};
PairBoundAt pair_bound_with_floors(const Matrix& matrix, const PairConditions& conditions,
                                   const OutsideVariables& outside, const PairProof& proof);

/// The proof for these variables alone.
PairProof among(const PairProof& proof, const Support& variables);

/// The diagonal of M of (6) under a valid proof, p.
Vector pair_diagonal(const Matrix& matrix, const PairConditions& conditions,
                     const PairProof& proof);
/// The r-th largest eigenvalue of M; the least one if p < r.
double least_pair_eigenvalue(const Matrix& matrix, const PairConditions& conditions,
                             const PairProof& proof);
/// The (k - 1)-th largest term of each variable in (2), p; 0 if it has fewer.
Vector last_pair_terms(const Matrix& matrix, const PairConditions& conditions,
                       const PairProof& proof);

/// Computes (6), or (3) for disjoint supports, from S and a proof alone. Returns infinity if the
/// proof is invalid: sizes differ, or numbers or the result are not finite; minus infinity if no
/// supports satisfy the conditions. Entries of C whose signs differ count as zero, and so do prices
/// below zero for disjoint supports. O(p^3).
double pair_bound_under(const Matrix& matrix, const PairConditions& conditions,
                        const OutsideVariables& outside, const PairProof& proof);

/// The same as pair_bound_under(), for disjoint supports.
double pair_bound_at(const Matrix& matrix, const std::vector<Index>& cardinality,
                     const OutsideVariables& outside, const PairProof& proof);

}  // namespace spca
