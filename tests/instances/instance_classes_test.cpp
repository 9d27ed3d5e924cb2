/// Tests of classes of instances: their values and proved bounds against enumeration, the faults of
/// invalid answers, and gaps.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "harness/instances/instance_class.h"
#include "harness/instances/instance_proof.h"
#include "harness/instances/instance_tolerances.h"
#include "spca/base/random.h"
#include "spca/covariance/covariance_explicit.h"
#include "spca/dense/dense_decompositions.h"

namespace spca::instance_classes_test {
namespace {

/// Returns S = X'X / n, p x p, of n = p + 2 samples. The variances of the variables differ.
Matrix random_matrix(Index p, std::uint64_t seed) {
  Random random(seed);
  Matrix x(p + 2, p);
  for (Index j = 0; j < p; ++j) {
    for (Index i = 0; i < x.rows(); ++i) {
      x(i, j) = random.normal() * (1 + 0.3 * static_cast<double>(j));
    }
  }
  return x.transpose() * x / static_cast<double>(x.rows());
}

const InstanceClass& of(const char* name) { return InstanceClasses::instance().get(name, "test"); }

LoadedInstanceData data_of(const Matrix& matrix) {
  return LoadedInstanceData(
      Dataset{.covariance = make_explicit_covariance(matrix), .variable_names = {}, .truth = {}});
}

/// Calls `visit` for each support of k of p variables.
template <class Visit>
void for_each_support(Index p, Index k, Visit visit) {
  for (std::uint32_t bits = 0; bits < (1U << static_cast<unsigned>(p)); ++bits) {
    Support support;
    for (Index i = 0; i < p; ++i) {
      if ((bits >> static_cast<unsigned>(i)) & 1U) {
        support.push_back(i);
      }
    }
    if (std::ssize(support) == k) {
      visit(support);
    }
  }
}

/// Returns the sum of the r largest eigenvalues of S_II.
double largest(const Matrix& matrix, const Support& support, Index r) {
  return symmetric_eigenvalues(matrix(support, support)).tail(r).sum();
}

bool are_disjoint(const Support& a, const Support& b) {
  return std::none_of(a.begin(), a.end(),
                      [&](Index i) { return std::find(b.begin(), b.end(), i) != b.end(); });
}

/// Returns the best value of r components on one common support of k variables.
double best_of_one(const Matrix& matrix, Index r, Index k) {
  double best = 0;
  for_each_support(matrix.rows(), k,
                   [&](const Support& one) { best = std::max(best, largest(matrix, one, r)); });
  return best;
}

double best_of_two_disjoint(const Matrix& matrix, Index k) {
  double best = 0;
  for_each_support(matrix.rows(), k, [&](const Support& a) {
    for_each_support(matrix.rows(), k, [&](const Support& b) {
      if (are_disjoint(a, b)) {
        best = std::max(best, largest(matrix, a, 1) + largest(matrix, b, 1));
      }
    });
  });
  return best;
}

/// Returns the loss of r components on J divided by the loss of PCA. They capture the sum of the r
/// largest eigenvalues of R^-1 (S^2)_JJ R^-1, R the square root of S_JJ.
double loss_on(const Matrix& matrix, const Support& support, Index r) {
  const SymmetricEigenpairs pairs = symmetric_eigenpairs(matrix(support, support));
  const Matrix inverse_root = pairs.vectors * pairs.values.cwiseSqrt().cwiseInverse().asDiagonal() *
                              pairs.vectors.transpose();
  const Matrix squared = (matrix * matrix)(support, support);
  const double captured =
      symmetric_eigenvalues(inverse_root * squared * inverse_root).tail(r).sum();
  return (matrix.trace() - captured) /
         (matrix.trace() - symmetric_eigenvalues(matrix).tail(r).sum());
}

double least_loss(const Matrix& matrix, Index r, Index k) {
  double least = std::numeric_limits<double>::infinity();
  for_each_support(matrix.rows(), k,
                   [&](const Support& one) { least = std::min(least, loss_on(matrix, one, r)); });
  return least;
}

struct Case {
  const char* name;
  Index r, k;
  double optimum;
};

/// The proved bound of each class reaches the enumerated optimum, which is never better than the
/// bound.
TEST(InstanceClasses, ProvesTheEnumeratedOptimum) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    const Matrix matrix = random_matrix(8, seed);
    const LoadedInstanceData data = data_of(matrix);
    for (const Case& one : {Case{"one-component", 1, 3, best_of_one(matrix, 1, 3)},
                            Case{"disjoint", 2, 3, best_of_two_disjoint(matrix, 3)},
                            Case{"common-support", 2, 4, best_of_one(matrix, 2, 4)},
                            Case{"common-support", 3, 4, best_of_one(matrix, 3, 4)},
                            Case{"encoders", 2, 4, least_loss(matrix, 2, 4)}}) {
      SCOPED_TRACE(one.name);
      const InstanceClass& instance_class = of(one.name);
      std::vector<Support> supports(
          instance_class.has_common_support ? 1 : static_cast<std::size_t>(one.r));
      Index next = 0;
      for (Support& support : supports) {
        for (Index i = 0; i < one.k; ++i) {
          support.push_back(next++);
        }
      }
      const std::vector<Component> components = components_of(
          instance_class, *data.dataset.covariance, {.supports = supports, .found_by = {}}, one.r);
      const double value =
          instance_value(instance_class, *data.dataset.covariance, data.spectrum, components);
      EXPECT_EQ(instance_class.find_fault(components, {.p = 8, .r = one.r, .k = one.k}), "");
      const InstanceProof proof = prove_instance(data, {.of = &instance_class,
                                                        .r = one.r,
                                                        .k = one.k,
                                                        .components = components,
                                                        .value = value});
      EXPECT_EQ(proof.contradiction, "");
      const Direction direction = instance_class.direction();
      EXPECT_FALSE(is_better(direction, one.optimum, proof.bound.value))
          << one.optimum << " " << proof.bound.value;
      EXPECT_EQ(proof.found.empty(), instance_class.name == "encoders");
      EXPECT_TRUE(is_proved(direction, one.optimum, proof.bound.value))
          << one.optimum << " " << proof.bound.value << " by " << proof.bound.by;
      EXPECT_FALSE(is_better(direction, value, one.optimum));
      if (!proof.found.empty()) {
        EXPECT_FALSE(is_better(
            direction, one.optimum,
            instance_value(instance_class, *data.dataset.covariance, data.spectrum, proof.found)))
            << proof.found_by;
      }
    }
  }
}

