/// Tests the penalty solvers against the conditions that their fixed points satisfy.

#include <cmath>

#include "spca/base/error.h"
#include "spca/covariance/covariance_dense.h"
#include "spca/covariance/covariance_explicit.h"
#include "spca/covariance/covariance_sparse.h"
#include "spca/data/dataset.h"
#include "spca/dense/dense_decompositions.h"
#include "spca/solving/feasibility.h"
#include "spca/solving/solve.h"
#include "spca/spectrum/eigenpairs.h"
#include "spca/spectrum/remaining_variance.h"
#include "tests/solver_testing.h"

namespace spca::penalty_solvers_test {
namespace {

using namespace trial;

struct PenaltyCase {
  const char* name;
  const char* option;
  double dense;   // the value that cuts nothing
  double sparse;  // a value that cuts some variables of random_data
  Index components;
};
const PenaltyCase kPenaltyCases[] = {
    {"gpower-l0", "penalty", 0, 0.03, 1},
    {"gpower-l1", "penalty", 0, 0.3, 1},
    {"gpower-block-l0", "penalty", 0, 0.03, 3},
    {"gpower-block-l1", "penalty", 0, 0.3, 3},
    {"rsvd", "penalty", 0, 0.4, 1},
    {"pmd", "bound", 1, 0.4, 1},
    {"spca-l1", "penalty", 0, 0.4, 3},
    {"dc-pca", "penalty", 0, 0.2, 1},
    {"scotlass", "bound", 1, 0.4, 1},
};

TEST(PenaltySolvers, AscendTheirObjective) {
  for (const PenaltyCase& c : kPenaltyCases) {
    std::size_t steps = 0;
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      Budget budget({.trace = true});
      const auto covariance = as_covariance(random_data(10, 25, seed));
      run(c.name, *covariance, {{c.option, c.sparse}, {"tolerance", kTightTolerance}}, c.components,
          budget);
      const auto& trace = budget.trace();
      for (std::size_t i = 1; i < trace.size(); ++i) {
        const double before = trace[i - 1].objective;
        EXPECT_GE(trace[i].objective, before - kRounding * std::abs(before)) << c.name;
        ++steps;
      }
    }
    EXPECT_GE(steps, 20U) << c.name << ": too few steps to show anything";
  }
}

TEST(PenaltySolvers, WithoutAPenaltyFindPrincipalComponents) {
  const auto covariance = as_covariance(random_data(40, 8, 9));
  const Eigenpairs pairs = leading_eigenpairs(*covariance, 3);
  for (const PenaltyCase& c : kPenaltyCases) {
    const auto found = loadings(
        c.name, *covariance,
        {{c.option, c.dense}, {"tolerance", kTightTolerance}, {"refit", false}}, c.components);
    for (Index j = 0; j < c.components; ++j) {
      SCOPED_TRACE(c.name);
      expect_parallel(to_dense(found.at(static_cast<std::size_t>(j)), 8), pairs.vectors.col(j),
                      10 * kFixedPoint);
    }
  }
}

TEST(PenaltySolvers, RefitIsTheBestUnitVectorOnTheSameSupport) {
  const auto covariance = as_covariance(random_data(12, 30, 4));
  for (const PenaltyCase& c : kPenaltyCases) {
    const Json plain = {{c.option, c.sparse}, {"refit", false}};
    const Json refit = {{c.option, c.sparse}};
    const auto before = loadings(c.name, *covariance, plain, c.components);
    const auto after = loadings(c.name, *covariance, refit, c.components);
    for (std::size_t j = 0; j < before.size(); ++j) {
      SCOPED_TRACE(c.name);
      ASSERT_FALSE(before[j].support.empty());
      EXPECT_LT(before[j].cardinality(), 30);
      EXPECT_EQ(before[j].support, after[j].support);
      const Vector values = symmetric_eigenvalues(covariance->submatrix(before[j].support));
      EXPECT_NEAR(covariance->quadratic_form(after[j]), values.maxCoeff(),
                  kRounding * covariance->total_variance());
    }
  }
}

TEST(PenaltySolvers, APenaltyThatCutsEverythingLeavesAnEmptyComponent) {
  const auto covariance = as_covariance(random_data(12, 30, 4));
  for (const PenaltyCase& c : kPenaltyCases) {
    if (std::string(c.option) == "penalty") {
      for (const Component& component :
           loadings(c.name, *covariance, {{"penalty", 1.0}}, c.components)) {
        EXPECT_TRUE(component.support.empty()) << c.name;
      }
    }
  }
}

TEST(PenaltySolvers, TakeOnePenaltyForAllOrOneForEachComponent) {
  const auto covariance = as_covariance(random_data(12, 30, 4));
  for (const PenaltyCase& c : kPenaltyCases) {
    if (c.components == 1) {
      continue;
    }
    SCOPED_TRACE(c.name);
    const auto found = [&](const Json& penalty) {
      return loadings(c.name, *covariance, {{"penalty", penalty}}, c.components);
    };
    const auto one = found(c.sparse);
    const auto each = found(Json::array({c.sparse, c.sparse, c.sparse}));
    for (std::size_t j = 0; j < one.size(); ++j) {
      EXPECT_EQ(one[j].support, each[j].support);
      EXPECT_EQ(one[j].values, each[j].values);
    }
    const auto last_cut = found(Json::array({c.sparse, c.sparse, 1.0}));
    EXPECT_FALSE(last_cut[0].support.empty());
    EXPECT_FALSE(last_cut[1].support.empty());
    EXPECT_TRUE(last_cut[2].support.empty());
    try {
      found(Json::array({c.sparse, c.sparse}));
      FAIL() << "nothing was thrown";
    } catch (const InputError& error) {
      EXPECT_STREQ(error.what(),
                   "/options/penalty: 2 numbers for 3 components; accepted: one for all or 3");
    }
  }
}

SolveOutcome tuned_on_pitprops(const std::string& solver, std::vector<Index> cardinality) {
  const DatasetEntry& pitprops = DatasetRegistry::instance().get("pitprops", "data set");
  const Dataset dataset = pitprops.load(pitprops.complete_options(Json::object(), "/options"),
                                        {.data_dir = {}, .seed = 1});
  SolveRequest request;
  request.covariance = dataset.covariance;
  request.solver = &SolverRegistry::instance().get(solver, "solver");
  request.options = request.solver->complete_options(Json::object(), "/options");
  request.components = std::ssize(cardinality);
  request.cardinality = std::move(cardinality);
  return solve(request);
}

std::vector<Index> cardinalities(const SolveOutcome& outcome) {
  std::vector<Index> found;
  for (const Component& component : outcome.solution.components) {
    found.push_back(component.cardinality());
  }
  return found;
}

TEST(PenaltySolvers, MeetUnequalCardinalitiesOfSixComponentsAtOnce) {
  const std::vector<Index> wanted = {7, 2, 1, 1, 1, 1};
  for (const char* name : {"gpower-block-l0", "gpower-block-l1", "spca-l1"}) {
    SCOPED_TRACE(name);
    const SolveOutcome outcome = tuned_on_pitprops(name, wanted);
    ASSERT_EQ(outcome.solution.status, Status::kConverged) << outcome.solution.message;
    EXPECT_EQ(cardinalities(outcome), wanted);
    EXPECT_FALSE(outcome.cardinality_missed);
  }
}

TEST(PenaltySolvers, SayWhereACardinalityOfSeveralComponentsIsMissed) {
  const std::vector<Index> wanted = {3, 3, 3};
  for (const char* name : {"gpower-block-l0", "gpower-block-l1", "spca-l1"}) {
    SCOPED_TRACE(name);
    const SolveOutcome outcome = tuned_on_pitprops(name, wanted);
    ASSERT_EQ(outcome.solution.status, Status::kConverged) << outcome.solution.message;
    EXPECT_EQ(find_infeasibility(outcome.solution.components, 13, wanted, Supports::kAny), "");
    EXPECT_EQ(outcome.cardinality_missed, cardinalities(outcome) != wanted);
  }
  for (const char* name : {"gpower-block-l1", "spca-l1"}) {
    EXPECT_FALSE(tuned_on_pitprops(name, wanted).cardinality_missed) << name;
  }
}

TEST(PenaltySolvers, AreSkippedWithAMessageWhereNothingVaries) {
  const auto covariance = make_explicit_covariance(Matrix::Zero(4, 4));
  for (const PenaltyCase& c : kPenaltyCases) {
    Budget budget;
    const Solution solution = run(c.name, *covariance, Json::object(), c.components, budget);
    EXPECT_EQ(solution.status, Status::kSkipped) << c.name;
    EXPECT_EQ(solution.message, kNoVariance) << c.name;
  }
}

TEST(Pmd, StaysWithinItsBoundAndIsAFixedPoint) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const auto covariance = as_covariance(random_data(10, 25, seed));
    for (const double fraction : {0.0, 0.2, 0.5, 0.9}) {
      const double bound = 1 + fraction * (5 - 1);  // sqrt(25) = 5
      const Vector v =
          to_dense(loadings("pmd", *covariance,
                            {{"bound", fraction}, {"tolerance", kTightTolerance}, {"refit", false}})
                       .at(0),
                   25);
      EXPECT_LE(v.lpNorm<1>(), bound + kRounding * bound);
      Vector product;
      covariance->multiply(v, product);
      expect_parallel(v, unit_within_l1_ball(product, bound), 10 * kFixedPoint);
    }
  }
}

