/// Compares the dual-set sparsification, the blackbox encoder and the search over columns with
/// dense formulas with an explicit X.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "spca/base/error.h"
#include "spca/covariance/covariance_explicit.h"
#include "spca/covariance/residual_covariance.h"
#include "spca/methods/encoders/dual_set.h"
#include "spca/methods/encoders/encoder_search.h"
#include "spca/methods/encoders/linear_encoder.h"
#include "tests/encoder_testing.h"

namespace spca::linear_encoder_test {
namespace {

using namespace trial;

void expect_both_inequalities(const Matrix& rows, const Vector& squares, Index k) {
  Budget budget;
  const WeightedColumns chosen = dual_set_sparsification(rows, squares, k, budget);
  const double share = 1 - std::sqrt(static_cast<double>(rows.cols()) / static_cast<double>(k));
  EXPECT_LE(std::ssize(chosen.columns), k);
  EXPECT_EQ((chosen.weights.array() > 0).count(), std::ssize(chosen.columns));
  EXPECT_EQ((chosen.weights.array() < 0).count(), 0);
  const Matrix kept = rows.transpose() * chosen.weights.asDiagonal() * rows;
  EXPECT_GE(symmetric_eigenvalues(kept)[0], share * share * (1 - kSumRounding));
  EXPECT_LE(chosen.weights.dot(squares), squares.sum() * (1 + kSumRounding));
}

TEST(DualSet, BothInequalitiesHoldForAnyRowsAndLengths) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Random random(seed);
    const Index r = 1 + static_cast<Index>(random.below(4));
    const Index p = 30;
    Matrix raw = random_samples(p, r, seed);
    Vector squares(p);
    for (Index i = 0; i < p; ++i) {
      if (seed % 3 == 1) {
        raw.row(i) *= std::exp(4 * random.normal());  // leverage on few rows
      }
      squares[i] = seed % 4 == 0 ? 0 : std::exp(5 * random.normal());
    }
    const Matrix rows = thin_qr(raw).orthonormal;
    for (const Index k : {r + 1, 2 * r + 3, Index{20}, p + 10}) {
      SCOPED_TRACE(fmt::format("seed {}, r = {}, k = {}", seed, r, k));
      expect_both_inequalities(rows, squares, k);
    }
  }
}

TEST(DualSet, BothInequalitiesHoldOnTheCallsOfTheBatchEncoder) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto s = trial::as_covariance(random_samples(20, 12, seed));
    for (Index r = 1; r <= 3; ++r) {
      const Eigenpairs leading = leading_eigenpairs(*s, r);
      const Vector rest = s->diagonal() - leading.vectors.cwiseAbs2() * leading.values;
      for (Index k = r + 1; k <= 12; ++k) {
        expect_both_inequalities(leading.vectors, rest.cwiseMax(0.0), k);
      }
    }
  }
}

TEST(Blackbox, AttainsTheBoundOfTheorem5WithOrthonormalColumns) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const Index p = 9;
    const Matrix x = random_samples(seed % 2 == 0 ? 15 : 6, p, seed);
    const auto s = trial::as_covariance(x);
    const Support support = {0, 2, 3, 7, 8};
    for (Index r = 1; r <= 4; ++r) {
      const LinearEncoder encoder = linear_encoder(*s, support, r);
      const Matrix h = dense(encoder.components, p);
      const double loss = dense_loss(x, h);
      EXPECT_NEAR(loss, dense_loss_on_columns(x, support, r), kLossRounding * x.squaredNorm());
      EXPECT_NEAR(loss, x.squaredNorm() - encoder.captured, kLossRounding * x.squaredNorm());
      EXPECT_LT((h.transpose() * h - Matrix::Identity(r, r)).norm(), kSumRounding);
    }
  }
}

