/// Tests solvers for several components with disjoint supports: the joint solvers against
/// enumeration, their theorems recomputed, the monotone ascent, bounds, and extreme input.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "spca/base/cardinality.h"
#include "spca/base/random.h"
#include "spca/covariance/covariance_dense.h"
#include "spca/covariance/covariance_explicit.h"
#include "spca/covariance/covariance_sparse.h"
#include "spca/data/data_folder.h"
#include "spca/data/dataset.h"
#include "spca/dense/dense_decompositions.h"
#include "spca/dense/leading_eigenpair.h"
#include "spca/methods/joint/disjoint.h"
#include "spca/methods/joint/joint_search.h"
#include "spca/solving/feasibility.h"
#include "spca/solving/solve.h"
#include "spca/solving/upper_bound.h"
#include "spca/spectrum/eigenpairs.h"
#include "spca/spectrum/low_rank.h"
#include "spca/spectrum/sketch.h"
#include "tests/solver_testing.h"

namespace spca::bipart_test {
namespace {

// Relative difference of two computations of a sum of a few eigenvalues of small matrices.
constexpr double kSameValue = 1e-9;
// Relative difference of two computations of one eigenvalue of a small matrix.
constexpr double kRounding = 1e-13;

using CovariancePointer = std::shared_ptr<const Covariance>;

/// S = B B' of p variables and the given rank.
CovariancePointer random_covariance(Index p, Index rank, std::uint64_t seed) {
  const Matrix rows = trial::random_matrix(p, rank, seed);
  return make_explicit_covariance(rows * rows.transpose());
}

SolveOutcome run(const std::string& name, const CovariancePointer& covariance,
                 const std::vector<Index>& cardinality, const Json& options = Json::object(),
                 int threads = 1, double seconds = std::numeric_limits<double>::infinity()) {
  const SolverEntry& solver = SolverRegistry::instance().get(name, "");
  SolveRequest request{.covariance = covariance,
                       .solver = &solver,
                       .options = solver.complete_options(options, ""),
                       .components = std::ssize(cardinality),
                       .cardinality = cardinality,
                       .seed = 3,
                       .seconds = seconds,
                       .threads = threads};
  if (!solver.traits.multiple_components) {
    request.deflation = &DeflationRegistry::instance().get("remove-support", "");
  }
  return solve(request);
}

double total(const Covariance& covariance, const SolveOutcome& outcome) {
  double sum = 0;
  for (const Component& component : outcome.solution.components) {
    sum += covariance.quadratic_form(component);
  }
  return sum;
}

/// Returns the optimum, by trying all (r + 1)^p assignments of variables to components.
double brute_force(const Covariance& covariance, const std::vector<Index>& cardinality) {
  const Index p = covariance.variables();
  const std::size_t r = cardinality.size();
  std::vector<double> value_of(std::size_t{1} << p, 0);
  for (std::size_t mask = 1; mask < value_of.size(); ++mask) {
    Support support;
    for (Index i = 0; i < p; ++i) {
      if ((mask >> i & 1U) != 0) {
        support.push_back(i);
      }
    }
    value_of[mask] = leading_eigenpair(covariance.submatrix(support)).value;
  }
  std::vector<std::size_t> masks(r, 0);
  double best = 0;
  const auto place = [&](const auto& self, Index variable) -> void {
    if (variable == p) {
      double sum = 0;
      for (const std::size_t mask : masks) {
        sum += value_of[mask];
      }
      best = std::max(best, sum);
      return;
    }
    self(self, variable + 1);
    for (std::size_t j = 0; j < r; ++j) {
      if (std::popcount(masks[j]) < cardinality[j]) {
        masks[j] |= std::size_t{1} << variable;
        self(self, variable + 1);
        masks[j] &= ~(std::size_t{1} << variable);
      }
    }
  };
  place(place, 0);
  return best;
}

struct SmallProblem {
  CovariancePointer covariance;
  std::vector<Index> cardinality;
};

/// Returns a problem with p <= 9, r = 2 or 3, and equal or unequal cardinalities. At least every
/// fifth has p = k_1 + ... + k_r.
SmallProblem small_problem(std::uint64_t seed) {
  Random random(seed);
  const Index r = 2 + static_cast<Index>(seed % 2);
  std::vector<Index> cardinality;
  for (Index j = 0; j < r; ++j) {
    cardinality.push_back(seed % 3 == 0 ? 2 : 1 + static_cast<Index>(random.below(3)));
  }
  const Index places = total_cardinality(cardinality);
  const Index p = seed % 5 == 0 ? places : std::min<Index>(9, places + 2);
  const Index rank = seed % 4 == 0 ? 2 : p;
  return {.covariance = random_covariance(std::max(p, places), rank, seed),
          .cardinality = cardinality};
}

constexpr std::uint64_t kProblems = 60;

TEST(ExhaustiveDisjoint, EqualsBruteForce) {
  for (std::uint64_t seed = 0; seed < kProblems; ++seed) {
    const SmallProblem given = small_problem(seed);
    const double expected = brute_force(*given.covariance, given.cardinality);
    const SolveOutcome outcome = run("exhaustive-disjoint", given.covariance, given.cardinality);
    ASSERT_EQ(outcome.solution.status, Status::kConverged);
    EXPECT_NEAR(total(*given.covariance, outcome), expected, kSameValue * expected);
    const Spectrum spectrum(*given.covariance);
    EXPECT_NEAR(upper_bound(SolverRegistry::instance().get("exhaustive-disjoint", ""),
                            outcome.solution, given.cardinality, *given.covariance, spectrum),
                expected, kSameValue * expected);
  }
}

/// The share of problems on which a solver reaches the optimum; it must never exceed it.
double share_of_optima(const std::string& name, const Json& options) {
  int hits = 0;
  for (std::uint64_t seed = 0; seed < kProblems; ++seed) {
    const SmallProblem given = small_problem(seed);
    const double optimum =
        total(*given.covariance, run("exhaustive-disjoint", given.covariance, given.cardinality));
    const SolveOutcome outcome = run(name, given.covariance, given.cardinality, options);
    const double value = total(*given.covariance, outcome);
    EXPECT_TRUE(outcome.disjoint);
    EXPECT_EQ(find_infeasibility(outcome.solution.components, given.covariance->variables(),
                                 given.cardinality, Supports::kDisjoint),
              "");
    EXPECT_LE(value, optimum * (1 + kSameValue));
    hits += value >= optimum * (1 - kSameValue) ? 1 : 0;
  }
  return hits / static_cast<double>(kProblems);
}

TEST(BipartAscent, ReachesEveryOptimumOfSmallProblems) {
  EXPECT_EQ(share_of_optima("bipart-ascent", {{"patience", 64}}), 1);
}

/// Takes d >= p, so that S_d is S and only the number of directions limits the solver.
TEST(Bipart, ReachesTheOptimaOfSmallProblemsWithManyDirections) {
  EXPECT_GE(share_of_optima("bipart", {{"rank", 9}, {"draws", 2000}}), 0.95);
}

/// Tests Theorem 1 on S of rank 2, where S_d is S, and the bounds on the optimum in the facts.
TEST(Bipart, TheNetKeepsTheorem1) {
  for (const double epsilon : {0.8, 0.3, 0.1}) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const auto covariance = random_covariance(7, 2, seed);
      const double optimum = brute_force(*covariance, {2, 2});
      const SolveOutcome outcome =
          run("bipart", covariance, {2, 2},
              {{"rank", 2}, {"directions", "net"}, {"epsilon", epsilon}, {"score", "low-rank"}});
      ASSERT_EQ(outcome.solution.status, Status::kConverged);
      const double value = total(*covariance, outcome);
      EXPECT_GE(value, (1 - epsilon) * optimum) << "epsilon " << epsilon << ", seed " << seed;
      EXPECT_LE(value, optimum * (1 + kSameValue));
      EXPECT_EQ(outcome.facts.at("theorem_1_share"), std::vector<double>{1 - epsilon});
      EXPECT_GE(outcome.facts.at("optimum_bound")[0], optimum * (1 - kSameValue));
    }
  }
}