/// Returns S of twelve variables whose correlations are 0.5 up to the relative `noise`, and
/// `others` that correlate less: twelve loadings of the leading eigenvector are nearly equal.
std::shared_ptr<const Covariance> near_ties(double noise, Index others, std::uint64_t seed) {
  constexpr Index kEqual = 12;
  Random random(seed);
  const Index p = kEqual + others;
  Matrix s = Matrix::Constant(p, p, 0.05);
  s.topLeftCorner(kEqual, kEqual).setConstant(0.5);
  s.diagonal().setOnes();
  for (Index i = 0; i < p; ++i) {
    for (Index j = 0; j < i; ++j) {
      s(i, j) *= 1 + noise * random.normal();
      s(j, i) = s(i, j);
    }
  }
  return make_explicit_covariance(s);
}

TEST(Pmd, HasAnAnswerAtEveryBoundWhereLoadingsAreNearlyEqual) {
  for (const double noise : {0.0, 1e-16, 1e-15, 1e-13, 1e-10}) {
    for (const Index others : {0, 5, 30}) {
      for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        const auto covariance = near_ties(noise, others, seed);
        for (int percent = 0; percent <= 100; ++percent) {
          const Component found =
              loadings("pmd", *covariance, {{"bound", 0.01 * percent}, {"refit", false}}).at(0);
          ASSERT_NEAR(found.values.norm(), 1, kRounding)
              << noise << " " << others << " " << percent;
        }
      }
    }
  }
}

