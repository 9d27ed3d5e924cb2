#pragma once

/// Disjoint supports where there are fewer variables than places, k_1 + ... + k_r > p.
///
///   |I_j| <= k_j is feasible for r <= p, but |I_j| = k_j is not. S is padded with
///   k_1 + ... + k_r - p variables whose rows are zero. With them every support can be full, and
///
///     max over |I_j| <= k_j  =  max over |I_j| = k_j of the padded S
///
///   if S is positive semidefinite: a padding variable in a support changes no lambda_max, and a
///   component of padding alone has the value 0, which is at most that of any variable that
///   another component could give it, since lambda_max(S_II) is at most S_ii plus lambda_max of S
///   on I without i. For any S the right side is at least the left one, which suffices for a bound.
///
///   No support can have more than p - r + 1 variables, because each of the others has at least
///   one. So larger k_j are replaced by p - r + 1, which keeps the padding small.

#include <functional>
#include <vector>

#include "spca/covariance/covariance.h"
#include "spca/solving/solver.h"

namespace spca {

/// S with additional variables at the end whose rows are zero.
class PaddedCovariance final : public Covariance {
 public:
  /// `base` is S and must outlive the object. count >= 0. Products are counted by `base`, too.
  PaddedCovariance(const Covariance& base, Index count);

  Index variables() const override { return diagonal_.size(); }
  Index samples() const override { return base_.samples(); }
  Matrix submatrix(const Support& support) const override;
  Matrix columns(const Support& support) const override;
  const Vector& diagonal() const override { return diagonal_; }
  double semidefinite_shift() const override { return base_.semidefinite_shift(); }
  const Vector& largest_variances() const override { return largest_variances_; }
  bool has_data_form() const override { return base_.has_data_form(); }
  bool is_centered() const override { return base_.is_centered(); }
  std::optional<Matrix> gram() const override { return base_.gram(); }
  Vector transpose_product(const Vector& u) const override;
  Vector data_product(const Component& v) const override;
  Vector squared_sample_norms() const override { return base_.squared_sample_norms(); }

 protected:
  void do_multiply(const Vector& v, Vector& out) const override;
  void do_multiply(const Component& v, Vector& out) const override;
  void do_multiply_block(const Matrix& v, Matrix& out) const override;

 private:
  Vector padded(const Vector& values) const;

  const Covariance& base_;
  Vector diagonal_;
  Vector largest_variances_;
};

/// The component without the variables from p on, at unit length. Empty if it has no other
/// variables.
Component without_padding(const Component& component, Index p);

/// The k_j that supports of r disjoint components among p >= r variables can reach: at most p - r +
/// 1.
std::vector<Index> reachable_cardinality(std::vector<Index> cardinality, Index p);

/// Number of variables missing among p for full disjoint supports; 0 if there are enough.
Index missing_variables(const std::vector<Index>& cardinality, Index p);

/// Returns true if the problem has fewer variables than places: then solve_padded() has to be
/// called.
bool lacks_variables(const Problem& problem);

/// Solves the padded problem and returns its answer as an answer to `problem`. A component of
/// padding alone gets an unused variable or, if there is none, the variable of another component
/// that lowers the sum of variances least. A certificate of `solve` is returned unchanged: its
/// check has to pad S itself (missing_variables).
Solution solve_padded(const Problem& problem,
                      const std::function<Solution(const Problem& padded)>& solve);

}  // namespace spca