/// S = Q diag(i^-exponent) Q' with a random Q.
CovariancePointer decaying_covariance(Index p, double exponent, std::uint64_t seed) {
  const Matrix q = orthonormal_basis(trial::random_matrix(p, p, seed), 0);
  Vector values(p);
  for (Index i = 0; i < p; ++i) {
    values[i] = std::pow(static_cast<double>(i + 1), -exponent);
  }
  Matrix covariance = q * values.asDiagonal() * q.transpose();
  covariance = 0.5 * (covariance + covariance.transpose()).eval();
  return make_explicit_covariance(covariance);
}

/// Tests Remark 9.2 and Theorem 2 on S of full rank. The spectrum decays, so that the guarantee
/// mostly exceeds the two largest variances: a solver that returns two single variables breaks it.
TEST(Bipart, TheNetKeepsRemark92AndTheorem2) {
  constexpr double kEpsilon = 0.1;
  int binding = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto covariance = decaying_covariance(7, 3, seed);
    const double optimum = brute_force(*covariance, {2, 2});
    const SolveOutcome outcome =
        run("bipart", covariance, {2, 2},
            {{"rank", 2}, {"directions", "net"}, {"epsilon", kEpsilon}, {"score", "low-rank"}});
    const double third = std::pow(3, -3);
    const double fourth = std::pow(4, -3);
    EXPECT_NEAR(outcome.facts.at("theorem_2_loss")[0], 4 * third, kSameValue);
    EXPECT_NEAR(outcome.facts.at("remark_9_2_loss")[0], third + fourth, kSameValue);
    const double guarantee = (1 - kEpsilon) * optimum - third - fourth;
    EXPECT_GE(total(*covariance, outcome), guarantee) << seed;
    EXPECT_GE(outcome.facts.at("optimum_bound")[0], optimum * (1 - kSameValue));
    EXPECT_LE(outcome.facts.at("optimum_bound")[0],
              optimum / (1 - kEpsilon) + third + fourth + kSameValue);
    Vector variances = covariance->diagonal();
    std::sort(variances.begin(), variances.end(), std::greater<>());
    binding += guarantee > variances.head(2).sum() ? 1 : 0;
  }
  EXPECT_GE(binding, 15) << "the guarantee is above two single variables nearly always";
}

