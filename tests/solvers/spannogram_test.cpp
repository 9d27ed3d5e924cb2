/// Tests the spannogram solvers against enumeration on S_d, their bounds against the optimum, and
/// safe elimination.

#include <gtest/gtest.h>

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "spca/base/random.h"
#include "spca/covariance/covariance_explicit.h"
#include "spca/dense/sparsify.h"
#include "spca/methods/spannogram/elimination_by_boxes.h"
#include "spca/methods/spannogram/low_rank_certificate.h"
#include "spca/methods/spannogram/support_search.h"
#include "spca/solving/solve.h"
#include "spca/spectrum/low_rank.h"
#include "tests/solver_testing.h"

namespace spca::spannogram_test {
namespace {

// Bound on the relative rounding of eigenvalues.
constexpr double kEigenvalueRounding = 1e-10;

struct LowRankProblem {
  std::shared_ptr<const Covariance> covariance;
  Index rank = 0;
};

/// Returns S and a rank d. S has a p x (at most 2d) factor that is generic, has equal and opposite
/// rows or zero rows, or holds a few small whole numbers, which tie everywhere; or S has repeated
/// eigenvalues.
LowRankProblem random_problem(std::uint64_t seed) {
  Random random(seed);
  const auto below = [&](std::uint64_t count) { return static_cast<Index>(random.below(count)); };
  const Index d = 1 + static_cast<Index>(seed % 4);
  const Index p = 2 + below(10);
  Matrix rows(p, std::max<Index>(2, 2 * d - below(3)));
  for (double& entry : rows.reshaped()) {
    entry = seed % 5 == 4 ? static_cast<double>(below(5)) - 2 : random.normal();
  }
  if (seed % 5 == 1 || seed % 5 == 2) {
    for (Index i = 0; i < p / 2; ++i) {
      rows.row(below(static_cast<std::uint64_t>(p))) =
          (seed % 5 == 2          ? 0.0
           : random.below(2) == 0 ? 1.0
                                  : -1.0) *
          rows.row(below(static_cast<std::uint64_t>(p)));
    }
  }
  Matrix s = rows * rows.transpose();
  if (seed % 5 == 3) {
    // The eigenvalue 2 as often as there are pairs of variables, then 0.5 if p is odd, then 0.
    s.setZero();
    for (Index i = 0; i < p; ++i) {
      s(i, i) = i + 1 < p || p % 2 == 0 ? 1.0 : 0.5;
      if (i % 2 == 1) {
        s(i, i - 1) = s(i - 1, i) = 1;
      }
    }
  }
  return {.covariance = make_explicit_covariance(std::move(s)), .rank = d};
}

/// Returns S of p variables whose d leading eigenvectors are large on few variables, and whose
/// other eigenvectors are spread over all. Elimination leaves few variables, so the best support on
/// S is easily lost.
Matrix few_large_rows(Index p, Index d, std::uint64_t seed) {
  Matrix vectors = trial::random_matrix(p, p, seed);
  for (Index j = 0; j < p; ++j) {
    vectors.row(j).head(d) *= std::exp(-static_cast<double>(j) / 4);
  }
  const Matrix q = Eigen::HouseholderQR<Matrix>(vectors).householderQ();
  Random random(seed);
  Vector values(p);
  for (Index j = 0; j < p; ++j) {
    values[j] = j < d ? 0.5 + random.uniform() / 2 : random.uniform() / 2;
  }
  const Matrix s = q * values.asDiagonal() * q.transpose();
  return (s + s.transpose()) / 2;
}

double best_by_enumeration(const Matrix& factor, Index k) {
  double best = 0;
  trial::for_each_support(factor.rows(), k, [&](const Support& support) {
    best = std::max(best, low_rank_value(factor, support));
  });
  return best;
}

Solution solve_with(const std::string& name, const Covariance& covariance, Index k,
                    const Json& options, int threads = 1) {
  const SolverEntry& entry = SolverRegistry::instance().get(name, "solver");
  Budget budget;
  const Problem problem{.covariance = covariance, .cardinality = {k}, .threads = threads};
  return entry.solve(problem, entry.complete_options(options, "/options"), budget);
}

double fact(const Solution& solution, const std::string& name) {
  for (const auto& [known, value] : solution.facts) {
    if (known == name) {
      return value;
    }
  }
  ADD_FAILURE() << "no fact " << name;
  return kNotMeasured;
}

TEST(Spannogram, SLOW_EqualsEnumerationOnTheLowRankMatrix) {
  const auto seeds = static_cast<std::uint64_t>(trial::tries(300));
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const LowRankProblem problem = random_problem(seed);
    const std::shared_ptr<const Covariance>& covariance = problem.covariance;
    const Index rank = problem.rank;
    const LowRank low_rank = low_rank_approximation(*covariance, rank);
    if (low_rank.rank() == 0) {
      continue;
    }
    for (Index k = 1; k <= covariance->variables(); ++k) {
      const double truth = best_by_enumeration(low_rank.factor, k);
      const double tolerance = kEigenvalueRounding * truth;
      const auto agrees = [&](const char* name, Json options) {
        options["score"] = "low-rank";
        Solution solution = solve_with(name, *covariance, k, options);
        EXPECT_NEAR(fact(solution, "low_rank_value"), truth, tolerance)
            << name << ", seed " << seed << ", d = " << rank << ", k = " << k;
        return solution;
      };
      agrees("spannogram", {{"rank", rank}});
      agrees("spannogram", {{"rank", rank}, {"eliminate", false}});
      if (rank == 2) {
        agrees("spannogram-sweep", Json::object());
        agrees("spannogram-sweep", {{"eliminate", false}});
      }
      const Solution bound = agrees("spannogram-bound", {{"rank", rank}, {"epsilon", 1e-9}});
      EXPECT_GE(fact(bound, "low_rank_bound"), truth - tolerance) << seed;
      EXPECT_LE(fact(bound, "low_rank_gap"), 2e-9) << seed;
    }
  }
}

/// In general position there are no more candidates than the paper counts.
TEST(Spannogram, HasNoMoreCandidatesThanThePaperCounts) {
  for (Index d = 2; d <= 3; ++d) {
    for (const Index p : {6, 9, 12}) {
      const auto s =
          trial::as_covariance(trial::random_data(p + 3, p, static_cast<std::uint64_t>(p)));
      const Solution solution =
          solve_with("spannogram", *s, 3, {{"rank", d}, {"eliminate", false}});
      double subsets = 1;
      for (Index i = 0; i < d; ++i) {
        subsets *= static_cast<double>(p - i) / static_cast<double>(i + 1);
      }
      EXPECT_LE(fact(solution, "candidates"), (d == 2 ? 4 : 64) * subsets);
      EXPECT_EQ(fact(solution, "directions"), (d == 2 ? 2 : 4) * subsets);
    }
  }
}

TEST(Spannogram, NeverLosesAnOptimalSupportByElimination) {
  constexpr std::uint64_t kProblems = 1000;
  for (std::uint64_t seed = 1; seed <= kProblems; ++seed) {
    Random random(seed);
    const Index p = 6 + static_cast<Index>(random.below(5));
    const Index d = 1 + static_cast<Index>(random.below(3));
    const Index k = 1 + static_cast<Index>(random.below(4));
    Matrix factor(p, d);
    for (double& entry : factor.reshaped()) {
      entry = random.normal();
    }
    if (seed % 2 == 0) {
      factor.rowwise().normalize();  // then elimination by norms cannot tell the rows apart
    }
    const double best = best_by_enumeration(factor, k);
    std::vector<int> all(static_cast<std::size_t>(p));
    std::iota(all.begin(), all.end(), 0);
    const std::vector<int> left = eliminate_by_boxes(factor, k, all, best * (1 - 1e-9));
    trial::for_each_support(p, k, [&](const Support& support) {
      if (low_rank_value(factor, support) >= best * (1 - 1e-12)) {
        for (const Index i : support) {
          EXPECT_TRUE(std::binary_search(left.begin(), left.end(), static_cast<int>(i))) << seed;
        }
      }
    });
  }
}

/// The answer is scored on S. The best support on S may be below the best on S_d, and need not be
/// the top-k set at its own best direction.
TEST(Spannogram, EliminationDoesNotChangeTheAnswerOnTheCovariance) {
  constexpr std::uint64_t kProblems = 400;
  constexpr Index kVariables = 12;
  for (std::uint64_t seed = 1; seed <= kProblems; ++seed) {
    const Index d = 1 + static_cast<Index>(seed % 3);
    const Index k = 2 + static_cast<Index>(seed / 3 % 3);
    const auto s = make_explicit_covariance(few_large_rows(kVariables, d, seed));
    const auto value_of = [&](const char* name, const Json& options) {
      return s->quadratic_form(solve_with(name, *s, k, options).components.at(0));
    };
    const double whole = value_of("spannogram", {{"rank", d}, {"eliminate", false}});
    EXPECT_NEAR(value_of("spannogram", {{"rank", d}, {"eliminate", true}}), whole,
                kEigenvalueRounding * whole)
        << "seed " << seed << ", d = " << d << ", k = " << k;
    if (d == 2) {
      EXPECT_NEAR(value_of("spannogram-sweep", {{"eliminate", true}, {"polish", false}}), whole,
                  kEigenvalueRounding * whole)
          << "the sweep, seed " << seed << ", k = " << k;
    }
  }
}

/// Rank 2, k = 2. The pairs that are best on S_2 are among the first 20 variables, with the value
/// .6 on S_2 and on S. The pair {20, 21} has .45 on S_2 and .85 on S, because of lambda_3. It is a
/// top-k set at some directions, and no ascent leads there.
TEST(Spannogram, EliminationKeepsTheSupportThatIsBestOnTheCovarianceAlone) {
  constexpr Index kVariables = 24;
  Matrix vectors = Matrix::Zero(kVariables, 3);
  vectors.col(0).head(20).setConstant(1 / std::sqrt(20.0));
  vectors(21, 0) = 0.04;
  vectors(22, 0) = -0.04;
  vectors.col(1).tail(4) = Vector{{0.55, 0.45, 0.55, 0.45}};
  vectors.col(2).tail(4) = Vector{{0.55, 0.45, -0.55, -0.45}};
  const Matrix q =
      Eigen::HouseholderQR<Matrix>(vectors).householderQ() * Matrix::Identity(kVariables, 3);
  const Matrix s = q * Vector{{6.0, 0.9, 0.8}}.asDiagonal() * q.transpose();
  const auto covariance = make_explicit_covariance((s + s.transpose()) / 2);
  for (const bool eliminate : {false, true}) {
    const Solution solution =
        solve_with("spannogram", *covariance, 2, {{"rank", 2}, {"eliminate", eliminate}});
    EXPECT_EQ(solution.components.at(0).support, (Support{20, 21})) << eliminate;
    EXPECT_LT(fact(solution, "low_rank_value"), 0.61) << eliminate;
    EXPECT_GT(covariance->quadratic_form(solution.components.at(0)), 0.85) << eliminate;
  }
}

/// If S = V V' with V >= 0, the best support has loadings of one sign, and few directions give such
/// loadings.
TEST(Spannogram, WithoutNegativeEntriesFewerDirectionsGiveTheSameAnswer) {
  for (std::uint64_t seed = 1; seed <= 120; ++seed) {
    const Index d = 1 + static_cast<Index>(seed % 4);
    const Index p = d + 2 + static_cast<Index>(seed % 5);
    const Matrix rows = trial::random_matrix(p, d, seed).cwiseAbs();
    const auto s = make_explicit_covariance(rows * rows.transpose());
    for (Index k = 1; k <= p; ++k) {
      const double truth = best_by_enumeration(rows, k);
      const Json options = {{"rank", d}, {"eliminate", false}};
      const Solution solution = solve_with("spannogram", *s, k, options);
      EXPECT_EQ(fact(solution, "nonnegative"), 1) << seed;
      EXPECT_NEAR(s->quadratic_form(solution.components.at(0)), truth, kEigenvalueRounding * truth)
          << "seed " << seed << ", d = " << d << ", k = " << k;
      if (k + d < p) {  // no direction at which d - 1 rows vanish is visited separately
        double subsets = 1;
        double subsets_with_zero = 1;
        for (Index i = 0; i < d; ++i) {
          subsets *= static_cast<double>(p - i) / static_cast<double>(i + 1);
          subsets_with_zero *= static_cast<double>(p + 1 - i) / static_cast<double>(i + 1);
        }
        EXPECT_NEAR(fact(solution, "directions"), subsets_with_zero, 1e-6) << seed;
        Json mixed = options;
        mixed["detect"] = false;
        EXPECT_NEAR(fact(solve_with("spannogram", *s, k, mixed), "directions"),
                    std::pow(2, d - 1) * subsets, 1e-6)
            << seed;
      }
    }
  }
}

TEST(Spannogram, RefusesLoadingsOfOneSignIfAnEntryIsNegative) {
  Matrix s = Matrix::Identity(4, 4);
  s(1, 3) = s(3, 1) = -0.25;
  const auto covariance = make_explicit_covariance(s);
  const Solution forced = solve_with("spannogram", *covariance, 2, {{"nonnegative", true}});
  EXPECT_EQ(forced.status, Status::kSkipped);
  EXPECT_NE(forced.message.find("-0.25 at variables 4 and 2"), std::string::npos) << forced.message;
  const Solution found = solve_with("spannogram", *covariance, 2, {{"eliminate", false}});
  EXPECT_EQ(fact(found, "nonnegative"), 0);
  EXPECT_NEAR(covariance->quadratic_form(found.components.at(0)), 1.25, kEigenvalueRounding);
  s(1, 3) = s(3, 1) = 0.25;
  const auto positive = make_explicit_covariance(s);
  const Solution taken = solve_with("spannogram", *positive, 2, {{"nonnegative", true}});
  EXPECT_NEAR(positive->quadratic_form(taken.components.at(0)), 1.25, kEigenvalueRounding);
}

/// The rows (1, t) all tie at c = (1, 0): 19 choose 9 subsets are more than are tried.
TEST(Spannogram, SaysAtHowManyDirectionsTiesWereCutShort) {
  constexpr Index kTied = 19;
  Matrix rows(kTied, 2);
  rows.col(0).setOnes();
  rows.col(1) = Vector::LinSpaced(kTied, -1, 1).array() + 0.01;
  const auto s = make_explicit_covariance(rows * rows.transpose());
  const SolverEntry& entry = SolverRegistry::instance().get("spannogram", "solver");
  const auto cut_short = [&](Index k) {
    Budget budget({.iterations = 1});  // the first direction alone
    return fact(entry.solve({.covariance = *s, .cardinality = {k}},
                            entry.complete_options({{"eliminate", false}}, "/options"), budget),
                "directions_cut_short");
  };
  EXPECT_GE(cut_short(9), 1);  // 92,378 subsets
  EXPECT_EQ(cut_short(3), 0);  // 969
}

TEST(Spannogram, BoundsHoldOnTheCovarianceForAnyTree) {
  constexpr std::uint64_t kProblems = 100;
  for (std::uint64_t seed = 1; seed <= kProblems; ++seed) {
    const auto [covariance, rank] = random_problem(seed);
    for (const Index k : {Index{1}, Index{2}, covariance->variables()}) {
      const double truth = trial::best_by_enumeration(*covariance, k).value;
      const Solution solution = solve_with("spannogram-bound", *covariance, k, {{"rank", rank}});
      if (solution.certificate == nullptr) {
        continue;  // S = 0
      }
      const double floor = truth * (1 - kEigenvalueRounding);
      EXPECT_GE(solution.certificate->check(*covariance, k), floor) << seed;
      BoxTree nonsense;
      Random random(seed);
      for (int node = 0; node < 40; ++node) {
        nonsense.nodes.push_back({.child = static_cast<std::uint32_t>(random.below(50)),
                                  .axis = static_cast<std::uint8_t>(random.below(5))});
      }
      EXPECT_GE(LowRankCertificate(rank, nonsense).check(*covariance, k), floor) << seed;
    }
  }
}

TEST(Spannogram, BoundThroughTheSpanIsSharperThanTheTwoEigenvaluesApart) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const auto [covariance, rank] = random_problem(seed);
    const Index p = covariance->variables();
    const LowRank low_rank = low_rank_approximation(*covariance, rank);
    if (low_rank.rank() == 0) {
      continue;
    }
    const Matrix reduced = reduced_factor(low_rank);
    const double rounding = kEigenvalueRounding * low_rank.eigenvalues[0];
    Random random(seed);
    for (int draw = 0; draw < 20; ++draw) {
      const Vector v = Vector::NullaryExpr(p, [&](Index) { return random.normal(); }).normalized();
      const double bound = (reduced.transpose() * v).squaredNorm() + low_rank.residual;
      EXPECT_GE(bound + rounding, covariance->quadratic_form(from_dense(v))) << seed;
      EXPECT_LE(bound, (low_rank.factor.transpose() * v).squaredNorm() + low_rank.residual +
                           kSmallestReduction * kSmallestReduction * low_rank.eigenvalues[0]);
    }
  }
}

