/// Tests the encoder solvers against enumeration of supports and the theorems of Magdon-Ismail,
/// Boutsidis, NIPS 2016.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "spca/covariance/covariance_explicit.h"
#include "spca/data/dataset.h"
#include "spca/dense/sparsify.h"
#include "spca/methods/encoders/column_choice.h"
#include "spca/methods/encoders/linear_encoder.h"
#include "tests/encoder_testing.h"

namespace spca::encoders_test {
namespace {

using namespace trial;

/// The least loss over all supports, from S and S^2 alone: O(C(p, k) k^3).
double least_loss(const Matrix& s, Index r, Index k) {
  const Matrix squared = s * s;
  double captured = 0;
  for_each_support(s.rows(), k, [&](const Support& support) {
    captured = std::max(captured,
                        column_span(s(support, support), squared(support, support)).captured_by(r));
  });
  return s.trace() - captured;
}

struct Variant {
  std::string solver;
  Json options = Json::object();
  bool common_rows = true;
};

std::vector<Variant> variants() {
  std::vector<Variant> all = {{"encoder-batch-random"},
                              {"encoder-refine", {{"rows", "common"}}},
                              {"encoder-refine", Json::object(), false}};
  for (const char* columns : {"dual-set", "pivoted-qr", "leverage", "greedy", "exchange"}) {
    all.push_back({"encoder-batch", {{"columns", columns}}});
    all.push_back({"encoder-iterative", {{"columns", columns}}, false});
  }
  all.push_back({"encoder-iterative", {{"columns", "adaptive"}}, false});
  return all;
}

void expect_laws(const Variant& variant, const Covariance& s,
                 const std::vector<Component>& components) {
  for (const std::string& law :
       SolverRegistry::instance().get(variant.solver, "test").traits.laws) {
    const double tolerance = MetricRegistry::instance().get(law, "").traits.absolute_tolerance;
    const double slack = measure_one(law, s, components);
    if (std::isnan(slack)) {  // the only law that not every answer has
      EXPECT_EQ(law, "theorem5_slack_common_rows") << "not measured";
      continue;
    }
    EXPECT_GE(slack, -tolerance) << law;
  }
}

TEST(Encoders, SatisfyTheorem5OnEveryRunWithOrthonormalColumnsOnCommonRows) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    const auto s = trial::as_covariance(random_samples(seed % 2 == 0 ? 30 : 9, 14, seed));
    for (const Variant& variant : variants()) {
      for (Index r = 1; r <= 3; ++r) {
        for (const Index k : {r, r + 2, Index{12}}) {
          SCOPED_TRACE(
              fmt::format("{} {}, r = {}, k = {}", variant.solver, variant.options.dump(), r, k));
          const SolveOutcome outcome = solve_with(variant.solver, s, equal(r, k), variant.options);
          ASSERT_EQ(outcome.solution.status, Status::kConverged) << outcome.solution.message;
          const auto& components = outcome.solution.components;
          expect_laws(variant, *s, components);
          const double slack = measure_one("theorem5_slack", *s, components);
          EXPECT_LE(slack, kLossRounding);  // no loadings do better on these rows
          if (variant.common_rows) {
            EXPECT_GE(slack, -kLossRounding);  // Theorem 5
            EXPECT_LE(measure_one("row_sparsity", *s, components), static_cast<double>(k));
            const Matrix h = dense(components, 14);
            EXPECT_LT((h.transpose() * h - Matrix::Identity(r, r)).norm(), kSumRounding);
          }
        }
      }
    }
  }
}