TEST(Bipart, ScoringOnTheCovarianceIsNeverWorse) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto covariance = random_covariance(30, 30, seed);
    Json options = {{"rank", 2}, {"draws", 200}};
    const double on_covariance = total(*covariance, run("bipart", covariance, {4, 4, 3}, options));
    options["score"] = "low-rank";
    EXPECT_GE(on_covariance * (1 + kSameValue),
              total(*covariance, run("bipart", covariance, {4, 4, 3}, options)));
  }
}

TEST(JointSolvers, EscapeTheTrapOfDeflation) {
  const double epsilon = 0.05;
  const double delta = 0.02;
  const DatasetEntry& entry = DatasetRegistry::instance().get("deflation-trap", "");
  const Dataset dataset = entry.load(
      entry.complete_options({{"epsilon", epsilon}, {"delta", delta}}, ""), DatasetRequest{});
  const CovariancePointer covariance = dataset.covariance;
  EXPECT_NEAR(total(*covariance, run("exhaustive", covariance, {2, 2})), 1 + epsilon + delta,
              kSameValue);
  for (const char* name : {"exhaustive-disjoint", "bipart", "bipart-ascent"}) {
    EXPECT_NEAR(total(*covariance, run(name, covariance, {2, 2})), 2, kSameValue) << name;
  }
}

SparseRows sparse_counts(Index n, Index p, Random& random) {
  SparseRows data(n, p);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < p; ++j) {
      if (random.uniform() < 0.05) {
        data.insert(i, j) = 1 + static_cast<double>(random.below(3));
      }
    }
  }
  data.makeCompressed();
  return data;
}

/// Few draws, no hops and a core of 2 K variables, so that the search alone falls short.
TEST(BipartAscent, NeverEndsBelowTheDeflationAnswersItBeginsWith) {
  const Json little = {{"draws", 1}, {"patience", 0}, {"core", 1}};
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    Random random(seed);
    const CovariancePointer covariance =
        seed % 2 == 0 ? make_covariance(sparse_counts(60, 90, random), {.centered = false})
                      : make_covariance(trial::random_matrix(20, 70, random), DataForm{});
    for (const std::vector<Index>& cardinality :
         {std::vector<Index>{6}, std::vector<Index>{5, 5, 5}, std::vector<Index>{3, 7, 1, 2}}) {
      SCOPED_TRACE(fmt::format("seed={} components={}", seed, cardinality.size()));
      const SolveOutcome joint = run("bipart-ascent", covariance, cardinality, little);
      EXPECT_EQ(find_infeasibility(joint.solution.components, covariance->variables(), cardinality,
                                   Supports::kDisjoint),
                "");
      for (const char* name : {"tpower", "spannogram-sweep"}) {
        const double deflated = total(*covariance, run(name, covariance, cardinality));
        // The two solvers round the eigenvector of a support differently.
        EXPECT_GE(total(*covariance, joint), deflated * (1 - kRounding)) << name;
      }
    }
  }
}

