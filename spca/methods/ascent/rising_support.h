#pragma once

/// The best support so far on an S that is not formed, with its value, leading vector and product.

#include "spca/covariance/covariance.h"

namespace spca {

class RisingSupport {
 public:
  /// `covariance` must outlive the object.
  explicit RisingSupport(const Covariance& covariance) : covariance_(covariance) {}

  /// Accepts the support if its lambda_max is above the value so far by more than rounding, and
  /// returns whether it did. `near` holds approximate entries of the support's leading vector. All
  /// changes go through this function, so that the value only rises and a search ends.
  /// Cost: an eigenproblem of |I| x |I|, and a product with S if the support is better.
  bool set_if_better(const Support& support, const Vector& near);

  const Covariance& covariance() const { return covariance_; }
  /// lambda_max(S_II), or 0 before a support was set.
  double value() const { return value_; }
  const Support& support() const { return support_; }
  /// The leading eigenvector v of S_II, |I| entries.
  const Vector& vector() const { return vector_; }
  /// S v, p entries.
  const Vector& product() const { return product_; }

 private:
  const Covariance& covariance_;
  double value_ = 0;
  Support support_;
  Vector vector_;
  Vector product_;
};

}  // namespace spca