/// Tests pairs of columns that differ by `gap` of their length before they are scaled by 1, 10 or
/// 100, given as data and as S alone, where rounding acts on the squares.
TEST(Encoders, KeepTheirLawsWhereColumnsAllButDependOnOneAnother) {
  Random random(21);
  for (const double gap : {1e-2, 1e-4, 1e-5, 1e-7}) {
    Matrix x = random_samples(40, 16, 20);
    x.rightCols(8) = x.leftCols(8) + gap * random_matrix(40, 8, random);
    for (Index j = 0; j < x.cols(); ++j) {
      x.col(j) *= std::pow(10.0, j % 3);
    }
    for (const auto& s : {trial::as_covariance(x), as_explicit(x)}) {
      for (const Variant& variant : variants()) {
        for (const Index r : {1, 3}) {
          SCOPED_TRACE(fmt::format("{} {}, r = {}, gap = {}", variant.solver,
                                   variant.options.dump(), r, gap));
          const SolveOutcome outcome = solve_with(variant.solver, s, equal(r, 6), variant.options);
          ASSERT_EQ(outcome.solution.status, Status::kConverged) << outcome.solution.message;
          expect_laws(variant, *s, outcome.solution.components);
        }
      }
    }
  }
}

/// With as many rows as variables, the rows that each component chooses are common rows.
TEST(Encoders, RefinedComponentsOnTheSameRowsAreTheBestOnThem) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const auto s = trial::as_covariance(random_samples(30, 5, seed));
    const SolveOutcome outcome = solve_with("encoder-refine", s, equal(2, 5));
    const double slack = measure_one("theorem5_slack_common_rows", *s, outcome.solution.components);
    EXPECT_NEAR(slack, 0, kLossRounding);
  }
}

TEST(Encoders, SlackOfStepsIsThatOfEachResidualAsItIsWritten) {
  const Matrix x = random_samples(25, 9, 5);
  const auto s = trial::as_covariance(x);
  const std::vector<Component> any = {
      {.support = {0, 3, 4}, .values = Vector{{1, 2, -2}} / 3},
      {.support = {1, 4}, .values = Vector{{0.6, 0.8}}},
  };
  for (const auto& components :
       {any, solve_with("encoder-iterative", s, equal(3, 4)).solution.components}) {
    Matrix residual = x;
    double least = std::numeric_limits<double>::infinity();
    for (const Component& component : components) {
      const double bound = dense_loss_on_columns(residual, component.support, 1);
      const Vector score = (residual * to_dense(component, 9)).normalized();
      residual -= score * (score.transpose() * residual);
      least = std::min(least, (bound - residual.squaredNorm()) / x.squaredNorm());
    }
    EXPECT_NEAR(measure_one("theorem5_slack_of_steps", *s, components), least, kLossRounding);
  }
}

// ---- matrices on which the bounds bind: a careless choice of columns breaks them ---------------

/// Three of 60 columns hold the leading direction. Columns drawn at random miss it. A little noise
/// keeps every loading from being exactly zero.
Matrix few_columns_matter() {
  Random random(33);
  Matrix x = 0.05 * random_matrix(61, 60, random);
  x.bottomRows(60).diagonal().array() += 1;
  x.row(0).head(3).setConstant(30);
  return x;
}

/// 200 short columns hold the leading direction, and twelve longer ones nothing of it.
Matrix long_columns_mislead() {
  Matrix x = Matrix::Zero(13, 212);
  x.row(0).head(200).setConstant(0.7);
  x.bottomRightCorner(12, 12).setIdentity();
  return x;
}

/// The six columns of largest leverage are equal, and nearly orthogonal to the leading direction.
Matrix leverage_misleads() {
  Matrix x = Matrix::Zero(2, 406);
  x.row(0).setConstant(0.9);
  x.row(0).head(6).setConstant(1);
  x.row(1).head(6).setConstant(std::sqrt(10.0));
  return x;
}

double loss_on(const Covariance& s, const Support& rows, Index r) {
  return measure_one("information_loss", s, linear_encoder(s, rows, r).components);
}

Support drawn_columns(Index p, Index k, std::uint64_t seed) {
  Random random(seed);
  std::vector<Index> columns(static_cast<std::size_t>(p));
  std::iota(columns.begin(), columns.end(), Index{0});
  for (std::size_t i = 0; i < static_cast<std::size_t>(k); ++i) {
    std::swap(columns[i], columns[i + random.below(columns.size() - i)]);
  }
  columns.resize(static_cast<std::size_t>(k));
  return sorted(columns);
}