TEST(BipartAscent, NeverEndsBelowTheDeflationAnswersOfRealData) {
  const std::vector<std::pair<const char*, std::vector<Index>>> cases = {
      {"pitprops", {5, 4, 4}},
      {"wine", {4, 4, 3}},
      {"colon500", {10, 10, 10, 10}},
      {"kos", std::vector<Index>(8, 10)}};
  for (const auto& [name, cardinality] : cases) {
    SCOPED_TRACE(name);
    const DatasetEntry& entry = DatasetRegistry::instance().get(name, "");
    CovariancePointer covariance;
    try {
      covariance =
          entry.load(entry.complete_options(Json::object(), ""), {.data_dir = data_directory("")})
              .covariance;
    } catch (const MissingData&) {
      continue;  // pit props are always available
    }
    const double joint = total(*covariance, run("bipart-ascent", covariance, cardinality));
    for (const char* solver : {"tpower", "spannogram-sweep", "threshold"}) {
      EXPECT_GE(joint, total(*covariance, run(solver, covariance, cardinality)) * (1 - kRounding))
          << solver;
    }
  }
}

/// Variables of large variance that correlate with no other fill the core. Three variables of small
/// variance make the second component: they are outside the core and the span of one eigenvector.
TEST(BipartAscent, GrowsTheCoreIfThatPays) {
  constexpr Index kAlone = 15;
  Matrix matrix = Matrix::Zero(6 + kAlone, 6 + kAlone);
  matrix.diagonal().setConstant(1.5);
  matrix.topLeftCorner(3, 3).setConstant(3);
  matrix.bottomRightCorner(3, 3).setConstant(1);
  const auto covariance = make_explicit_covariance(matrix);
  const Json options = {{"starts", {"random"}}, {"rank", 1}, {"core", 1}};
  const SolveOutcome outcome = run("bipart-ascent", covariance, {3, 3}, options);
  EXPECT_NEAR(total(*covariance, outcome), 9 + 3, kSameValue);
  EXPECT_EQ(outcome.facts.at("core")[0], static_cast<double>(matrix.rows()));
}

/// One variable is outside the core. When it joins, the half of the new variables that has the
/// largest weights is empty.
TEST(BipartAscent, OneVariableMayBeOutsideTheCore) {
  const SolveOutcome outcome =
      run("bipart-ascent", random_covariance(9, 4, 5), {2, 2}, {{"core", 8}});
  EXPECT_EQ(outcome.solution.status, Status::kConverged) << outcome.solution.message;
  EXPECT_EQ(outcome.solution.components.size(), 2U);
}

TEST(JointSolvers, ThreadsAndRepetitionGiveTheSameBytes) {
  const auto covariance = make_covariance(trial::random_matrix(50, 80, 5), {});
  for (const char* name : {"bipart", "bipart-ascent"}) {
    const Json options =
        std::string(name) == "bipart" ? Json{{"draws", 500}} : Json{{"patience", 32}};
    const SolveOutcome one = run(name, covariance, {5, 4, 4}, options, 1);
    const SolveOutcome four = run(name, covariance, {5, 4, 4}, options, 4);
    ASSERT_EQ(one.solution.components.size(), 3U);
    for (std::size_t j = 0; j < 3; ++j) {
      EXPECT_EQ(one.solution.components[j].support, four.solution.components[j].support);
      EXPECT_EQ(one.solution.components[j].values, four.solution.components[j].values);
    }
    EXPECT_EQ(one.facts, four.facts);
    EXPECT_EQ(find_infeasibility(one.solution.components, 80, {5, 4, 4}, Supports::kDisjoint), "");
  }
}

