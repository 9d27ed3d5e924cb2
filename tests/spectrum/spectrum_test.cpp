/// Tests eigenvalues under a time limit, at a stop signal, and from known values.

#include "spca/spectrum/spectrum.h"
#include "spca/covariance/covariance_dense.h"

#include <gtest/gtest.h>

#include <csignal>

#include "spca/base/error.h"
#include "spca/base/interrupt.h"
#include "spca/base/random.h"
#include "spca/spectrum/eigenpairs.h"

namespace spca::spectrum_test {
namespace {

std::shared_ptr<const Covariance> samples(Index n, Index p) {
  Random random(static_cast<std::uint64_t>(n + p));
  return make_covariance(
      Matrix(Matrix::NullaryExpr(n, p, [&random](Index, Index) { return random.normal(); })), {});
}

/// Another S without its samples, which counts its products.
class CountedCovariance final : public Covariance {
 public:
  explicit CountedCovariance(const Covariance& base) : base_(base) {}
  Index variables() const override { return base_.variables(); }
  Index samples() const override { return 0; }
  Matrix submatrix(const Support& support) const override { return base_.submatrix(support); }
  Matrix columns(const Support& support) const override { return base_.columns(support); }
  const Vector& diagonal() const override { return base_.diagonal(); }
  Index reads() const { return reads_; }

 protected:
  void do_multiply(const Vector& v, Vector& out) const override {
    ++reads_;
    multiply_uncounted(base_, v, out);
  }
  void do_multiply(const Component& v, Vector& out) const override {
    ++reads_;
    multiply_uncounted(base_, v, out);
  }
  void do_multiply_block(const Matrix& v, Matrix& out) const override {
    ++reads_;
    multiply_uncounted(base_, v, out);
  }

 private:
  const Covariance& base_;
  mutable Index reads_ = 0;
};

// One shape for each method of leading_eigenpairs(): the Gram matrix, dense, products, and products
// with blocks.
TEST(Spectrum, WithoutTimeNothingIsComputedAndWithTimeTheSameAsEver) {
  for (const auto& [n, p] : {std::pair<Index, Index>{20, 50}, {50, 20}, {700, 400}, {700, 2500}}) {
    const std::shared_ptr<const Covariance> covariance = samples(n, p);
    Spectrum spectrum(*covariance);
    spectrum.limit(0);
    EXPECT_THROW(spectrum.leading(1), NumericalError) << p;
    EXPECT_TRUE(spectrum.was_stopped());
    EXPECT_THROW(spectrum.cardinality_bound(3), NumericalError) << "again, and not a NaN";
    EXPECT_THROW(spectrum.cardinality_bound(3), NumericalError);
    spectrum.limit(std::numeric_limits<double>::infinity());
    EXPECT_FALSE(spectrum.was_stopped());
    EXPECT_EQ(spectrum.leading(2), leading_eigenvalues(*covariance, 2)) << p;
    EXPECT_FALSE(spectrum.was_stopped());
    EXPECT_LE(spectrum.cardinality_bound(3), spectrum.leading(1)[0]);
    spectrum.limit(0);
    EXPECT_EQ(spectrum.leading(1).size(), 2) << "what is known takes no time";
    EXPECT_FALSE(spectrum.was_stopped());
  }
}

TEST(Spectrum, StopsAtTheNextProduct) {
  const std::shared_ptr<const Covariance> covariance = samples(700, 400);
  const CountedCovariance counted(*covariance);
  Spectrum spectrum(counted);
  spectrum.limit(-1);
  EXPECT_THROW(spectrum.leading(1), NumericalError);
  EXPECT_EQ(counted.reads(), 0);
}

TEST(Spectrum, EndsAtASignalOnlyWhereItIsAskedTo) {
  const std::shared_ptr<const Covariance> covariance = samples(700, 400);
  const StopSignals signals(StopSignals::Repeat::kAlways);
  std::raise(SIGINT);
  Spectrum recorded(*covariance);
  EXPECT_EQ(recorded.leading(1), leading_eigenvalues(*covariance, 1));
  Spectrum waited_for(*covariance);
  waited_for.end_at_stop();
  EXPECT_THROW(waited_for.leading(1), NumericalError);
  EXPECT_TRUE(waited_for.was_stopped());
}

TEST(Spectrum, ObserverSeesTheComputedValuesAndASeedIsUsedUnchanged) {
  const std::shared_ptr<const Covariance> covariance = samples(700, 400);
  Vector told;
  Spectrum first(*covariance);
  first.set_observer([&told](const Vector& values) { told = values; });
  const Vector two = first.leading(2);
  EXPECT_EQ(told, two);
  const CountedCovariance counted(*covariance);
  Spectrum second(counted);
  second.seed_with(told);
  EXPECT_EQ(second.leading(2), two);
  EXPECT_EQ(counted.reads(), 0);
  // A request for another number of eigenpairs does not use them: its last digits would depend on
  // which pairs are known.
  Spectrum third(counted);
  third.seed_with(told);
  EXPECT_EQ(third.leading(1), Spectrum(*covariance).leading(1));
  EXPECT_GT(counted.reads(), 0);
}

}  // namespace
}  // namespace spca::spectrum_test