TEST(Blackbox, IsThePapersByQrAndSingularValues) {
  const Matrix x = random_samples(20, 8, 3);
  const Support support = {1, 4, 5, 6};
  const ThinQr qr = thin_qr(x(Eigen::all, support));
  const Matrix projected = qr.orthonormal.transpose() * x;
  const Matrix leading =
      symmetric_eigenpairs(projected * projected.transpose()).vectors.rightCols(2);
  const Matrix product = pseudo_inverse(qr.triangle) * leading * (leading.transpose() * projected);
  const SymmetricEigenpairs left = symmetric_eigenpairs(product * product.transpose());
  const auto components = linear_encoder(*trial::as_covariance(x), support, 2).components;
  for (Index j = 0; j < 2; ++j) {
    const Component& component = components[static_cast<std::size_t>(j)];
    trial::expect_parallel(component.values, left.vectors.col(3 - j), 1e-7);
  }
}

TEST(Blackbox, TakesColumnsThatDependOnOneAnotherAndColumnsOfZeros) {
  Matrix x = random_samples(20, 8, 4);
  x.col(3) = 2 * x.col(1);
  x.col(5).setZero();
  x.col(6) = x.col(0) - x.col(1);
  const auto s = trial::as_covariance(x);
  for (const Support& support : {Support{1, 3, 5}, Support{0, 1, 3, 6}, Support{3, 5}}) {
    for (Index r = 1; r <= std::min<Index>(3, std::ssize(support)); ++r) {
      const Matrix h = dense(linear_encoder(*s, support, r).components, 8);
      EXPECT_NEAR(dense_loss(x, h), dense_loss_on_columns(x, support, r),
                  kLossRounding * x.squaredNorm());
      EXPECT_LT((h.transpose() * h - Matrix::Identity(r, r)).norm(), kSumRounding);
    }
  }
}

TEST(Blackbox, OnAllColumnsLosesAsMuchAsPrincipalComponents) {
  const Matrix x = random_samples(20, 8, 5);
  const Support all = {0, 1, 2, 3, 4, 5, 6, 7};
  EXPECT_NEAR(x.squaredNorm() - linear_encoder(*trial::as_covariance(x), all, 3).captured,
              pca_loss(x, 3), kLossRounding * x.squaredNorm());
}

/// Columns scaled by 1 to 1e4, and three components whose scores are nearly the longest column, and
/// collinear up to about `sine`.
struct CollinearCase {
  Matrix x;
  std::vector<Component> components;
};

CollinearCase collinear_case(double sine, std::uint64_t seed) {
  CollinearCase given{.x = random_samples(40, 9, seed), .components = {}};
  for (Index i = 0; i < 9; ++i) {
    given.x.col(i) *= std::pow(10, static_cast<double>(i) / 2);
  }
  const Support all = {0, 1, 2, 8};
  for (Index j = 0; j < 3; ++j) {
    Vector values = Vector::Constant(4, 0.1);
    values[3] = 1;  // the longest column, most of each score
    values[j] += sine * std::pow(10, 4 - static_cast<double>(j) / 2);
    given.components.push_back({.support = all, .values = values.normalized()});
  }
  return given;
}

/// Returns the captured sum of squares by Gram-Schmidt on XH in long double, with three passes.
double captured_in_twice_the_digits(const Matrix& x, const Matrix& h) {
  using Wide = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;
  const Wide samples = x.cast<long double>();
  Wide scores = samples * h.cast<long double>();
  for (Index j = 0; j < scores.cols(); ++j) {
    scores.col(j) /= scores.col(j).norm();
    for (int pass = 0; pass < 3; ++pass) {
      for (Index i = 0; i < j; ++i) {
        scores.col(j) -= scores.col(i) * scores.col(i).dot(scores.col(j));
      }
      scores.col(j) /= scores.col(j).norm();
    }
  }
  return static_cast<double>((scores.transpose() * samples).squaredNorm());
}

TEST(CapturedByEncoder, IsRightForNearlyCollinearScoresOfColumnsOfDifferentLengths) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    for (const double sine : {1e-1, 1e-3, 1e-5, 1e-6}) {
      SCOPED_TRACE(fmt::format("seed {}, sine {}", seed, sine));
      const CollinearCase given = collinear_case(sine, seed);
      const Matrix h = dense(given.components, 9);
      const double expected = captured_in_twice_the_digits(given.x, h);
      const double total = given.x.squaredNorm();
      EXPECT_NEAR(captured_by_encoder(*trial::as_covariance(given.x), given.components), expected,
                  1e-9 * total);
      if (sine > 1e-4) {  // the error from S alone is divided by the square of the sine
        const auto s = make_explicit_covariance(given.x.transpose() * given.x);
        EXPECT_NEAR(captured_by_encoder(*s, given.components), expected, 1e-8 * total);
      }
    }
  }
}