/// Tests Theorem 3: a random sketch loses at most as much as its largest entry error allows, and
/// that error falls as 1 / sqrt(d).
TEST(Bipart, ARandomSketchKeepsTheorem3) {
  double few = 0;
  double many = 0;
  const int seeds = trial::tries(20);
  for (int seed = 0; seed < seeds; ++seed) {
    const auto covariance = random_covariance(8, 8, static_cast<std::uint64_t>(seed));
    const double optimum = brute_force(*covariance, {2, 2});
    for (const Index rank : {4, 64}) {
      const SolveOutcome outcome =
          run("bipart", covariance, {2, 2},
              {{"rank", rank}, {"sketch", "gaussian"}, {"score", "low-rank"}, {"draws", 3000}});
      const double entry = outcome.facts.at("sketch_entry_error")[0];
      const Matrix factor = sketch(*covariance, "gaussian", rank, 3).factor;
      Support all(8);
      std::iota(all.begin(), all.end(), 0);
      EXPECT_NEAR(entry,
                  (covariance->submatrix(all) - factor * factor.transpose()).cwiseAbs().maxCoeff(),
                  kSameValue * entry);
      EXPECT_EQ(outcome.facts.at("theorem_3_loss")[0], 2 * entry * 4);
      EXPECT_GE(total(*covariance, outcome), optimum - 2 * entry * 4);
      (rank == 4 ? few : many) += entry / covariance->diagonal().maxCoeff();
    }
  }
  // A quarter of `few` is expected, 1 / sqrt(64 / 4). Without the scale 1 / sqrt(d), `many` would
  // exceed `few`.
  EXPECT_LT(many, few / 2);
  EXPECT_LT(few / seeds, 2) << "in units of the largest variance";
}

/// Every sketch approximates S: on S of rank 3 a sketch of rank 3 equals S, and a random one of
/// rank 64 is near it.
TEST(Bipart, EverySketchFindsTheOptimumOfLowRank) {
  const auto seeds = static_cast<std::uint64_t>(trial::tries(10));
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    const auto covariance = random_covariance(9, 3, seed);
    const double optimum = brute_force(*covariance, {2, 2});
    for (const char* name : {"svd", "randomised-svd"}) {
      const SolveOutcome outcome =
          run("bipart", covariance, {2, 2},
              {{"sketch", name}, {"rank", 3}, {"score", "low-rank"}, {"draws", 3000}});
      EXPECT_NEAR(total(*covariance, outcome), optimum, kSameValue * optimum) << name << seed;
    }
    const SolveOutcome random =
        run("bipart", covariance, {2, 2},
            {{"sketch", "gaussian"}, {"rank", 64}, {"score", "low-rank"}, {"draws", 3000}});
    EXPECT_GE(total(*covariance, random), 0.8 * optimum) << seed;
  }
}

/// Algorithm 2's loadings are V_I c, which are scored on the sketch. On the supports of the answer
/// other loadings are better, both on the sketch and on S.
TEST(Bipart, PrintedLoadingsAreThoseOfTheDirections) {
  const auto covariance = decaying_covariance(30, 1, 4);
  const Matrix factor = low_rank_approximation(*covariance, 2).factor;
  const auto solved = [&](const char* score, Index draws) {
    return run("bipart", covariance, {6, 6}, {{"rank", 2}, {"draws", draws}, {"score", score}});
  };
  const auto on_sketch = [&](const SolveOutcome& outcome) {
    double sum = 0;
    for (const Component& v : outcome.solution.components) {
      sum += (factor(v.support, Eigen::all).transpose() * v.values).squaredNorm();
    }
    return sum;
  };
  double before = 0;
  for (const Index draws : {5, 50, 500}) {
    const SolveOutcome printed = solved("printed", draws);
    double best_on_supports = 0;
    double best_of_sketch = 0;
    for (const Component& v : printed.solution.components) {
      // The six loadings lie in the span of the two columns of V_I, because c has two entries.
      const Matrix span = orthonormal_basis(factor(v.support, Eigen::all), 0);
      EXPECT_LT((span * (span.transpose() * v.values) - v.values).norm(), kSameValue);
      best_on_supports += best_on_support(*covariance, v.support).value;
      best_of_sketch += low_rank_value(factor, v.support);
    }
    EXPECT_LT(total(*covariance, printed), best_on_supports);
    EXPECT_LT(on_sketch(printed), best_of_sketch);
    // More draws begin with the same ones, and line 8 of Algorithm 1 keeps the best.
    EXPECT_GE(on_sketch(printed), before);
    before = on_sketch(printed);
  }
  EXPECT_LE(before, solved("low-rank", 500).facts.at("low_rank_value")[0] * (1 + kSameValue));
}

