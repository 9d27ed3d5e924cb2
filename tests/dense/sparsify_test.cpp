#include "spca/dense/sparsify.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "spca/base/error.h"
#include "spca/base/random.h"
#include "tests/dense_reference.h"

namespace spca::sparsify_test {
namespace {

constexpr double kSparseRounding = 1e-13;  // of a few operations on numbers near 1
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

Vector vector_of(std::initializer_list<double> values) {
  Vector w(static_cast<Index>(values.size()));
  std::copy(values.begin(), values.end(), w.begin());
  return w;
}

/// Returns top_k by its definition: a stable sort of all keys.
Support naive_top_k(const Vector& keys, Index k) {
  Support order(static_cast<std::size_t>(keys.size()));
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return keys[a] > keys[b]; });
  order.resize(static_cast<std::size_t>(k));
  std::sort(order.begin(), order.end());
  return order;
}

TEST(TopK, IsThePrefixOfAStableSortForEveryCardinality) {
  Random random(1);
  for (const Index p : {1, 2, 3, 7, 16, 63, 64, 65, 200, 701}) {
    for (const int distinct : {2, 5, 1000000}) {  // few values: many ties
      const Vector w = Vector::NullaryExpr(
          p, [&](Index) { return std::round((random.uniform() - 0.5) * distinct) / distinct; });
      for (Index k = 1; k <= p; k += p > 100 ? 1 + k / 4 : 1) {
        ASSERT_EQ(top_k(w, k), naive_top_k(w.cwiseAbs(), k)) << "p = " << p << ", k = " << k;
        ASSERT_EQ(top_k_signed(w, k), naive_top_k(w, k)) << "p = " << p << ", k = " << k;
      }
    }
  }
}

TEST(TopK, OfASortedVectorIsOneOfItsEnds) {
  const Vector rising = Vector::LinSpaced(300, 1, 300);
  const Vector falling = rising.reverse();
  for (const Index k : {1, 4, 30, 200}) {
    EXPECT_EQ(top_k(rising, k), naive_top_k(rising, k));
    EXPECT_EQ(top_k(falling, k), naive_top_k(falling, k));
  }
}

TEST(TopK, PutsTiesAtTheLowerIndex) {
  EXPECT_EQ(top_k(vector_of({1, -2, 2, -1, 2}), 2), (Support{1, 2}));
  EXPECT_EQ(top_k_signed(vector_of({1, -2, 2, -1, 2}), 3), (Support{0, 2, 4}));
  EXPECT_EQ(top_k(Vector::Zero(100), 3), (Support{0, 1, 2}));
  EXPECT_EQ(top_k(vector_of({0.0, -0.0, 0.0}), 1), (Support{0}));
}

TEST(TopK, TakesNanForZero) {
  EXPECT_EQ(top_k(vector_of({kNan, 1, kNan, 3}), 2), (Support{1, 3}));
  EXPECT_EQ(top_k(vector_of({kNan, 0, kNan, 3}), 2), (Support{0, 3}));
  Vector w = Vector::Constant(100, kNan);
  w[70] = 1;
  EXPECT_EQ(top_k(w, 3), (Support{0, 1, 70}));
  EXPECT_EQ(top_k_signed(vector_of({-1, kNan, -2}), 2), (Support{0, 1}));
}

TEST(TopK, RefusesACardinalityOutsideOneToP) {
  EXPECT_THROW(top_k(Vector::Ones(3), 0), InternalError);
  EXPECT_THROW(top_k(Vector::Ones(3), 4), InternalError);
}

TEST(RestrictTo, DropsZeros) {
  const Component v = restrict_to(vector_of({5, 0, -3, 4}), {0, 1, 2});
  EXPECT_EQ(v.support, (Support{0, 2}));
  EXPECT_EQ(v.values, vector_of({5, -3}));
}

TEST(FromDense, IsTheInverseOfToDense) {
  const Vector w = vector_of({0, 1, 0, 0, -2, 0});
  const Component v = from_dense(w);
  EXPECT_EQ(v.support, (Support{1, 4}));
  EXPECT_EQ(to_dense(v, 6), w);
  EXPECT_EQ(from_dense(Vector::Zero(4)).cardinality(), 0);
  EXPECT_EQ(to_dense({}, 4), Vector::Zero(4));
}

TEST(Normalized, HasUnitLengthAtAnyScale) {
  for (const double scale : {1.0, 1e-300, 1e300}) {
    const Component v = normalized({.support = {0, 2}, .values = scale * vector_of({3, -4})});
    EXPECT_NEAR(v.values[0], 0.6, kSparseRounding);
    EXPECT_NEAR(v.values[1], -0.8, kSparseRounding);
  }
}

TEST(Normalized, IsEmptyForZeroAndForNonfiniteVectors) {
  for (const double value : {0.0, kNan, std::numeric_limits<double>::infinity()}) {
    EXPECT_EQ(normalized({.support = {1}, .values = vector_of({value})}).cardinality(), 0);
  }
  EXPECT_EQ(normalized({}).cardinality(), 0);
  EXPECT_EQ(normalized({.support = {1, 2}, .values = vector_of({kNan, 1})}).cardinality(), 0);
}

TEST(Thresholds, ShrinkOrKeep) {
  const Vector w = vector_of({3, -2, 1, 0, -5});
  EXPECT_EQ(soft_threshold(w, 2), vector_of({1, 0, 0, 0, -3}));
  EXPECT_EQ(hard_threshold(w, 2), vector_of({3, 0, 0, 0, -5}));
  EXPECT_EQ(soft_threshold(w, 0), w);
  EXPECT_EQ(hard_threshold(w, 0), w);
}