TEST(CapturedByEncoder, CountsAComponentThatIsThereTwiceOnce) {
  const CollinearCase given = collinear_case(1e-1, 1);
  const auto twice = [&](double error) {
    std::vector<Component> components = given.components;
    components.push_back(components[1]);
    components.back().values[0] += error;
    return components;
  };
  const auto data = trial::as_covariance(given.x);
  const auto s = make_explicit_covariance(given.x.transpose() * given.x);
  for (const double error : {0.0, 1e-15}) {
    for (const auto& covariance : {data, s}) {
      EXPECT_NEAR(captured_by_encoder(*covariance, twice(error)),
                  captured_by_encoder(*data, given.components), 1e-8 * given.x.squaredNorm());
    }
  }
  EXPECT_EQ(captured_by_encoder(*data, {}), 0);
}

TEST(ColumnSpan, TakesResidualsBelowRoundingForZero) {
  const Matrix noise = Matrix::Constant(1, 1, 1e-15);
  EXPECT_EQ(column_span(noise, Matrix::Ones(1, 1), Vector::Ones(1)).captured.size(), 0);
  EXPECT_EQ(column_span(noise, Matrix::Ones(1, 1)).captured.size(), 1);
}

/// On this matrix, Eigen's iteration does not end within its own limit of steps.
TEST(SymmetricEigenpairs, AreFoundWhereEqualBlocksInterleave) {
  const std::string blocks = "ababababbabaababababbaababababababcccccccccccccccccccccccccc";
  const auto m = std::ssize(blocks);
  Matrix matrix = Matrix::Zero(m, m);
  for (Index i = 0; i < m; ++i) {
    for (Index j = 0; j < m; ++j) {
      if (blocks[static_cast<std::size_t>(i)] == blocks[static_cast<std::size_t>(j)]) {
        matrix(i, j) = i == j ? 1 : 1 / 1.01;
      }
    }
  }
  const SymmetricEigenpairs pairs = symmetric_eigenpairs(matrix);
  EXPECT_LT((matrix * pairs.vectors - pairs.vectors * pairs.values.asDiagonal()).norm(),
            kSumRounding);
  EXPECT_LT((pairs.vectors.transpose() * pairs.vectors - Matrix::Identity(m, m)).norm(),
            kSumRounding);
  EXPECT_TRUE(std::is_sorted(pairs.values.begin(), pairs.values.end()));
  EXPECT_LT((symmetric_eigenvalues(matrix) - pairs.values).norm(), kSumRounding);
  Matrix undefined = matrix;
  undefined(3, 1) = std::nan("");
  EXPECT_THROW(symmetric_eigenpairs(undefined), NumericalError);
}

TEST(ArrowEigenvalueSum, AgreesWithTheEigenvaluesAlsoWhereEntriesVanishOrRepeat) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Random random(seed);
    const auto m = static_cast<Index>(random.below(6));
    Vector d(m);
    Vector g(m);
    for (Index i = 0; i < m; ++i) {
      d[i] = seed % 2 == 0 ? static_cast<double>(random.below(3)) : std::exp(3 * random.normal());
      g[i] = random.below(3) == 0 ? 0 : random.normal() * (seed % 5 == 0 ? 1e-9 : 1);
    }
    std::sort(d.begin(), d.end(), std::greater<>());
    const double c = random.below(4) == 0 ? 0 : std::exp(random.normal());
    Matrix arrow = Matrix::Zero(m + 1, m + 1);
    arrow.diagonal().head(m) = d;
    arrow.col(m).head(m) = g;
    arrow.row(m).head(m) = g;
    arrow(m, m) = c;
    const Vector values = symmetric_eigenvalues(arrow).reverse();
    for (Index count = 1; count <= m + 1; ++count) {
      EXPECT_NEAR(arrow_eigenvalue_sum(d, g, c, count), values.head(count).sum(),
                  kSumRounding * values.cwiseAbs().maxCoeff())
          << "seed " << seed << ", count " << count;
    }
  }
}