/// Tests the best of N whole runs: it is never worse with more runs, and 64 runs find the optimum
/// more often than one run.
TEST(EmRuns, TheBestOfMoreRunsIsNoWorse) {
  int one_hits = 0;
  int many_hits = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto covariance = random_covariance(9, 9, seed);
    const double optimum = brute_force(*covariance, {2, 2});
    double before = 0;
    for (const Index runs : {1, 4, 64}) {
      const SolveOutcome outcome = run("em-runs", covariance, {2, 2}, {{"runs", runs}});
      const double value = total(*covariance, outcome);
      EXPECT_EQ(find_infeasibility(outcome.solution.components, 9, {2, 2}, Supports::kDisjoint),
                "");
      EXPECT_EQ(outcome.facts.at("runs")[0], static_cast<double>(runs));
      EXPECT_NEAR(outcome.facts.at("best_run")[0], value, kSameValue * value);
      EXPECT_LE(outcome.facts.at("worst_run")[0], value * (1 + kSameValue));
      EXPECT_GE(value, before);
      EXPECT_LE(value, optimum * (1 + kSameValue));
      before = value;
      const bool hit = value >= optimum * (1 - kSameValue);
      one_hits += runs == 1 && hit ? 1 : 0;
      many_hits += runs == 64 && hit ? 1 : 0;
    }
  }
  EXPECT_LT(one_hits, many_hits);
  EXPECT_GE(many_hits, 12);
}

/// If S has the rank of the sketch, the components are those that enumeration finds one after the
/// other.
TEST(SpanSpca, IsGreedyEnumerationOnLowRank) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto covariance = random_covariance(9, 3, seed);
    const double greedy = total(*covariance, run("exhaustive", covariance, {3, 2}));
    for (const char* sketch_of : {"remaining", "data"}) {
      const SolveOutcome outcome =
          run("span-spca", covariance, {3, 2},
              {{"rank", 3}, {"draws", 500}, {"sketch_of", sketch_of}, {"loadings", "low-rank"}});
      EXPECT_EQ(find_infeasibility(outcome.solution.components, 9, {3, 2}, Supports::kDisjoint),
                "");
      EXPECT_NEAR(total(*covariance, outcome), greedy, kSameValue * greedy) << seed << sketch_of;
    }
  }
}

/// The exact bounds, recomputed here, bound the variance that several components explain.
TEST(UpperBound, OfDisjointComponentsIsTheLeastOfThree) {
  const SolverEntry& solver = SolverRegistry::instance().get("bipart-ascent", "");
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto covariance = random_covariance(9, seed % 2 == 0 ? 9 : 2, seed);
    const std::vector<Index> cardinality = {2, 1, 3};
    const SolveOutcome outcome = run("bipart-ascent", covariance, cardinality, {{"patience", 8}});
    const Spectrum spectrum(*covariance);
    const double bound = upper_bound(solver, outcome.solution, cardinality, *covariance, spectrum);
    EXPECT_GE(bound * (1 + kSameValue), brute_force(*covariance, cardinality));
    double by_component = 0;
    for (const Index k : cardinality) {
      by_component += spectrum.cardinality_bound(k);
    }
    Vector variances = covariance->diagonal();
    std::sort(variances.begin(), variances.end(), std::greater<>());
    EXPECT_NEAR(
        bound, std::min({spectrum.leading(3).head(3).sum(), by_component, variances.head(6).sum()}),
        kSameValue * bound);
  }
}

