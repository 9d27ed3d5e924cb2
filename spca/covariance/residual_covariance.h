#pragma once

/// The part of S = X'X that an encoder H does not explain, as an operator: A = D'D with
/// D = X - XH(XH)^+ X.

#include "spca/covariance/covariance.h"

namespace spca {

/// A = S - ZZ' with Z = SHM and M'(H'SH)M = I. Its products count as products of S, unlike those of
/// the deflations in deflation.h.
class ResidualCovariance final : public Covariance {
 public:
  /// Starts with an empty H. `base` is S and must outlive this.
  explicit ResidualCovariance(const Covariance& base);
  /// Appends a column, of any support, to H. Does nothing if the variance that it explains beyond
  /// the earlier columns is rounding.
  void remove(const Component& component);

  Index variables() const override { return base_.variables(); }
  Index samples() const override { return base_.samples(); }
  Matrix submatrix(const Support& support) const override;
  Matrix columns(const Support& support) const override;
  const Vector& diagonal() const override { return diagonal_; }
  double semidefinite_shift() const override { return shift_; }
  const Vector& largest_variances() const override { return base_.largest_variances(); }
  bool has_data_form() const override { return base_.has_data_form(); }
  std::optional<Matrix> gram() const override;
  Vector transpose_product(const Vector& u) const override;
  Vector data_product(const Component& v) const override;

 protected:
  void do_multiply(const Vector& v, Vector& out) const override;
  void do_multiply(const Component& v, Vector& out) const override;
  void do_multiply_block(const Matrix& v, Matrix& out) const override;

 private:
  const Covariance& base_;
  Matrix z_;       // p x (number of columns of H)
  Matrix scores_;  // n x (number of columns of H), orthonormal basis of XH; if S has a data form
  double shift_;   // semidefinite_shift()
  Vector diagonal_;
};

}  // namespace spca