TEST(EncoderSearch, EndsWhereNoExchangeOfOneColumnLosesLess) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const Matrix x = random_samples(25, 11, seed);
    const auto s = trial::as_covariance(x);
    const Matrix dense_s = x.transpose() * x;
    const Matrix squared = dense_s * dense_s;
    ColumnStore store(*s, leading_eigenpairs(*s, 2));
    EncoderSearch search(store, 2, 1);
    Budget budget;
    const std::vector<Index> columns = search.exchange({0, 1, 2, 3}, budget);
    const double found = search.captured(columns);
    for (std::size_t out = 0; out < columns.size(); ++out) {
      for (Index in = 0; in < 11; ++in) {
        std::vector<Index> exchanged = columns;
        exchanged[out] = in;
        if (std::count(columns.begin(), columns.end(), in) == 0) {
          EXPECT_LE(column_span(dense_s(exchanged, exchanged), squared(exchanged, exchanged))
                        .captured_by(2),
                    found * (1 + kLossRounding));
        }
      }
    }
  }
}

/// The search with others projected out, which never forms the residual, makes the same choices as
/// the search on the formed residual.
TEST(EncoderSearch, WithOthersProjectedOutIsTheSearchOnTheResidual) {
  const Matrix x = random_samples(25, 11, 6);
  const auto s = trial::as_covariance(x);
  const auto others = linear_encoder(*s, {1, 4, 9}, 2).components;
  const Matrix scores = x * dense(others, 11);
  const Matrix left = x - scores * pseudo_inverse(scores) * x;

  ResidualCovariance residual(*s);
  residual.remove(others[0]);
  residual.remove(others[1]);
  EXPECT_LT((residual.columns({0, 3, 4}) - (left.transpose() * left)(Eigen::all, {0, 3, 4})).norm(),
            kLossRounding * x.squaredNorm());
  EXPECT_LT((*residual.gram() - left * left.transpose()).norm(), kLossRounding * x.squaredNorm());

  ColumnStore store(*s, leading_eigenpairs(*s, 1));
  EncoderSearch search(store, 1, 1);
  search.project_out(others);
  const auto on_residual = trial::as_covariance(left);
  ColumnStore residual_store(*on_residual, leading_eigenpairs(*on_residual, 1));
  EncoderSearch residual_search(residual_store, 1, 1);
  Budget budget;
  const auto columns = search.grow({}, 4, budget);
  EXPECT_EQ(columns, residual_search.grow({}, 4, budget));
  EXPECT_NEAR(search.captured(columns), residual_search.captured(columns),
              kLossRounding * x.squaredNorm());
}

/// For a larger problem, the squared lengths are not all computed: at first only bounds are known.
TEST(EncoderSearch, FindsTheSameColumnsThroughBounds) {
  constexpr Index kSamples = 1300;  // n p^2 and n^2 p are above 2e9
  constexpr Index kVariables = 1300;
  const auto s = trial::as_covariance(random_samples(kSamples, kVariables, 7));
  const Eigenpairs leading = leading_eigenpairs(*s, 2);
  ColumnStore bounded(*s, leading);
  EXPECT_FALSE(bounded.is_exact(0));
  for (Index i = 0; i < kVariables; i += 100) {
    EXPECT_GE(bounded.squared_norms()[i] * (1 + kSumRounding), s->columns({i}).squaredNorm());
  }
  EncoderSearch search(bounded, 2, 1);
  Budget budget;
  const auto columns = search.grow({}, 3, budget);
  ColumnStore exact(*s, leading);
  for (Index i = 0; i < kVariables; ++i) {
    exact.make_exact(i);
  }
  EncoderSearch naive(exact, 2, 1);
  EXPECT_EQ(columns, naive.grow({}, 3, budget));
}

}  // namespace
}  // namespace spca::linear_encoder_test
