#pragma once

/// S + sigma I, for bounds that need a positive semidefinite matrix.

#include "spca/covariance/covariance.h"

namespace spca {

/// S + sigma I with sigma = semidefinite_shift() of S. A unit vector explains sigma more of
/// S + sigma I than of S. So a bound on r components of S + sigma I, minus r sigma, is a bound on r
/// components of S.
class ShiftedCovariance final : public Covariance {
 public:
  /// `base` is S and must outlive this.
  explicit ShiftedCovariance(const Covariance& base);

  /// sigma.
  double shift() const { return shift_; }
  /// This object, or S itself if sigma is zero.
  const Covariance& semidefinite() const {
    return shift_ > 0 ? static_cast<const Covariance&>(*this) : base_;
  }

  Index variables() const override { return base_.variables(); }
  Index samples() const override { return base_.samples(); }
  Matrix submatrix(const Support& support) const override;
  Matrix columns(const Support& support) const override;
  const Vector& diagonal() const override { return diagonal_; }
  const Vector& largest_variances() const override { return largest_variances_; }

 protected:
  void do_multiply(const Vector& v, Vector& out) const override;
  void do_multiply(const Component& v, Vector& out) const override;
  void do_multiply_block(const Matrix& v, Matrix& out) const override;

 private:
  const Covariance& base_;
  double shift_;
  Vector diagonal_;
  Vector largest_variances_;
};

}  // namespace spca
