#include "spca/spectrum/joint_loadings.h"
#include "spca/covariance/covariance_explicit.h"

#include <gtest/gtest.h>

#include <cmath>

namespace spca::joint_loadings_test {
namespace {

/// Returns two loadings at this angle to each other, in the plane of the first two variables.
std::vector<Component> nearly_parallel(double angle) {
  const double turn = 0.7;
  const auto at = [](double direction) {
    return Component{.support = {0, 1},
                     .values = Vector{{std::cos(direction), std::sin(direction)}}};
  };
  return {at(turn), at(turn + angle)};
}

/// The span is the whole plane at every angle, so its variance is S_11 + S_22. Loadings count as
/// parallel below an angle of 1e-6 (kRankTolerance); all angles here but the last are above it.
TEST(VarianceOfSpan, KeepsItsDigitsIfLoadingsAreNearlyParallel) {
  Matrix s(3, 3);
  s << 1e9, 9e8, 0, 9e8, 2e9, 0, 0, 0, 1;
  const auto covariance = make_explicit_covariance(s);
  for (const double angle : {1.0, 0.1, 0.009, 1e-3, 1e-4, 1e-5}) {
    SCOPED_TRACE(angle);
    const std::vector<Component> components = nearly_parallel(angle);
    const double variance = variance_of_span(*covariance, components, loadings_gram(components),
                                             variance_matrix(*covariance, components));
    EXPECT_NEAR(variance, 3e9, 3e9 * 1e-11);
  }
  const std::vector<Component> equal = nearly_parallel(0);
  EXPECT_NEAR(variance_of_span(*covariance, equal, loadings_gram(equal),
                               variance_matrix(*covariance, equal)),
              covariance->quadratic_form(equal[0]), 1e-3);
}

}  // namespace
}  // namespace spca::joint_loadings_test