double loss_of_batch(const std::shared_ptr<const Covariance>& s, Index r, Index k,
                     const Json& options = Json::object()) {
  return measure_one("information_loss", *s,
                     solve_with("encoder-batch", s, equal(r, k), options).solution.components);
}

TEST(Encoders, DeterministicBatchKeepsTheGuaranteeOfTheorem6WhereItBinds) {
  for (const Matrix& x : {few_columns_matter(), long_columns_mislead(), leverage_misleads()}) {
    const auto s = trial::as_covariance(x);
    for (const Index k : {2, 3, 4, 5, 8, 12}) {
      EXPECT_LE(loss_of_batch(s, 1, k), deterministic_loss_bound(1, k) + kLossRounding)
          << "p = " << x.cols() << ", k = " << k;
    }
  }
  // The bound binds: the losses of these other choices of columns exceed it.
  constexpr Index k = 5;
  const double bound = deterministic_loss_bound(1, k);
  const auto few = trial::as_covariance(few_columns_matter());
  int broken = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    broken += loss_on(*few, drawn_columns(60, k, seed), 1) > bound ? 1 : 0;
  }
  EXPECT_GT(broken, 50) << "of 100 random choices of columns";
  const auto misleading = trial::as_covariance(long_columns_mislead());
  EXPECT_GT(loss_on(*misleading, top_k(misleading->diagonal(), k), 1), bound);
  const auto twins = trial::as_covariance(leverage_misleads());
  EXPECT_GT(loss_of_batch(twins, 1, k, {{"columns", "leverage"}}), bound);
}

TEST(Encoders, DeterministicBatchKeepsTheGuaranteeOfTheorem6OnRandomSamples) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const auto s = trial::as_covariance(random_samples(20, 12, seed));
    for (Index r = 1; r <= 2; ++r) {
      for (Index k = r + 1; k <= 12; ++k) {
        EXPECT_LE(loss_of_batch(s, r, k), deterministic_loss_bound(r, k) + kLossRounding);
      }
    }
  }
}

/// Compares means over 60 seeds with bounds on the expectation. An encoder that captures nothing
/// breaks the bounds, and the best encoder on random columns breaks those of the batch.
TEST(Encoders, RandomBatchAndIterativeKeepTheirGuaranteesInTheMeanWhereTheyBind) {
  const Matrix x = few_columns_matter();
  const auto s = trial::as_covariance(x);
  constexpr int kSeeds = 60;
  for (const Index k : {8, 14, 30}) {
    double batch = 0;
    double drawn = 0;
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
      const auto b = solve_with("encoder-batch-random", s, equal(1, k), Json::object(), seed);
      batch += measure_one("information_loss", *s, b.solution.components) / kSeeds;
      drawn += loss_on(*s, drawn_columns(60, k, seed), 1) / kSeeds;
    }
    const double bound = expected_loss_bound(1, k);
    EXPECT_LE(batch, bound) << "k = " << k;
    EXPECT_GT(drawn, bound) << "k = " << k;
    EXPECT_GT(x.squaredNorm() / pca_loss(x, 1), bound);  // of an encoder that captures nothing
  }
  double iterative = 0;
  double bound = 0;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const auto i =
        solve_with("encoder-iterative", s, {60, 60},
                   {{"columns", "adaptive"}, {"schedule", "growing"}, {"epsilon", 1}}, seed);
    ASSERT_EQ(i.solution.components[0].cardinality(), 10);
    ASSERT_EQ(i.solution.components[1].cardinality(), 15);
    iterative += measure_one("information_loss", *s, i.solution.components) / kSeeds;
    bound = measure_one("loss_bound_theorem11", *s, i.solution.components);
    EXPECT_NEAR(measure_one("theorem11_slack", *s, i.solution.components),
                bound - measure_one("information_loss", *s, i.solution.components), kLossRounding);
  }
  EXPECT_LE(iterative, bound);
  EXPECT_GT(x.squaredNorm() / pca_loss(x, 2), bound);
}

