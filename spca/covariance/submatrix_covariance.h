#pragma once

/// S on a support, formed: for methods that work much with the few variables that can matter.

#include "spca/covariance/covariance.h"

namespace spca {

/// S_II. Variable i is the i-th of the support. Unlike PrincipalCovariance, it holds |I|^2 numbers,
/// and the data are no longer read. S does not count its products.
class SubmatrixCovariance final : public Covariance {
 public:
  /// `base` is S, and need not outlive this. `support` ascends and is not empty.
  SubmatrixCovariance(const Covariance& base, Support support);

  /// I.
  const Support& support() const { return support_; }
  /// Returns a component of S_II as a component of S.
  Component in_base(Component component) const;

  Index variables() const override { return matrix_.rows(); }
  Index samples() const override { return samples_; }
  Matrix submatrix(const Support& support) const override { return matrix_(support, support); }
  Matrix columns(const Support& support) const override { return matrix_(Eigen::all, support); }
  double column_multiplications() const override { return 0; }
  const Vector& diagonal() const override { return diagonal_; }
  double semidefinite_shift() const override { return shift_; }
  const Vector& largest_variances() const override { return largest_variances_; }

 protected:
  void do_multiply(const Vector& v, Vector& out) const override;
  void do_multiply(const Component& v, Vector& out) const override;

 private:
  Support support_;
  Matrix matrix_;
  Index samples_;
  double shift_;
  Vector diagonal_;
  Vector largest_variances_;
};

}  // namespace spca