/// Overlapping loadings that are not orthogonal may explain more than the bounds for their
/// cardinalities: only lambda_1 + lambda_2 bounds them.
TEST(UpperBound, OfOverlappingSupportsIsKyFans) {
  const auto covariance = random_covariance(9, 9, 4);
  const SolverEntry& solver = SolverRegistry::instance().get("tpower", "");
  const Spectrum spectrum(*covariance);
  Solution solution;
  solution.status = Status::kConverged;
  solution.components = {{.support = {0}, .values = Vector::Ones(1)},
                         {.support = {0, 1}, .values = Vector::Constant(2, std::sqrt(0.5))}};
  EXPECT_EQ(upper_bound(solver, solution, {1, 2}, *covariance, spectrum),
            spectrum.leading(2).head(2).sum());
}

TEST(JointSolvers, EdgesOfTheInput) {
  struct Case {
    const char* name;
    CovariancePointer covariance;
    std::vector<Index> cardinality;
    bool has_answer;
  };
  Matrix few = Matrix::Zero(6, 6);
  few(1, 1) = 2;
  few(4, 4) = 1;
  const std::vector<Case> cases = {
      {"more places than variables", random_covariance(5, 5, 1), {3, 3}, true},
      {"no variance", make_explicit_covariance(Matrix::Zero(4, 4)), {1, 1}, false},
      {"fewer variables with variance than places", make_explicit_covariance(few), {2, 2}, true},
      {"fewer variables with variance than components",
       make_explicit_covariance(few),
       {1, 1, 1},
       true},
      {"as many places as variables", random_covariance(6, 6, 2), {2, 3, 1}, true},
      {"one variable each", random_covariance(6, 6, 3), {1, 1, 1}, true},
      {"all entries equal", make_explicit_covariance(Matrix::Ones(6, 6)), {2, 2}, true},
      {"two variables", random_covariance(2, 2, 4), {1, 1}, true},
  };
  for (const Case& given : cases) {
    for (const char* name : {"bipart", "bipart-ascent", "exhaustive-disjoint"}) {
      SCOPED_TRACE(std::string(given.name) + ", " + name);
      const SolveOutcome outcome = run(name, given.covariance, given.cardinality);
      if (!given.has_answer) {
        EXPECT_EQ(outcome.solution.status, Status::kSkipped);
        EXPECT_FALSE(outcome.solution.message.empty());
        continue;
      }
      ASSERT_EQ(outcome.solution.status, Status::kConverged) << outcome.solution.message;
      EXPECT_EQ(find_infeasibility(outcome.solution.components, given.covariance->variables(),
                                   given.cardinality, Supports::kDisjoint),
                "");
      const double optimum = brute_force(*given.covariance, given.cardinality);
      EXPECT_NEAR(total(*given.covariance, outcome), optimum, kSameValue * optimum);
    }
  }
}

/// Supports may have fewer variables than k_j.
TEST(JointSolvers, MorePlacesThanVariablesAreFeasibleAndSolved) {
  constexpr Index kMost = 7;
  for (std::uint64_t seed = 0; seed < trial::tries(40); ++seed) {
    Random random(seed);
    const auto below = [&](Index n) {
      return static_cast<Index>(random.below(static_cast<std::uint64_t>(n)));
    };
    const Index p = 2 + below(kMost - 1);
    const Index r = 2 + below(std::min<Index>(p, 3) - 1);
    std::vector<Index> cardinality;
    for (Index j = 0; j < r; ++j) {
      cardinality.push_back(j == 0 ? p : 1 + below(p));  // the first alone leaves nothing
    }
    Matrix data = trial::random_matrix(1 + below(p), p, seed);
    if (seed % 3 == 0) {
      data.col(below(p)).setZero();
    }
    const auto covariance = make_explicit_covariance(data.transpose() * data);
    const double optimum = brute_force(*covariance, cardinality);
    const Spectrum spectrum(*covariance);
    for (const char* name :
         {"bipart", "bipart-ascent", "em-runs", "exhaustive-disjoint", "span-spca"}) {
      SCOPED_TRACE(fmt::format("{}, seed {}", name, seed));
      const SolveOutcome outcome = run(name, covariance, cardinality);
      ASSERT_EQ(outcome.solution.status, Status::kConverged) << outcome.solution.message;
      EXPECT_EQ(
          find_infeasibility(outcome.solution.components, p, cardinality, Supports::kDisjoint), "");
      EXPECT_LE(total(*covariance, outcome), optimum * (1 + kSameValue));
      const SolverEntry& solver = SolverRegistry::instance().get(name, "");
      EXPECT_GE(upper_bound(solver, outcome.solution, cardinality, *covariance, spectrum),
                optimum * (1 - kSameValue));
      if (solver.traits.exact) {
        EXPECT_NEAR(total(*covariance, outcome), optimum, kSameValue * optimum);
      }
    }
  }
}

