/// Removes more and more variables from S, and compares eigenpairs that are computed from those of
/// the previous S with eigenpairs computed anew.

#include "spca/spectrum/eigen_memory.h"
#include "spca/covariance/covariance_dense.h"
#include "spca/covariance/covariance_sparse.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

#include "spca/base/error.h"
#include "spca/base/random.h"
#include "spca/covariance/deflated_covariance.h"
#include "spca/dense/sparsify.h"
#include "spca/spectrum/eigen_patience.h"

namespace spca::eigen_memory_test {
namespace {

constexpr Index kVariables = 2200;  // enough that blocks are used
constexpr double kTolerance = 1e-11;

/// Returns S of counts with few nonzeros a row, in which groups of ten variables occur together.
std::shared_ptr<const Covariance> grouped_counts(std::uint64_t seed) {
  Random random(seed);
  constexpr int kSamples = 3000;
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < kSamples; ++i) {
    const int group = i % 12;
    std::vector<int> variables;
    for (int e = 0; e < 20; ++e) {
      variables.push_back(static_cast<int>(random.below(kVariables)));
    }
    for (int e = 0; e < 2 + group / 2; ++e) {
      variables.push_back(group * 10 + static_cast<int>(random.below(10)));
    }
    std::sort(variables.begin(), variables.end());
    variables.erase(std::unique(variables.begin(), variables.end()), variables.end());
    for (const int j : variables) {
      entries.emplace_back(i, j, 1 + static_cast<double>(random.below(3)));
    }
  }
  SparseRows data(kSamples, kVariables);
  data.setFromTriplets(entries.begin(), entries.end());
  return make_covariance(data.markAsRValue(), {});
}

/// The ten variables of largest magnitude.
Support heaviest(const Vector& v) {
  std::vector<Index> order(static_cast<std::size_t>(v.size()));
  for (std::size_t i = 0; i < order.size(); ++i) {
    order[i] = static_cast<Index>(i);
  }
  std::partial_sort(order.begin(), order.begin() + 10, order.end(),
                    [&](Index a, Index b) { return std::abs(v[a]) > std::abs(v[b]); });
  Support support(order.begin(), order.begin() + 10);
  std::sort(support.begin(), support.end());
  return support;
}

void expect_same(const Eigenpairs& found, const Eigenpairs& anew) {
  const double largest = anew.values[0];
  EXPECT_LE((found.values - anew.values).norm(), kTolerance * largest);
  // Eigenvalues of these data lie a hundredth apart at least, and vectors are a hundred times less
  // exact than values.
  EXPECT_LE((found.vectors - anew.vectors).norm(), 1e-7);
}

TEST(EigenMemory, FindsThePairsOfAnSWithoutVariablesInFewerProducts) {
  for (const Index count : {1, 2, 6}) {
    SCOPED_TRACE(count);
    const auto base = grouped_counts(3);
    EigenMemory memory(*base);
    std::shared_ptr<const Covariance> left = base;
    std::uint64_t remembered = 0, anew = 0;
    for (int component = 0; component < 6; ++component) {
      const auto before = [&] { return base->products() + left->products(); };
      std::uint64_t begin = before();
      const Eigenpairs found = leading_eigenpairs(*left, count, Exact::kPairs, Copies::kAny);
      remembered += before() - begin;
      // A thread of its own remembers nothing.
      Eigenpairs expected;
      begin = before();
      std::thread([&] {
        expected = leading_eigenpairs(*left, count, Exact::kPairs, Copies::kAny);
      }).join();
      anew += before() - begin;
      expect_same(found, expected);
      auto next = DeflatedCovariance::extend(left);
      next->remove(heaviest(found.vectors.col(0)));
      left = std::move(next);
    }
    EXPECT_LT(4 * remembered, 3 * anew);
  }
}

TEST(EigenMemory, FollowsFromOneChainOfVariablesToAnother) {
  const auto base = grouped_counts(4);
  EigenMemory memory(*base);
  for (const Support& support : {Support{0, 1, 2}, Support{3, 50, 51}, Support{}, Support{0, 3}}) {
    auto left = std::make_shared<DeflatedCovariance>(base);
    left->remove(support);
    Eigenpairs expected;
    std::thread([&] { expected = leading_eigenpairs(*left, 2); }).join();
    expect_same(leading_eigenpairs(*left, 2), expected);
  }
}

TEST(EigenMemory, KnowsNothingOfAnotherCovarianceOrAnotherDeflation) {
  const auto base = grouped_counts(5);
  const auto other = grouped_counts(6);
  EigenMemory memory(*base);
  const Eigenpairs pairs = leading_eigenpairs(*base, 2);
  auto projected = std::make_shared<DeflatedCovariance>(base);
  projected->project({.support = {0, 1}, .values = Vector::Constant(2, std::sqrt(0.5))});
  for (const Covariance* covariance :
       {other.get(), static_cast<const Covariance*>(projected.get())}) {
    Eigenpairs expected;
    std::thread([&] { expected = leading_eigenpairs(*covariance, 2); }).join();
    const Eigenpairs found = leading_eigenpairs(*covariance, 2);
    EXPECT_EQ(found.values, expected.values);
    EXPECT_EQ(found.vectors, expected.vectors);
  }
}

/// Nearly exact pairs state their residual. They take fewer products, their values are exact up to
/// rounding, and their vectors are orthonormal.
TEST(NearEigenpairs, TellTheirResidual) {
  const auto base = grouped_counts(7);
  const Eigenpairs exact = leading_eigenpairs(*base, 4);
  EXPECT_EQ(exact.residual, 0);
  std::uint64_t begin = base->products();
  const Eigenpairs near = leading_eigenpairs(*base, 3, Exact::kNearly);
  const std::uint64_t near_products = base->products() - begin;
  begin = base->products();
  leading_eigenpairs(*base, 3);
  EXPECT_LT(near_products, base->products() - begin);
  Matrix residuals;
  base->multiply_block(near.vectors, residuals);
  residuals -= near.vectors * near.values.asDiagonal();
  const double rounding = 1e-13 * near.values[0];
  EXPECT_NEAR(residuals.norm(), near.residual, rounding);
  EXPECT_LE(near.residual, 2 * kNearResidual * near.values[0]);
  EXPECT_LE((near.values - exact.values.head(3)).cwiseAbs().maxCoeff(), rounding);
  EXPECT_LE((near.vectors.transpose() * near.vectors - Matrix::Identity(3, 3)).norm(), 1e-13);
}

TEST(EigenMemory, OfAnInnerSolveEndsWithIt) {
  const auto base = grouped_counts(7);
  EigenMemory outer(*base);
  {
    EigenMemory inner(*base);
    EXPECT_EQ(EigenMemory::of_this_thread(), &inner);
  }
  EXPECT_EQ(EigenMemory::of_this_thread(), &outer);
}

/// S whose products have errors until become_exact(), as rounding may leave them in a known space.
class InexactCovariance final : public Covariance {
 public:
  explicit InexactCovariance(const Covariance& base) : base_(base) {}
  void become_exact() { error_ = 0; }

