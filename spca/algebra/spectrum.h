#pragma once

#include <map>

#include "spca/algebra/covariance.h"
#include "spca/base/types.h"

namespace spca {

/// Eigenvalues of S that several metrics share. They are computed on first use, once for a data
/// set.
class Spectrum {
 public:
  explicit Spectrum(const Covariance& covariance) : covariance_(covariance) {}
  /// Returns lambda_1 >= ... >= lambda_count, count <= p. The answer may hold more than `count`
  /// values: take its head(count). Throws NumericalError if the eigenvalues do not converge.
  const Vector& leading(Index count) const;
  /// Returns the best bound on one component of cardinality k that needs no search
  /// (cardinality_bound.h). It is at most lambda_1.
  double cardinality_bound(Index k) const;

 private:
  const Covariance& covariance_;
  mutable Vector values_;
  mutable std::map<Index, double> bounds_;
};

}  // namespace spca
