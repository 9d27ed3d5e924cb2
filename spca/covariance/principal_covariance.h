#pragma once

/// S on a support, as an operator: for a support so large that S_II itself would fill the memory.

#include "spca/covariance/covariance.h"

namespace spca {

/// S_II. Variable i is the i-th of the support. A product takes one product with S, which S does
/// not count.
class PrincipalCovariance final : public Covariance {
 public:
  /// `base` is S and must outlive this. `support` is not empty.
  PrincipalCovariance(const Covariance& base, Support support);

  Index variables() const override { return static_cast<Index>(support_.size()); }
  Index samples() const override { return base_.samples(); }
  Matrix submatrix(const Support& support) const override;
  Matrix columns(const Support& support) const override;
  const Vector& diagonal() const override { return diagonal_; }
  double semidefinite_shift() const override { return base_.semidefinite_shift(); }
  const Vector& largest_variances() const override { return largest_variances_; }

 protected:
  void do_multiply(const Vector& v, Vector& out) const override;
  void do_multiply(const Component& v, Vector& out) const override;
  void do_multiply_block(const Matrix& v, Matrix& out) const override;

 private:
  Support in_base(const Support& support) const;

  const Covariance& base_;
  Support support_;
  Vector diagonal_;
  Vector largest_variances_;
};

}  // namespace spca
