#include "spca/methods/ascent/rising_support.h"

#include <utility>

#include "spca/dense/leading_eigenpair.h"
#include "spca/methods/ascent/support_exchange.h"

namespace spca {

bool RisingSupport::set_if_better(const Support& support, const Vector& near) {
  LeadingEigenpair pair = leading_eigenpair(covariance_.submatrix(support), near);
  if (!(pair.value > value_ * (1 + kSmallestRise))) {
    return false;
  }
  value_ = pair.value;
  support_ = support;
  vector_ = std::move(pair.vector);
  covariance_.multiply(Component{.support = support_, .values = vector_}, product_);
  return true;
}

}  // namespace spca