  Index variables() const override { return base_.variables(); }
  Index samples() const override { return base_.samples(); }
  Matrix submatrix(const Support& support) const override { return base_.submatrix(support); }
  Matrix columns(const Support& support) const override { return base_.columns(support); }
  const Vector& diagonal() const override { return base_.diagonal(); }

 protected:
  void do_multiply(const Vector& v, Vector& out) const override {
    base_.multiply(v, out);
    const double scale = error_ * out.norm() / std::sqrt(static_cast<double>(out.size()));
    for (double& entry : out) {
      entry += scale * random_.normal();
    }
  }
  void do_multiply(const Component& v, Vector& out) const override {
    do_multiply(to_dense(v, variables()), out);
  }

 private:
  const Covariance& base_;
  double error_ = 1e-10;
  mutable Random random_{1};
};

TEST(EigenMemory, DropsASpaceThatDoesNotHelp) {
  const auto base = grouped_counts(5);
  InexactCovariance inexact(*base);
  EigenMemory memory(inexact);
  leading_eigenpairs(inexact, 3, Exact::kNearly);
  inexact.become_exact();
  const Eigenpairs found = leading_eigenpairs(inexact, 3);
  Eigenpairs expected;
  std::thread([&] { expected = leading_eigenpairs(*base, 3); }).join();
  expect_same(found, expected);
}

TEST(EigenPatience, EndsIterations) {
  const auto base = grouped_counts(7);
  int steps = 0;
  {
    const EigenPatience patience([&] { return ++steps > 2; });
    EXPECT_THROW(leading_eigenpairs(*base, 3), NumericalError);
    EXPECT_EQ(steps, 3);
    const EigenPatience endless({});
    EXPECT_EQ(leading_eigenpairs(*base, 3).values.size(), 3);
  }
  EXPECT_EQ(leading_eigenpairs(*base, 3).values.size(), 3);
  EXPECT_EQ(steps, 3);
}

}  // namespace
}  // namespace spca::eigen_memory_test
