#pragma once

/// An upper bound on the worth, beyond their prices, of the supports that hold some chosen
/// variables: by the equations of an eigenvector in the basis of the chosen variables'
/// eigenvectors.
///
/// Let P be the variables chosen, J the m = k - |P| others of a support, q the prices, and c =
/// target + q(P). A support that counts has lambda > c + q(J). Let lambda_0 > lambda_1 >= ... be
/// the eigenvalues of S_PP, v_t its eigenvectors, and B_jt = S_jP v_t. The part of the eigenvector
/// x on P is
///
///   x_P = tau (v_0 + y_1 v_1 + y_2 v_2 + ...),  and x_J = tau z
///
/// and S_II x = lambda x says
///
///   lambda = lambda_0 + sum over J of B_j0 z_j                                                 (1)
///   (lambda - lambda_t) y_t = sum over J of B_jt z_j                                           (2)
///   (lambda - S_jj) z_j = B_j0 + sum over t of B_jt y_t + sum over l in J but j of S_jl z_l    (3)
///
/// These are the rows of loading_bound.h in other coordinates. In these coordinates the loadings of
/// P are almost known if P is most of a support: y is small. So the limits of y and z, which follow
/// from those of x, are narrowed by (2) and (3) as the limits of x are by (3) there, and (1) bounds
/// lambda: the constant is lambda_0 - q(P), and each candidate has the term B_j0 z_j - q_j. Limits
/// of y and z give limits of x, as x_i = 1 for the leader i gives tau.
///
/// Source  this project

#include <algorithm>
#include <cstddef>
#include <vector>

#include "spca/base/types.h"
#include "spca/methods/pricing/largest_terms.h"
#include "spca/methods/pricing/loading_family.h"
#include "spca/methods/relaxations/support_pricing.h"

namespace spca {

class SpectrumBound {
 public:
  /// `matrix` is S, p x p, positive semidefinite; `pricing` has p prices. Both must outlive the
  /// object.
  SpectrumBound(const Matrix& matrix, const SupportPricing& pricing, Index k);

  /// Computes the terms for the supports of the family that are worth more than `least`, the
  /// target. Returns false if it finds no terms: a single variable is chosen, tau may be near zero,
  /// no variable is missing, there are fewer candidates than missing variables, or c <= 0.
  bool weigh(const LoadingFamily& family, double least);
  /// An upper bound on the worth beyond the prices is `constant` plus the terms of the support's
  /// candidates. A term includes the candidate's price.
  double constant() const { return constant_; }
  const Vector& terms() const { return terms_; }
  /// Narrows the limits of the loadings, after weigh().
  void narrow(LoadingFamily& family) const;
  /// Number of multiplications so far, roughly.
  double work() const { return work_ + in_part_.work() + in_row_.work(); }

 private:
  struct Limits {
    double low = 0;
    double high = 0;
  };
  Limits combined(const LoadingFamily& family, const Eigen::Ref<const Vector>& weights) const;
  bool begin(const LoadingFamily& family, double least);
  double rounding() const;
  void lift(double sign, const Eigen::Ref<const Vector>& entries);
  template <class Entry>
  double sum_of_some(const std::vector<Index>& some, double sign, double times, const Entry& entry);
  Eigen::Map<const Vector> entries_of(const LoadingFamily& family, Index j);
  void narrow_parts();
  void narrow_loading(const LoadingFamily& family, Index j);
  void find_largest_limit();
  double find_terms();
  std::vector<Index> leading_positions() const;
  /// The largest possible value of s z_j.
  double up(double s, Index position) const {
    return std::max(s * low_[position], s * high_[position]);
  }

  const Matrix& matrix_;
  const SupportPricing& pricing_;
  Index k_;
  double scale_;       // largest variance, or 1
  double target_ = 0;  // c
  Index missing_ = 0;  // m
  Matrix vectors_;     // v_t, the one of the largest eigenvalue last
  Vector values_;
  Matrix borders_;             // B, a row for each candidate
  Vector prices_;              // of the candidates
  Limits tau_;                 // from the limits of x
  std::vector<Limits> parts_;  // y_t; that of v_0 is 1
  Vector low_;                 // of z, one for each candidate
  Vector high_;
  double largest_limit_ = 1;  // the largest |z_j|, at least 1
  double constant_ = 0;
  Vector terms_;
  double work_ = 0;
  LargestTerms in_part_;  // for the sum in (2)
  LargestTerms in_row_;   // for the sum over l in (3)
  Vector lifts_;          // for a row: the largest possible s z_j
  // entries of S between a candidate and all others, one row after the other
  std::vector<double> entries_;
  std::vector<std::ptrdiff_t> begins_;  // start of each candidate's row; -1: not stored yet
  std::vector<double> scratch_;
};

}  // namespace spca