/// Offers supports of k variables each, most of them like the one before, and compares the best
/// that the search keeps with the best after scoring all of them.
void expect_best_of_offered(const Covariance& covariance, Index rank, Index k, std::uint64_t seed) {
  const Index p = covariance.variables();
  const LowRank low_rank = low_rank_approximation(covariance, rank);
  if (low_rank.rank() == 0) {
    return;
  }
  SupportSearch search(covariance, low_rank, true);
  Random random(seed);
  double best = 0;
  Vector w = Vector::NullaryExpr(p, [&](Index) { return random.normal(); });
  for (int offer = 0; offer < 50; ++offer) {
    w += 0.2 * Vector::NullaryExpr(p, [&](Index) { return random.normal(); });
    const Support support = top_k(w, k);
    search.consider(support);
    best = std::max(best, best_on_support(covariance, support).value);
  }
  const double rounding = kEigenvalueRounding * low_rank.eigenvalues[0];
  EXPECT_NEAR(search.best_value(), best, rounding) << "seed " << seed << ", p = " << p;
  EXPECT_NEAR(covariance.quadratic_form(search.best()), best, rounding);
}

TEST(Spannogram, BestOfTheSupportsOfferedIsTheBestOnTheCovariance) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const auto [covariance, rank] = random_problem(seed);
    expect_best_of_offered(*covariance, rank,
                           1 + static_cast<Index>(seed) % covariance->variables(), seed);
    // For supports of this size, bounds on an eigenvalue are tried before the eigenvalue itself:
    // with and without a gap in the spectrum.
    Matrix data = trial::random_data(50, 60, seed);
    data.topRows(static_cast<Index>(seed % 3)) *= 4;
    expect_best_of_offered(*trial::as_covariance(data), 1 + static_cast<Index>(seed % 3),
                           35 + static_cast<Index>(seed % 25), seed);
  }
}