/// Theorem 2 and Lemma 10 as they are written, with an explicit X.
TEST(Encoders, SlacksOfTheorem2AndLemma10AreTheDenseFormulas) {
  const Matrix x = random_samples(25, 12, 31);
  const auto s = trial::as_covariance(x);
  const auto components =
      solve_with("encoder-iterative", s, {6, 7}, {{"columns", "adaptive"}}).solution.components;
  const Matrix h = dense(components, 12);
  const double total = x.squaredNorm();
  const double rest = pca_loss(x, 2);
  const double explained = (x * h * pseudo_inverse(h)).squaredNorm();
  const double epsilon = (total - explained) / rest - 1;
  EXPECT_NEAR(measure_one("theorem2_slack", *s, components),
              (explained - (1 - (12.0 - 2) / 2 * epsilon) * (total - rest)) / total, kLossRounding);
  Matrix residual = x;
  double least = std::numeric_limits<double>::infinity();
  for (const Component& component : components) {
    const auto k = static_cast<double>(component.cardinality());
    const double guaranteed = (1 + 5 / (k - 5)) * pca_loss(residual, 1);
    const Vector score = (residual * to_dense(component, 12)).normalized();
    residual -= score * (score.transpose() * residual);
    least = std::min(least, (guaranteed - residual.squaredNorm()) / total);
  }
  EXPECT_NEAR(measure_one("lemma10_slack", *s, components), least, kLossRounding);
}

/// Compares the metrics that take S itself as the data X with the same formulas on that X.
TEST(Encoders, LossOfTheMatrixAsDataIsThatOnItsSquare) {
  const Matrix x = random_samples(25, 12, 32);
  const Matrix square = x.transpose() * x;
  const auto s = trial::as_covariance(x);
  const auto components = solve_with("encoder-batch", s, equal(2, 4)).solution.components;
  const Matrix h = dense(components, 12);
  EXPECT_NEAR(measure_one("matrix_information_loss", *s, components),
              dense_loss(square, h) / pca_loss(square, 2), 1e-7);
  EXPECT_NEAR(
      measure_one("matrix_symmetric_variance", *s, components),
      (square * h * pseudo_inverse(h)).squaredNorm() / (square.squaredNorm() - pca_loss(square, 2)),
      1e-7);
}

TEST(Encoders, Theorem11IsTheFormulaOfThePaper) {
  const Matrix x = random_samples(40, 30, 9);
  const auto s = trial::as_covariance(x);
  // epsilon = 2: 5 + ceil(5 j / 2) = 8, 10, 13 for j = 1, 2, 3; the least epsilon that these
  // cardinalities allow is max(5/3, 10/5, 15/8) = 2.
  std::vector<Component> components;
  for (const Index k : {8, 10, 13}) {
    components.push_back({.support = {}, .values = Vector::Constant(k, 1 / std::sqrt(k))});
    for (Index i = 0; i < k; ++i) {
      components.back().support.push_back(i);
    }
  }
  const double expected =
      std::pow(3 * std::exp(1.0), 2) + 2 * 27 * (pca_loss(x, 1) - pca_loss(x, 3)) / pca_loss(x, 3);
  EXPECT_NEAR(measure_one("loss_bound_theorem11", *s, components), expected, 1e-7 * expected);
}

