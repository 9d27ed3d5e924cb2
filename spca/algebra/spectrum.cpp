#include "spca/algebra/spectrum.h"

#include "spca/algebra/cardinality_bound.h"
#include "spca/algebra/eigenpairs.h"
#include "spca/base/error.h"

namespace spca {

const Vector& Spectrum::leading(Index count) const {
  SPCA_CHECK(count >= 0 && count <= covariance_.variables(), "more eigenvalues than variables");
  // More are computed only when asked for; those that are there serve every smaller count.
  if (values_.size() < count) {
    values_ = leading_eigenpairs(covariance_, count).values;
  }
  return values_;
}

double Spectrum::cardinality_bound(Index k) const {
  // A tenth of a second at most, because every cell asks for this.
  constexpr double kWork = 2e8;
  const auto [bound, is_new] = bounds_.try_emplace(k, kNotMeasured);
  if (is_new) {
    bound->second = cardinality_bounds(covariance_, {k}, leading(1)[0], kWork).front().value;
  }
  return bound->second;
}

}  // namespace spca