TEST(Pmd, MeetsEveryCardinalityWhereLoadingsAreNearlyEqual) {
  for (const double noise : {0.0, 1e-16, 1e-15}) {
    for (const Index others : {0, 5, 30}) {
      SolveRequest request;
      request.covariance = near_ties(noise, others, 1);
      request.solver = &SolverRegistry::instance().get("pmd", "solver");
      request.options = request.solver->complete_options({{"truncate", false}}, "/options");
      for (Index k = 2; k <= 12; ++k) {
        request.cardinality = {k};
        const SolveOutcome outcome = solve(request);
        ASSERT_EQ(outcome.solution.status, Status::kConverged) << outcome.solution.message;
        EXPECT_EQ(outcome.solution.components[0].cardinality(), k) << noise << " " << others;
        // Any k of the twelve are best: 1 + 0.5 (k - 1).
        EXPECT_NEAR(request.covariance->quadratic_form(outcome.solution.components[0]),
                    1 + 0.5 * static_cast<double>(k - 1), 1e-9);
      }
    }
  }
}

/// Here some cardinalities belong to no penalty: several variables enter at once.
TEST(PenaltySolvers, SLOW_HaveAnAnswerOfEveryCardinalityOnACorrelationMatrix) {
  Random random(5);
  const Matrix factors = Matrix::NullaryExpr(24, 3, [&](Index, Index) { return random.normal(); });
  Matrix s = factors * factors.transpose() + 0.2 * Matrix::Identity(24, 24);
  const Vector deviations = s.diagonal().cwiseSqrt();
  s = deviations.cwiseInverse().asDiagonal() * s * deviations.cwiseInverse().asDiagonal();
  SolveRequest request;
  request.covariance = make_explicit_covariance(s);
  for (const auto& [name, solver] : SolverRegistry::instance().entries()) {
    if (solver.traits.rule != SparsityRule::kPenalty) {
      continue;
    }
    request.solver = &solver;
    request.options = solver.complete_options(Json::object(), "/options");
    for (const Index k : kSanitized ? std::vector<Index>{5} : std::vector<Index>{2, 5, 9, 14, 20}) {
      SCOPED_TRACE(fmt::format("{} {}", name, k));
      request.cardinality = {k};
      const SolveOutcome outcome = solve(request);
      ASSERT_TRUE(is_usable(outcome.solution.status)) << outcome.solution.message;
      EXPECT_EQ(find_infeasibility(outcome.solution.components, 24, {k}, Supports::kAny), "");
      EXPECT_EQ(outcome.cardinality_missed, cardinalities(outcome).at(0) != k);
      EXPECT_EQ(outcome.truncated, outcome.solution.message.starts_with("truncated from "));
      // The answer explains at least as much as the one without `truncate`.
      SolveRequest plain = request;
      plain.options["truncate"] = false;
      const SolveOutcome without = solve(plain);
      if (!without.solution.components.empty() && without.cardinality_missed) {
        EXPECT_GE(
            24 * kRounding + request.covariance->quadratic_form(outcome.solution.components[0]),
            request.covariance->quadratic_form(without.solution.components[0]));
      }
    }
  }
}