TEST(Encoders, RefineIsOptimalForMostSmallProblemsAndNeverWorseThanBatch) {
  int optimal = 0;
  int batch_optimal = 0;
  int problems = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Index p = 8 + static_cast<Index>(seed % 5);
    const Matrix x = random_samples(seed % 2 == 0 ? 30 : 7, p, seed);
    const auto s = trial::as_covariance(x);
    for (Index r = 1; r <= 2; ++r) {
      for (const Index k : {r + 1, Index{5}}) {
        const double least = least_loss(x.transpose() * x, r, k) / pca_loss(x, r);
        const auto loss = [&](const char* name, const Json& options) {
          return measure_one("information_loss", *s,
                             solve_with(name, s, equal(r, k), options).solution.components);
        };
        const double refined = loss("encoder-refine", {{"rows", "common"}});
        const double batch = loss("encoder-batch", Json::object());
        EXPECT_GE(refined, least - kLossRounding);
        EXPECT_LE(refined, batch + kLossRounding);
        EXPECT_LE(loss("encoder-refine", Json::object()),
                  std::min(refined, loss("encoder-iterative", Json::object())) + kLossRounding);
        ++problems;
        optimal += refined < least + kLossRounding ? 1 : 0;
        batch_optimal += batch < least + kLossRounding ? 1 : 0;
      }
    }
  }
  RecordProperty("optimal", fmt::format("{} of {}, batch {}", optimal, problems, batch_optimal));
  EXPECT_GE(optimal, problems * 9 / 10) << optimal << " of " << problems;
}

/// Problem 1 of the paper, against the least loss of every number of rows.
TEST(Encoders, FewestRowsAreThoseOfEnumeration) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    const Matrix x = random_samples(20, 9, seed);
    const auto s = trial::as_covariance(x);
    for (Index r = 1; r <= 2; ++r) {
      for (const double epsilon : {0.05, 0.3}) {
        const double allowed = 1 + epsilon;
        Index fewest = r;
        while (least_loss(x.transpose() * x, r, fewest) / pca_loss(x, r) > allowed) {
          ++fewest;
        }
        const auto components = solve_with("encoder-fewest-rows", s, equal(r, 9),
                                           {{"epsilon", epsilon}, {"certify", true}})
                                    .solution.components;
        EXPECT_LE(measure_one("information_loss", *s, components), allowed);
        EXPECT_EQ(measure_one("row_sparsity", *s, components), static_cast<double>(fewest));
      }
    }
  }
  const auto s = trial::as_covariance(random_samples(20, 9, 1));
  EXPECT_EQ(solve_with("encoder-fewest-rows", s, {1}, {{"epsilon", 1e-6}}).solution.status,
            Status::kSkipped);
}

TEST(Encoders, AreTheSameOnDataAndOnTheirCovarianceAlone) {
  const Matrix x = random_samples(25, 12, 10);
  const auto data = trial::as_covariance(x);
  const auto covariance = make_explicit_covariance(x.transpose() * x);
  for (const Variant& variant : variants()) {
    SCOPED_TRACE(variant.solver + variant.options.dump());
    const auto a = solve_with(variant.solver, data, {5, 5}, variant.options).solution.components;
    const auto b =
        solve_with(variant.solver, covariance, {5, 5}, variant.options).solution.components;
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t j = 0; j < a.size(); ++j) {
      EXPECT_EQ(a[j].support, b[j].support);
    }
    EXPECT_NEAR(measure_one("information_loss", *data, a),
                measure_one("information_loss", *data, b), kLossRounding);
  }
}

TEST(Encoders, LossAndSymmetricVarianceAreTheDenseFormulas) {
  const Matrix x = random_samples(25, 12, 11);
  const auto s = trial::as_covariance(x);
  for (const Variant& variant : variants()) {
    const auto components =
        solve_with(variant.solver, s, {4, 4}, variant.options).solution.components;
    const Matrix h = dense(components, 12);
    EXPECT_NEAR(measure_one("information_loss", *s, components), dense_loss(x, h) / pca_loss(x, 2),
                kLossRounding);
    EXPECT_NEAR(measure_one("symmetric_explained_variance", *s, components),
                (x * h * pseudo_inverse(h)).squaredNorm() / (x.squaredNorm() - pca_loss(x, 2)),
                kLossRounding);
    Support rows;
    for (Index i = 0; i < 12; ++i) {
      if (h.row(i).norm() > 0) {
        rows.push_back(i);
      }
    }
    EXPECT_EQ(measure_one("row_sparsity", *s, components), static_cast<double>(rows.size()));
    EXPECT_NEAR(measure_one("loss_bound_theorem5", *s, components),
                dense_loss_on_columns(x, rows, 2) / pca_loss(x, 2), kLossRounding);
  }
}