TEST(Spannogram, AnswersDoNotDependOnTheThreads) {
  const auto s = trial::as_covariance(trial::random_data(60, 300, 3));
  for (const char* name : {"spannogram-sweep", "spannogram-bound"}) {
    const Solution one = solve_with(name, *s, 8, Json::object(), 1);
    const Solution two = solve_with(name, *s, 8, Json::object(), 2);
    EXPECT_EQ(one.components.at(0).support, two.components.at(0).support) << name;
    EXPECT_EQ(one.components.at(0).values, two.components.at(0).values) << name;
    EXPECT_EQ(one.facts, two.facts) << name;
  }
}

TEST(Spannogram, TakesDegenerateProblems) {
  const Matrix one_row = Matrix::Identity(4, 4).col(1) * Matrix::Identity(4, 4).row(1);
  const std::vector<std::pair<Matrix, double>> cases = {{Matrix::Ones(1, 1), 1.0},
                                                        {Matrix::Ones(5, 5), 2.0},
                                                        {one_row, 1.0},
                                                        {Matrix::Identity(5, 5), 1.0}};
  for (const char* name : {"spannogram", "spannogram-sweep", "spannogram-bound"}) {
    for (const auto& [s, value] : cases) {
      const auto covariance = make_explicit_covariance(s);
      const Json options =
          std::string(name) == "spannogram-sweep" ? Json::object() : Json{{"rank", 7}};
      const Solution solution =
          solve_with(name, *covariance, std::min<Index>(2, s.rows()), options);
      ASSERT_EQ(solution.components.size(), 1U) << name;
      EXPECT_NEAR(covariance->quadratic_form(solution.components[0]), value, kEigenvalueRounding)
          << name << s.rows();
    }
  }
}

}  // namespace
}  // namespace spca::spannogram_test