/// Checks what proves the optimum: unit length, the l1 norm equal to the bound (or below it without
/// shrinkage), and the form of a soft-thresholded w.
TEST(UnitWithinL1Ball, MeetsTheBoundWithTheLeastThreshold) {
  Random random(2);
  for (const Index p : {1, 2, 5, 40, 300}) {
    for (const double bound : {1.0, 1.0001, 1.3, 2.0, 5.0, 17.0}) {
      const Vector w = Vector::NullaryExpr(p, [&](Index) { return random.normal(); });
      const Vector u = unit_within_l1_ball(w, bound);
      ASSERT_NEAR(u.norm(), 1, kSparseRounding);
      const double l1 = u.lpNorm<1>();
      if (w.lpNorm<1>() <= bound * w.norm()) {
        EXPECT_LE((u - w / w.norm()).norm(), kSparseRounding);
        continue;
      }
      // The l1 norm moves with the square root of the distance to a kink at bound = 1.
      EXPECT_NEAR(l1, bound, 1e-9) << "p = " << p;
      // u c + t sign(u) = w on the support for one c and t, and |w_i| <= t elsewhere.
      const Support support = from_dense(u).support;
      const Index m = static_cast<Index>(support.size());
      Matrix system(m, 2);
      system.col(0) = u(support).cwiseAbs();
      system.col(1).setOnes();
      const Vector magnitude = w(support).cwiseAbs();
      const Vector fit = pseudo_inverse(system) * magnitude;
      EXPECT_LE((system * fit - magnitude).norm(), 1e-9 * w.norm());
      for (Index i = 0; i < p; ++i) {
        EXPECT_GE(u[i] * w[i], 0);
        if (u[i] == 0 && m > 1) {
          EXPECT_LE(std::abs(w[i]), fit[1] + 1e-9);
        }
      }
    }
  }
}

TEST(UnitWithinL1Ball, IsASoftThresholdedVector) {
  const Vector w = vector_of({4, -3, 2, 1});
  const double t = 1.25;
  const Vector expected = soft_threshold(w, t).normalized();
  EXPECT_LE((unit_within_l1_ball(w, expected.lpNorm<1>()) - expected).norm(), kSparseRounding);
}

TEST(UnitWithinL1Ball, SplitsTiesThatThresholdingCannotTellApart) {
  const Vector w = vector_of({2, -2, 1, 2});
  for (const double bound : {1.0, 1.2, 1.5}) {
    const Vector u = unit_within_l1_ball(w, bound);
    EXPECT_NEAR(u.norm(), 1, kSparseRounding);
    EXPECT_NEAR(u.lpNorm<1>(), bound, kSparseRounding);
    EXPECT_NEAR(u.dot(w), 2 * bound, kSparseRounding);  // the most that ||u||_1 <= bound allows
    EXPECT_EQ(u[2], 0);
  }
  EXPECT_EQ(unit_within_l1_ball(Vector::Zero(3), 1), Vector::Zero(3));
}

/// Entries that are nearly equal, alone and beside smaller ones. The result is a unit vector for
/// every bound. If the entries are equal up to rounding, the nonzeros grow one by one with the
/// square of the bound.
TEST(UnitWithinL1Ball, IsAUnitVectorWhereEntriesAreNearlyEqual) {
  constexpr Index kEqual = 12;
  for (const double noise : {0.0, 1e-17, 1e-16, 3e-16, 1e-15, 1e-14, 1e-13, 1e-12, 1e-9, 1e-6}) {
    for (const double scale : {1e-200, 0.288675, 1.0, 1e200}) {
      for (const Index p : {kEqual, kEqual + 1, Index{40}}) {
        Random random(3);
        Vector w = Vector::Constant(p, 0.1);
        for (Index i = 0; i < kEqual; ++i) {
          w[i] = (i % 2 == 0 ? 1 : -1) * (1 + noise * random.normal());
        }
        w *= scale;
        const double largest_bound = std::sqrt(static_cast<double>(p));
        for (int step = 0; step <= 400; ++step) {
          const double bound = 1 + (largest_bound - 1) * step / 400;
          const Vector u = unit_within_l1_ball(w, bound);
          ASSERT_NEAR(u.norm(), 1, 1e-12) << noise << " " << p << " " << bound;
          ASSERT_LE(u.lpNorm<1>(), bound * (1 + 1e-12)) << noise << " " << p << " " << bound;
          // Nearly the most that the bound allows: ||w||_inf ||u||_1 over the equal entries.
          if (bound * bound <= kEqual) {
            ASSERT_GE(u.dot(w) / scale, bound * (1 - 1e-12 - 10 * noise)) << noise << " " << bound;
            if (noise < 1e-14) {
              EXPECT_EQ((u.array() != 0).count(), std::ceil(bound * bound))
                  << noise << " " << bound;
            }
          }
        }
      }
    }
  }
}

TEST(UnitWithinL1Ball, IsZeroForWhatIsNotFinite) {
  for (const double value : {kNan, std::numeric_limits<double>::infinity()}) {
    EXPECT_EQ(unit_within_l1_ball(vector_of({1, value, 0.5}), 1.1), Vector::Zero(3));
  }
}

TEST(WithCanonicalSign, MakesTheLargestEntryPositive) {
  Component v{.support = {1, 4, 6}, .values = vector_of({1, -2, 2})};
  EXPECT_EQ(with_canonical_sign(v).values, vector_of({-1, 2, -2}));
  v.values = vector_of({1, 2, -2});
  EXPECT_EQ(with_canonical_sign(v).values, vector_of({1, 2, -2}));
  EXPECT_EQ(with_canonical_sign({}).cardinality(), 0);
}

}  // namespace
}  // namespace spca::sparsify_test