TEST(Encoders, AnswerOrSayWhyNotOnDegenerateProblems) {
  Matrix low_rank = random_samples(20, 9, 12);
  low_rank.rightCols(7) = low_rank.leftCols(2) * random_samples(2, 7, 13);
  Matrix with_zeros = random_samples(20, 9, 14);
  with_zeros.rightCols(6).setZero();
  const Matrix zeros = Matrix::Zero(5, 9);
  for (const Variant& variant : variants()) {
    SCOPED_TRACE(variant.solver + variant.options.dump());
    const auto status = [&](const Matrix& x, std::vector<Index> cardinality) {
      const SolveOutcome outcome = solve_with(variant.solver, trial::as_covariance(x),
                                              std::move(cardinality), variant.options);
      EXPECT_TRUE(outcome.solution.status == Status::kConverged ||
                  outcome.solution.message.size() > 20);
      return outcome.solution.status;
    };
    EXPECT_EQ(status(low_rank, equal(2, 4)), Status::kConverged);
    EXPECT_EQ(status(low_rank, equal(3, 4)), Status::kSkipped);  // the rank is 2
    EXPECT_EQ(status(with_zeros, equal(2, 9)), Status::kConverged);
    EXPECT_EQ(status(with_zeros, equal(3, 3)), Status::kConverged);
    EXPECT_EQ(status(zeros, equal(2, 3)), Status::kSkipped);
    const Status few_rows = status(with_zeros, equal(3, 2));
    const Status unequal = status(with_zeros, {3, 2});
    EXPECT_EQ(few_rows, variant.common_rows ? Status::kSkipped : Status::kConverged);
    EXPECT_EQ(unequal, variant.common_rows ? Status::kSkipped : Status::kConverged);
  }
}

/// Variances differ by a factor of 1e8, and five components use nearly the same large columns: the
/// loss is about 1e-8 of the total variance.
TEST(Encoders, LossIsRightWhereTheVariancesDifferByOrdersOfMagnitude) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    Matrix x = random_samples(60, 14, seed);
    for (Index i = 0; i < 5; ++i) {
      x.col(i) *= std::pow(10, i);
    }
    const auto s = trial::as_covariance(x);
    std::map<std::string, double> losses;
    for (const Variant& variant : variants()) {
      const std::string name = variant.solver + variant.options.dump();
      SCOPED_TRACE(fmt::format("seed {}: {}", seed, name));
      const SolveOutcome outcome = solve_with(variant.solver, s, equal(5, 6), variant.options);
      ASSERT_EQ(outcome.solution.status, Status::kConverged) << outcome.solution.message;
      const auto& components = outcome.solution.components;
      const double loss = measure_one("information_loss", *s, components);
      EXPECT_GE(loss, 1);
      const Matrix q = thin_qr(x * dense(components, 14)).orthonormal;
      EXPECT_NEAR(loss, (x - q * (q.transpose() * x)).squaredNorm() / pca_loss(x, 5), 1e-4 * loss);
      losses[name] = loss;
    }
    const double refined = losses.at("encoder-refine{}");
    for (const auto& [name, loss] : losses) {
      if (name.find("random") == std::string::npos && name.find("adaptive") == std::string::npos) {
        EXPECT_LE(refined, loss * (1 + 1e-6)) << "seed " << seed << ": " << name;
      }
    }
  }
}

