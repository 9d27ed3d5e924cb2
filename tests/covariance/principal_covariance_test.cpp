#include "spca/covariance/principal_covariance.h"
#include "spca/covariance/covariance_dense.h"
#include "spca/covariance/covariance_sparse.h"

#include <gtest/gtest.h>

#include "spca/base/random.h"
#include "spca/dense/sparsify.h"
#include "spca/spectrum/eigenpairs.h"

namespace spca::principal_covariance_test {
namespace {

constexpr double kRounding = 1e-12;

SparseRows sparse_data(Index n, Index p, double share) {
  Random random(5);
  SparseRows data(n, p);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < p; ++j) {
      if (random.uniform() < share) {
        data.insert(i, j) = random.normal();
      }
    }
  }
  data.makeCompressed();
  return data;
}

TEST(PrincipalCovariance, IsTheSubmatrix) {
  const auto covariance = make_covariance(sparse_data(20, 12, 0.4), {});
  const Support support = {0, 2, 3, 7, 8, 11};
  const Matrix expected = covariance->submatrix(support);
  const PrincipalCovariance principal(*covariance, support);
  const Matrix v = Matrix::Random(6, 3);
  Matrix block;
  principal.multiply_block(v, block);
  EXPECT_LT((block - expected * v).norm(), kRounding);
  Vector product;
  principal.multiply(Vector(v.col(0)), product);
  EXPECT_LT((product - expected * v.col(0)).norm(), kRounding);
  const Component sparse{.support = {1, 4}, .values = Vector::Ones(2)};
  principal.multiply(sparse, product);
  EXPECT_LT((product - expected * to_dense(sparse, 6)).norm(), kRounding);
  EXPECT_EQ(principal.submatrix({1, 5}), covariance->submatrix({2, 11}));
  EXPECT_LT((principal.columns({3}) - expected.col(3)).norm(), kRounding);
  EXPECT_EQ(principal.diagonal(), Vector(covariance->diagonal()(support)));
}

/// S = I + 3 uu'. A submatrix of it must not be formed: submatrix() fails the test.
class Unformable final : public Covariance {
 public:
  explicit Unformable(Vector u)
      : u_(std::move(u)), diagonal_(3 * u_.cwiseAbs2() + Vector::Ones(u_.size())) {}
  Index variables() const override { return u_.size(); }
  Index samples() const override { return 0; }
  Matrix submatrix(const Support& support) const override {
    ADD_FAILURE() << support.size() << " x " << support.size() << " numbers are formed";
    return Matrix::Identity(std::ssize(support), std::ssize(support));
  }
  Matrix columns(const Support& support) const override {
    return Matrix::Zero(u_.size(), std::ssize(support));
  }
  const Vector& diagonal() const override { return diagonal_; }

 protected:
  void do_multiply(const Vector& v, Vector& out) const override { out = v + 3 * u_.dot(v) * u_; }
  void do_multiply(const Component& v, Vector& out) const override {
    do_multiply(to_dense(v, u_.size()), out);
  }

 private:
  Vector u_;
  Vector diagonal_;
};

/// A solver whose penalty is tuned to k begins with all p variables, and refits on them.
TEST(PrincipalCovariance, LargeSupportsAreRefittedWithoutTheirSubmatrix) {
  constexpr Index kP = 3000;
  Random random(2);
  const Vector u = Vector::NullaryExpr(kP, [&](Index) { return random.normal(); });
  const Unformable covariance(u.normalized());
  Support support;
  for (Index i = 0; i < kP; i += 1 + i % 5 / 4) {
    support.push_back(i);
  }
  ASSERT_GT(support.size(), 2000U);
  const Vector on_support = u.normalized()(support);
  const SupportOptimum best = best_on_support(covariance, support);
  EXPECT_NEAR(best.value, 1 + 3 * on_support.squaredNorm(), 1e-9);
  EXPECT_NEAR(std::abs(sparse_dot(best.component, u.normalized())), on_support.norm(), 1e-9);
}

}  // namespace
}  // namespace spca::principal_covariance_test