TEST(JointSolvers, MoreComponentsThanVariablesAreRefused) {
  EXPECT_THROW(run("bipart-ascent", random_covariance(2, 2, 1), {1, 1, 1}), InputError);
}

/// The deflated S may have fewer variables of positive weight than a support needs. Removed
/// variables, whose indices are low here, would then win the ties at weight zero.
TEST(SpanSpca, AVariableThatHasLeftFillsNoPlace) {
  Matrix matrix = Matrix::Zero(6, 6);
  matrix.diagonal() << 2, 0, 2, 1, 1, 1;
  const auto covariance = make_explicit_covariance(matrix);
  const SolveOutcome outcome = run("span-spca", covariance, {2, 2, 2});
  ASSERT_EQ(outcome.solution.status, Status::kConverged) << outcome.solution.message;
  EXPECT_EQ(find_infeasibility(outcome.solution.components, 6, {2, 2, 2}, Supports::kDisjoint), "");
}

/// Without the first variable, S has no positive eigenvalue.
TEST(SpanSpca, ASketchMayHaveNoDirection) {
  Matrix matrix(2, 2);
  matrix << 2, -1, -1, 0.5;
  const CovariancePointer left =
      DeflationRegistry::instance()
          .get("hotelling", "")
          .deflate(make_explicit_covariance(matrix), {.support = {1}, .values = Vector::Ones(1)});
  const SolveOutcome outcome = run("span-spca", left, {1, 1});
  ASSERT_EQ(outcome.solution.status, Status::kConverged) << outcome.solution.message;
  EXPECT_EQ(find_infeasibility(outcome.solution.components, 2, {1, 1}, Supports::kDisjoint), "");
}

TEST(JointSolvers, TimeMayRunOutAtAnyStep) {
  const auto covariance = make_covariance(trial::random_matrix(40, 60, 8), {});
  for (const char* name :
       {"bipart", "bipart-ascent", "exhaustive-disjoint", "em-runs", "span-spca"}) {
    for (const double seconds : {0.0, 1e-5, 1e-3, 1e-2}) {
      const SolveOutcome outcome = run(name, covariance, {3, 3, 3}, Json::object(), 1, seconds);
      ASSERT_FALSE(outcome.solution.components.empty()) << name;
      // Time may have ended before the later components.
      EXPECT_EQ(
          find_infeasibility(outcome.solution.components, 60,
                             binding_cardinality(outcome.solution, {3, 3, 3}), Supports::kDisjoint),
          "");
    }
  }
}

TEST(Bipart, AnUnaffordableNetIsSkippedWithItsSize) {
  const auto covariance = random_covariance(20, 20, 1);
  const SolveOutcome outcome =
      run("bipart", covariance, {2, 2, 2, 2}, {{"directions", "net"}, {"epsilon", 0.1}});
  EXPECT_EQ(outcome.solution.status, Status::kSkipped);
  EXPECT_NE(outcome.solution.message.find("largest_net"), std::string::npos);
}

/// Two directions of six points each: 21 ascending pairs, of the 36 that unequal cardinalities
/// need.
TEST(Bipart, TheSizeOfANetIsTheNumberOfChoicesThatAreTried) {
  const auto covariance = random_covariance(8, 8, 1);
  const auto net = [&](const std::vector<Index>& cardinality, Index largest) {
    return run("bipart", covariance, cardinality,
               {{"directions", "net"}, {"rank", 2}, {"epsilon", 0.7}, {"largest_net", largest}});
  };
  EXPECT_EQ(net({2, 2}, 20).solution.status, Status::kSkipped);
  EXPECT_EQ(net({2, 2}, 21).facts.at("candidates")[0], 21);
  EXPECT_EQ(net({3, 2}, 35).solution.status, Status::kSkipped);
  EXPECT_EQ(net({3, 2}, 36).facts.at("candidates")[0], 36);
}

}  // namespace
}  // namespace spca::bipart_test