/// On the matrix of Theorem 8 equal columns abound, and so do exchanges that change nothing.
TEST(Encoders, RefinedComponentsLoseLeastAndNoMoreWithMoreRowsOnTheLowerBound) {
  const DatasetEntry& entry = DatasetRegistry::instance().get("lower-bound", "");
  const Dataset dataset = entry.load({{"variables", 60}}, {});
  const Covariance& s = *dataset.covariance;
  for (const Index r : {1, 3, 4}) {
    double with_fewer_rows = std::numeric_limits<double>::infinity();
    for (const Index k : {6, 9, 12, 15, 18}) {
      SCOPED_TRACE(fmt::format("r = {}, k = {}", r, k));
      const auto loss = [&](const char* solver, const Json& options) {
        return measure_one(
            "information_loss", s,
            solve_with(solver, dataset.covariance, equal(r, k), options).solution.components);
      };
      const double refined = loss("encoder-refine", Json::object());
      EXPECT_LE(refined, with_fewer_rows + kLossRounding);
      EXPECT_LE(refined, loss("encoder-refine", {{"rows", "common"}}) + kLossRounding);
      EXPECT_LE(refined, loss("encoder-batch", Json::object()) + kLossRounding);
      EXPECT_LE(refined, loss("encoder-iterative", Json::object()) + kLossRounding);
      with_fewer_rows = refined;
    }
  }
}

TEST(Encoders, ThreadsDoNotChangeTheRefinedAnswer) {
  const auto s = trial::as_covariance(random_samples(12, 5000, 15));
  const SolverEntry& entry = SolverRegistry::instance().get("encoder-refine", "solver");
  std::vector<std::vector<Component>> answers;
  for (const int threads : {1, 3}) {
    Budget budget;
    answers.push_back(
        entry
            .solve({.covariance = *s, .components = 2, .cardinality = {3, 3}, .threads = threads},
                   entry.complete_options({{"starts", "batch"}}, ""), budget)
            .components);
  }
  for (std::size_t j = 0; j < 2; ++j) {
    EXPECT_EQ(answers[0][j].support, answers[1][j].support);
    EXPECT_EQ(answers[0][j].values, answers[1][j].values);
  }
}

/// S has rank one except for rounding: after two components nothing is left to choose rows for.
TEST(EncoderRefine, AnswersWhereOnlyRoundingIsLeft) {
  Matrix s(4, 4);
  s << 2.115799280280254, -0.6663188175539487, -1.5153911284214698, -1.961735035781588,
      -0.6663188175539487, 0.2098406835233011, 0.47723507390095893, 0.6178000824305763,
      -1.5153911284214698, 0.47723507390095893, 1.0853630086030173, 1.405046262380261,
      -1.961735035781588, 0.6178000824305763, 1.405046262380261, 1.8188891487969245;
  const auto covariance = make_explicit_covariance(s);
  const SolveOutcome outcome =
      solve_with("encoder-refine", covariance, {1, 2, 1}, {{"rows", "own"}});
  EXPECT_TRUE(is_usable(outcome.solution.status)) << outcome.solution.message;
  EXPECT_NO_THROW(solve_with("encoder-iterative", covariance, {1, 2, 1}));
}

/// S has the eigenvalue -3.6e-10: the remainder after two components is rounding of both signs, and
/// no row of it can be chosen.
TEST(EncoderRefine, AnswersWhereTwoComponentsLeaveNoAdmissibleRow) {
  Matrix s(4, 4);
  s << 0.9401474646005664, -0.0001636073704807541, 0.5563041436365582, 0.7823180413449786,
      -0.0001636073704807541, 0.07586297734206245, 0.15887951867954572, -0.40921509822069063,
      0.5563041436365582, 0.15887951867954572, 0.6623228001912931, -0.3943414089975164,
      0.7823180413449786, -0.40921509822069063, -0.3943414089975164, 2.8568781795513987;
  const auto covariance = make_explicit_covariance(s);
  const SolveOutcome outcome =
      solve_with("encoder-refine", covariance, {3, 2, 2}, {{"rows", "own"}});
  EXPECT_TRUE(is_usable(outcome.solution.status)) << outcome.solution.message;
}

}  // namespace
}  // namespace spca::encoders_test