TEST(InstanceClasses, TheBoundOfOrthogonalComponentsIsAboveEveryDisjointAnswer) {
  const Matrix matrix = random_matrix(7, 4);
  const LoadedInstanceData data = data_of(matrix);
  const std::vector<Component> components =
      of("disjoint").settle(*data.dataset.covariance, {{0, 1, 2}, {3, 4, 5}}, 2);
  EXPECT_EQ(of("orthogonal").find_fault(components, {.p = 7, .r = 2, .k = 3}), "");
  const double value =
      instance_value(of("orthogonal"), *data.dataset.covariance, data.spectrum, components);
  const InstanceProof proof = prove_instance(
      data, {.of = &of("orthogonal"), .r = 2, .k = 3, .components = components, .value = value});
  EXPECT_GE(proof.bound.value, best_of_two_disjoint(matrix, 3));
  EXPECT_EQ(proof.bound.by, "orthogonal-branch");
  EXPECT_EQ(proof.bound.certificate, "checked");
}

TEST(InstanceClasses, RefuseInvalidAnswers) {
  const LoadedInstanceData data = data_of(random_matrix(6, 5));
  const Covariance& covariance = *data.dataset.covariance;
  const std::vector<Component> overlapping = of("disjoint").settle(covariance, {{0, 1}, {1, 2}}, 2);
  const InstanceSize size = {.p = 6, .r = 2, .k = 2};
  EXPECT_NE(of("disjoint").find_fault(overlapping, size), "");
  EXPECT_NE(of("orthogonal").find_fault(overlapping, size), "");
  EXPECT_NE(of("common-support").find_fault(overlapping, size), "");
  EXPECT_NE(of("encoders").find_fault(overlapping, size), "") << "three rows";
  EXPECT_NE(of("one-component").find_fault(overlapping, {.p = 6, .r = 1, .k = 2}), "");
  EXPECT_NE(find_wrong_supports(of("disjoint"), {{0, 1}}, size), "");
  EXPECT_NE(find_wrong_supports(of("disjoint"), {{0, 1, 2}, {3}}, size), "");
  EXPECT_NE(find_wrong_supports(of("common-support"), {{0}}, size), "") << "too few";
}

TEST(InstanceClasses, GapsAndBoundsKeepTheirDirection) {
  const Direction more = Direction::kHigherIsBetter;
  const Direction less = Direction::kLowerIsBetter;
  EXPECT_DOUBLE_EQ(instance_gap(more, 3, 4), 0.25);
  EXPECT_DOUBLE_EQ(instance_gap(less, 4, 3), 0.25);
  EXPECT_TRUE(std::isnan(instance_gap(more, 4, 3)));
  EXPECT_TRUE(std::isnan(instance_gap(less, 3, 4)));
  EXPECT_TRUE(std::isnan(instance_gap(more, 4, kNotMeasured)));
  EXPECT_TRUE(std::isnan(instance_gap(more, kNotMeasured, 4)));
  EXPECT_EQ(instance_gap(more, 1, 1), 0);
  EXPECT_TRUE(is_better(more, 2, 1));
  EXPECT_TRUE(is_better(less, 1, 2));
  EXPECT_FALSE(is_better(more, 1 + kSameInstanceValue / 2, 1));
  EXPECT_FALSE(is_better(more, kNotMeasured, 1));
  EXPECT_FALSE(is_better(more, 1, kNotMeasured));
  EXPECT_FALSE(is_proved(more, 1, kNotMeasured));
  // A bound that lies below a value by rounding is carried beyond it.
  EXPECT_GT(carried_outward(more, 1 - 1e-12, 1), 1);
  EXPECT_LT(carried_outward(less, 1 + 1e-12, 1), 1);
  EXPECT_EQ(carried_outward(more, 0.5, 1), 0.5) << "one of the two is wrong";
  EXPECT_TRUE(is_proved(more, 1, carried_outward(more, 1, 1)));
}

}  // namespace
}  // namespace spca::instance_classes_test
