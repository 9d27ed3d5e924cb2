#pragma once

/// Random problems for the searches that price supports, with all solutions by enumeration.

#include <algorithm>
#include <limits>
#include <vector>

#include "spca/base/random.h"
#include "spca/methods/ascent/priced_supports.h"
#include "spca/methods/relaxations/support_pricing.h"
#include "tests/solver_testing.h"

namespace spca::trial {

/// A matrix S, a pricing problem, and all supports of k variables that its rules allow.
struct PricingQuestion {
  Matrix matrix;
  Index k = 1;
  SupportPricing pricing;
  double optimum = -std::numeric_limits<double>::infinity();
  std::vector<Support> allowed;  // all supports that the rules allow

  /// Draws a problem whose kind depends on the seed. The target is near the optimum (near 0 if
  /// that is negative), and at least `least_target`.
  explicit PricingQuestion(std::uint64_t seed,
                           double least_target = -std::numeric_limits<double>::infinity()) {
    const auto below = [](Random& random, Index n) {
      return static_cast<Index>(random.below(static_cast<std::uint64_t>(n)));
    };
    Random random(seed);
    const Index p = 3 + below(random, 10);
    Matrix data = random_matrix(1 + below(random, 2 * p), p, random);
    if (seed % 4 == 1) {
      data.col(p - 1) = data.col(0);
    } else if (seed % 4 == 2) {
      data.col(1).setZero();
      data.col(p - 1).setZero();
    } else if (seed % 8 == 4) {
      data = data.cwiseAbs();  // S has no negative entry
      if (seed % 16 == 12) {
        data.array() -= 0.4;  // S has few negative entries
      }
    }
    matrix = data.transpose() * data;
    if (seed % 8 == 3) {
      matrix.setIdentity();  // all supports have the same value
    }
    k = 1 + below(random, std::min<Index>(p, 4));
    pricing.prices = Vector::Zero(p);
    for (double& price : pricing.prices) {
      const Index kind = below(random, 4);
      price =
          kind == 0 ? 0 : (kind == 3 ? 2 : 0.5) * matrix.diagonal().maxCoeff() * random.uniform();
    }
    for (Index t = below(random, 4); seed % 3 == 0 && t > 0; --t) {
      const Index a = below(random, p - 1);
      const Index b = a + 1 + below(random, p - 1 - a);
      (below(random, 2) == 0 ? pricing.rules.together : pricing.rules.apart).emplace_back(a, b);
    }
    if (seed % 7 == 5) {
      pricing.rules.required.push_back(below(random, p));
      pricing.rules.barred.push_back(below(random, p));
    }
    for_each_support(p, k, [&](const Support& support) {
      if (pricing.rules.allow(support)) {
        allowed.push_back(support);
        optimum = std::max(optimum, net(support));
      }
    });
    const double from = std::max(optimum, 0.0);
    pricing.target = std::max(least_target, from + 0.1 * scale() * (random.uniform() - 0.7));
  }
  double scale() const { return 1 + matrix.trace(); }
  double rounding() const { return 1e-9 * (scale() + pricing.prices.sum()); }
  double net(const Support& support) const {
    return priced_support(matrix, pricing.prices, support).net;
  }
};

}  // namespace spca::trial