TEST(PenaltySolvers, DoNotConvergeWithoutTime) {
  for (const auto& [name, solver] : SolverRegistry::instance().entries()) {
    if (solver.traits.rule != SparsityRule::kPenalty) {
      continue;
    }
    SolveRequest request;
    request.covariance = as_covariance(random_data(40, 20, 3));
    request.solver = &solver;
    request.options = solver.complete_options(Json::object(), "/options");
    request.cardinality = {5};
    request.seconds = 1e-9;
    EXPECT_EQ(solve(request).solution.status, Status::kTimeLimit) << name;
  }
}

TEST(Rsvd, IsAFixedPointOfItsThreshold) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const auto covariance = as_covariance(random_data(10, 25, seed));
    const Eigenpairs pair = leading_eigenpairs(*covariance, 1);
    const double level = 0.3 * std::sqrt(pair.values[0]) * pair.vectors.cwiseAbs().maxCoeff();
    for (const char* threshold : {"soft", "hard"}) {
      const Vector v = to_dense(loadings("rsvd", *covariance,
                                         {{"penalty", 0.3},
                                          {"threshold", threshold},
                                          {"tolerance", kTightTolerance},
                                          {"refit", false}})
                                    .at(0),
                                25);
      Vector product;
      covariance->multiply(v, product);
      const Vector w = product / std::sqrt(v.dot(product));
      expect_parallel(v, thresholded(w, threshold == std::string("soft"), level).normalized(),
                      10 * kFixedPoint);
    }
  }
}

/// With one component A = Sb / ||Sb||; b = tv satisfies the optimality conditions of its elastic
/// net for some length t.
TEST(SpcaL1, SolvesItsElasticNetAndItsProcrustesProblem) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const auto covariance = as_covariance(random_data(seed % 2 == 0 ? 10 : 60, 25, seed));
    const Eigenpairs pair = leading_eigenpairs(*covariance, 1);
    const double level = 0.3 * pair.values[0] * pair.vectors.cwiseAbs().maxCoeff();
    for (const bool thresholding : {true, false}) {
      const double ridge = 0.2 * covariance->diagonal().maxCoeff();
      const Component found = loadings("spca-l1", *covariance,
                                       {{"penalty", 0.3},
                                        {"ridge", 0.2},
                                        {"thresholding", thresholding},
                                        {"tolerance", kTightTolerance},
                                        {"refit", false}})
                                  .at(0);
      const Vector v = to_dense(found, 25);
      Vector product;
      covariance->multiply(v, product);
      Vector target;
      covariance->multiply(Vector(product.normalized()), target);
      const Vector curved = thresholding ? v : Vector(product + ridge * v);
      // v'(Sa - t curved) = level ||v||_1 gives the length t.
      const double t = (v.dot(target) - level * v.lpNorm<1>()) / v.dot(curved);
      ASSERT_GT(t, 0);
      const Vector residual = target - t * curved;
      for (Index i = 0; i < 25; ++i) {
        if (v[i] != 0) {
          EXPECT_NEAR(residual[i], std::copysign(level, v[i]), 100 * kFixedPoint * level);
        } else {
          EXPECT_LE(std::abs(residual[i]), level * (1 + 100 * kFixedPoint));
        }
      }
    }
  }
}

/// At a penalty where the support changes, rounding decides, so the search must keep away from it.
/// Three forms of one S differ by rounding alone, and the fourth by a power of two.
TEST(PenaltySolvers, AreTunedToTheSameSupportsInEveryFormOfTheData) {
  constexpr Index kSearched = 3;
  constexpr std::uint64_t kProblems = 40;
  const double kScale = std::ldexp(1.0, -27);
  for (const char* name : {"gpower-l0", "gpower-l1", "gpower-block-l0", "gpower-block-l1"}) {
    const SolverEntry& solver = SolverRegistry::instance().get(name, "solver");
    for (std::uint64_t seed = 1; seed <= kProblems; ++seed) {
      const Matrix x = random_data(12, 7, seed);
      const auto support = [&](std::shared_ptr<const Covariance> covariance) {
        SolveRequest request{.covariance = std::move(covariance),
                             .solver = &solver,
                             .options = solver.complete_options(Json::object(), ""),
                             .cardinality = {kSearched}};
        const SolveOutcome outcome = solve(request);
        return outcome.solution.components.empty() ? Support()
                                                   : outcome.solution.components[0].support;
      };
      const Support expected = support(as_covariance(x));
      EXPECT_EQ(support(make_explicit_covariance(x.transpose() * x)), expected) << name << seed;
      EXPECT_EQ(support(make_covariance(SparseRows(x.sparseView()),
                                        {.centered = false, .scale = Scale::kNone})),
                expected)
          << name << seed;
      EXPECT_EQ(support(as_covariance(kScale * x)), expected) << name << seed;
    }
  }
}

}  // namespace
}  // namespace spca::penalty_solvers_test
