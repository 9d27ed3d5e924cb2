#include "spca/solving/solve.h"
#include "spca/covariance/covariance_explicit.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <thread>

#include "spca/base/error.h"
#include "spca/dense/sparsify.h"
#include "spca/solving/feasibility.h"
#include "spca/solving/upper_bound.h"
#include "spca/spectrum/eigenpairs.h"

namespace spca::solve_test {
namespace {

/// A penalty solver whose cardinalities are known: it keeps the variances above `penalty` times the
/// largest.
struct KeepOptions {
  double penalty = 0.5;
  void describe(OptionVisitor& visit) {
    visit("penalty", penalty, "share of the largest variance", between(0, 1));
  }
};

Solution solve_keep(const Problem& problem, const KeepOptions& options, Budget& budget) {
  const Vector& variances = problem.covariance.diagonal();
  Vector kept = hard_threshold(variances, options.penalty * variances.maxCoeff());
  budget.next();
  return make_solution({normalized(from_dense(kept))}, budget);
}

SolverEntry keep_solver() {
  return make_solver_entry("keep", __FILE__, solve_keep,
                           {.rule = SparsityRule::kPenalty,
                            .tuning = {.option = "penalty", .minimum = 0, .maximum = 1}});
}

/// The options of "keep" for several components. The variables form equal blocks, one for each
/// component, and component j comes from block j.
struct KeepBlocksOptions {
  std::vector<double> penalty = {0.5};
  void describe(OptionVisitor& visit) {
    visit("penalty", penalty, "share of the largest variance of the block", between(0, 1));
  }
};

Solution solve_keep_blocks(const Problem& problem, const KeepBlocksOptions& options,
                           Budget& budget) {
  const auto penalty = one_for_each(options.penalty, problem.components, "/options/penalty");
  const Vector& variances = problem.covariance.diagonal();
  const Index size = variances.size() / problem.components;
  std::vector<Component> components;
  for (Index j = 0; j < problem.components; ++j) {
    Vector kept = Vector::Zero(variances.size());
    const auto block = variances.segment(j * size, size);
    kept.segment(j * size, size) =
        hard_threshold(block, penalty[static_cast<std::size_t>(j)] * block.maxCoeff());
    components.push_back(normalized(from_dense(kept)));
  }
  budget.next();
  return make_solution(std::move(components), budget);
}

SolverEntry block_solver() {
  return make_solver_entry("keep-blocks", __FILE__, solve_keep_blocks,
                           {.rule = SparsityRule::kPenalty,
                            .multiple_components = true,
                            .tuning = {.option = "penalty", .minimum = 0, .maximum = 1}});
}

/// A cardinality solver that keeps the largest variances, and a solver that breaks down.
Solution solve_variances(const Problem& problem, const NoOptions&, Budget& budget) {
  const Vector& variances = problem.covariance.diagonal();
  return make_solution(
      {normalized(restrict_to(variances, top_k(variances, problem.cardinality[0])))}, budget);
}

Solution solve_breakdown(const Problem&, const NoOptions&, Budget&) {
  throw NumericalError("no convergence");
}

std::shared_ptr<const Covariance> diagonal_covariance(const Vector& variances) {
  return make_explicit_covariance(variances.asDiagonal());
}

const Vector kVariances = (Vector(6) << 9, 8, 8, 4, 3, 1).finished();

SolveRequest request_of(const SolverEntry& solver) {
  SolveRequest request;
  request.covariance = diagonal_covariance(kVariances);
  request.solver = &solver;
  request.options = solver.complete_options(Json::object(), "");
  return request;
}

TEST(Tuning, MeetsACardinalityThatCanBeMet) {
  const SolverEntry solver = keep_solver();
  SolveRequest request = request_of(solver);
  request.cardinality = {4};
  const SolveOutcome outcome = solve(request);
  ASSERT_EQ(outcome.solution.status, Status::kConverged) << outcome.solution.message;
  EXPECT_EQ(outcome.solution.components[0].support, (Support{0, 1, 2, 3}));
  EXPECT_TRUE(outcome.tuned);
  EXPECT_FALSE(outcome.cardinality_missed);
  const double penalty = outcome.options["penalty"].get<double>();
  EXPECT_GE(penalty, 3.0 / 9);
  EXPECT_LT(penalty, 4.0 / 9);
}

TEST(Tuning, TakesTheNearestFromBelowAndSaysSo) {
  const SolverEntry solver = keep_solver();
  SolveRequest request = request_of(solver);
  request.options["truncate"] = false;
  request.cardinality = {2};  // the equal second and third variances come and go together
  const SolveOutcome outcome = solve(request);
  ASSERT_EQ(outcome.solution.status, Status::kConverged) << outcome.solution.message;
  EXPECT_EQ(outcome.solution.components[0].support, (Support{0}));
  EXPECT_TRUE(outcome.cardinality_missed);
}

TEST(Tuning, KeepsTheAnswerFromBelowIfTruncationExplainsNoMore) {
  const SolverEntry solver = keep_solver();
  SolveRequest request = request_of(solver);  // truncate is true by default
  request.cardinality = {2};                  // of three, 9 and 8 would be kept: no more than 9
  const SolveOutcome outcome = solve(request);
  ASSERT_EQ(outcome.solution.status, Status::kConverged) << outcome.solution.message;
  EXPECT_EQ(outcome.solution.components[0].support, (Support{0}));
  EXPECT_FALSE(outcome.truncated);
  EXPECT_TRUE(outcome.cardinality_missed);
}

TEST(Tuning, TakesTheTruncatedAnswerThatExplainsMore) {
  const SolverEntry solver = keep_solver();
  SolveRequest request = request_of(solver);
  Matrix s = kVariances.asDiagonal();
  s(0, 1) = s(1, 0) = 5;
  request.covariance = make_explicit_covariance(s);
  request.cardinality = {2};
  const SolveOutcome outcome = solve(request);
  ASSERT_EQ(outcome.solution.status, Status::kConverged) << outcome.solution.message;
  EXPECT_EQ(outcome.solution.components[0].support, (Support{0, 1}));
  // The leading eigenvector of [9 5; 5 8], not the loadings that the solver gave.
  EXPECT_NEAR(request.covariance->quadratic_form(outcome.solution.components[0]),
              8.5 + std::sqrt(25.25), 1e-12);
  EXPECT_TRUE(outcome.truncated);
  EXPECT_FALSE(outcome.cardinality_missed);
  EXPECT_EQ(outcome.solution.message, "truncated from 3 to 2 nonzeros");
  EXPECT_LT(outcome.options["penalty"].get<double>(), 8.0 / 9);
  request.options["truncate"] = false;
  const SolveOutcome plain = solve(request);
  EXPECT_EQ(plain.solution.components[0].support, (Support{0}));
  EXPECT_FALSE(plain.truncated);
  EXPECT_TRUE(plain.cardinality_missed);
  EXPECT_EQ(plain.solution.message, "");
}

TEST(Tuning, TruncatesEachComponent) {
  const SolverEntry solver = block_solver();
  SolveRequest request = request_of(solver);
  Matrix s = Vector::Constant(6, 2).asDiagonal();  // each block is kept whole or not at all
  for (const Index j : {0, 3}) {
    s.block(j, j, 3, 3).array() += 1;
  }
  request.covariance = make_explicit_covariance(s);
  request.components = 2;
  request.cardinality = {1, 2};
  const SolveOutcome outcome = solve(request);
  ASSERT_EQ(outcome.solution.status, Status::kConverged) << outcome.solution.message;
  EXPECT_EQ(outcome.solution.components[0].support, (Support{0}));
  EXPECT_EQ(outcome.solution.components[1].support, (Support{3, 4}));
  EXPECT_TRUE(outcome.truncated);
  EXPECT_FALSE(outcome.cardinality_missed);
  request.options["truncate"] = false;
  EXPECT_EQ(solve(request).solution.status, Status::kNumericalFailure);
}

/// Two or all six variables, as the penalty says, but four between 0.2 and 0.25: the bisection of
/// the whole range finds the crossing at 0.6 only.
struct JumpOptions {
  double penalty = 0.5;
  void describe(OptionVisitor& visit) {
    visit("penalty", penalty, "the larger, the fewer", between(0, 1));
  }
};

Solution solve_jump(const Problem& problem, const JumpOptions& options, Budget& budget) {
  const bool is_hidden = options.penalty > 0.1 && options.penalty < 0.3;
  const Index k = is_hidden ? (options.penalty > 0.2 && options.penalty < 0.25 ? 4 : 2)
                  : options.penalty > 0.6 ? 2
                                          : 6;
  budget.next();
  const Vector& variances = problem.covariance.diagonal();
  return make_solution({normalized(restrict_to(variances, top_k(variances, k)))}, budget);
}

TEST(Tuning, TriesOtherCrossings) {
  const SolverEntry solver =
      make_solver_entry("jump", __FILE__, solve_jump,
                        {.rule = SparsityRule::kPenalty,
                         .tuning = {.option = "penalty", .minimum = 0, .maximum = 1}});
  SolveRequest request = request_of(solver);
  request.cardinality = {4};
  const SolveOutcome outcome = solve(request);
  EXPECT_EQ(outcome.solution.components[0].cardinality(), 4);
  EXPECT_FALSE(outcome.truncated);
  EXPECT_FALSE(outcome.cardinality_missed);
  request.options["truncate"] = false;
  EXPECT_TRUE(solve(request).cardinality_missed);
}

/// Like "keep", but the time is up at some of its calls.
struct LateOptions {
  double penalty = 0.5;
  Index late_at = 3;  // halvings in time: one leads to 0.5, two to 0.25 or 0.75, ...
  void describe(OptionVisitor& visit) {
    visit("penalty", penalty, "share of the largest variance", between(0, 1));
    visit("late_at", late_at, "halvings after which the time is up", at_least(0));
  }
};

Solution solve_late(const Problem& problem, const LateOptions& options, Budget& budget) {
  Solution solution = solve_keep(problem, {.penalty = options.penalty}, budget);
  // A penalty after n halvings is a whole multiple of 2^-n.
  const double scaled = std::ldexp(options.penalty, static_cast<int>(options.late_at));
  if (scaled != std::floor(scaled)) {
    solution.status = Status::kTimeLimit;
  }
  return solution;
}

SolverEntry late() {
  return make_solver_entry("late", __FILE__, solve_late,
                           {.rule = SparsityRule::kPenalty,
                            .tuning = {.option = "penalty", .minimum = 0, .maximum = 1}});
}

TEST(Tuning, IsLateIfTheTimeCutsTheSearch) {
  const SolverEntry solver = late();
  SolveRequest request = request_of(solver);
  request.options["truncate"] = false;
  request.cardinality = {5};  // 0.5 keeps 3 and 0.25 keeps 5 variables
  EXPECT_EQ(solve(request).solution.status, Status::kConverged);
  request.cardinality = {4};  // at 0.375, three halvings
  request.options["late_at"] = 2;
  const SolveOutcome outcome = solve(request);
  EXPECT_EQ(outcome.solution.status, Status::kTimeLimit);
  // The run that was cut at 0.375 gave four nonzeros; it is an answer, and late.
  EXPECT_EQ(outcome.solution.components.at(0).cardinality(), 4);
  request.options["late_at"] = 1;  // already at 0.25, which gives five
  const SolveOutcome early = solve(request);
  EXPECT_EQ(early.solution.status, Status::kTimeLimit);
  EXPECT_EQ(early.solution.components.at(0).cardinality(), 3);
  EXPECT_TRUE(early.cardinality_missed);
  EXPECT_EQ(early.solution.message, "the search for penalty was cut at 3 of 4 nonzeros");
  request.options["truncate"] = true;
  const SolveOutcome truncated = solve(request);
  EXPECT_EQ(truncated.solution.status, Status::kTimeLimit);
  Matrix s = kVariances.asDiagonal();
  s(0, 3) = s(3, 0) = 3;
  request.covariance = make_explicit_covariance(s);
  const SolveOutcome better = solve(request);
  EXPECT_EQ(better.solution.status, Status::kTimeLimit);
  EXPECT_NEAR(request.covariance->quadratic_form(better.solution.components.at(0)),
              6.5 + std::sqrt(15.25), 1e-12);  // of [9 3; 3 4]
  EXPECT_TRUE(better.truncated);
  EXPECT_EQ(better.solution.message,
            "the search for penalty was cut; truncated from 5 to 4 nonzeros");
}

TEST(Tuning, ExtendsTheAnswerFromBelowIfTheTimeCutsTheSearch) {
  const SolverEntry solver = late();
  SolveRequest request = request_of(solver);
  Matrix s = kVariances.asDiagonal();
  s(0, 5) = s(5, 0) = 2;
  request.covariance = make_explicit_covariance(s);
  request.cardinality = {4};
  request.options["late_at"] = 1;  // 0.5 gives variables 0 to 2 in time, 0.25 gives 0 to 4 late
  const SolveOutcome outcome = solve(request);
  EXPECT_EQ(outcome.solution.status, Status::kTimeLimit);
  EXPECT_EQ(outcome.solution.components.at(0).support, (Support{0, 5})) << "1 and 2 add nothing";
  EXPECT_NEAR(request.covariance->quadratic_form(outcome.solution.components.at(0)),
              5 + std::sqrt(20.0), 1e-12);  // of [9 2; 2 1]
  EXPECT_TRUE(outcome.truncated);
  EXPECT_EQ(outcome.solution.message,
            "the search for penalty was cut; extended from 3 to 2 nonzeros");
  request.options["truncate"] = false;
  EXPECT_EQ(solve(request).solution.components.at(0).cardinality(), 3);
}

/// Finds one variable in each call, and none when the time is up, after `calls` components.
struct ClockOptions {
  Index calls = 2;
  void describe(OptionVisitor& visit) { visit("calls", calls, "before time is up", at_least(0)); }
};

Solution solve_clock(const Problem& problem, const ClockOptions& options, Budget& budget) {
  const Vector& variances = problem.covariance.diagonal();
  const Index done = (variances.array() <= 0).count();  // remove-support leaves zeros
  if (done >= options.calls) {
    Solution solution = make_solution({}, budget);
    solution.status = Status::kTimeLimit;
    return solution;
  }
  return make_solution({normalized(restrict_to(variances, top_k(variances, 1)))}, budget);
}

TEST(Deflation, KeepsTheComponentsBeforeTheTimeLimit) {
  const SolverEntry solver = make_solver_entry("clock", __FILE__, solve_clock, {});
  SolveRequest request = request_of(solver);
  request.components = 4;
  request.cardinality = {1, 2, 3, 4};
  request.deflation = &DeflationRegistry::instance().get("remove-support", "test");
  const SolveOutcome outcome = solve(request);
  EXPECT_EQ(outcome.solution.status, Status::kTimeLimit);
  EXPECT_EQ(outcome.solution.message, "2 of 4 components");
  ASSERT_EQ(outcome.solution.components.size(), 2U);
  EXPECT_EQ(outcome.solution.components[0].support, (Support{0}));
  EXPECT_EQ(outcome.solution.components[1].support, (Support{1}));
  EXPECT_TRUE(outcome.found_before.empty());
  EXPECT_EQ(binding_cardinality(outcome.solution, request.cardinality), (std::vector<Index>{1, 2}));
  request.options["calls"] = 0;
  const SolveOutcome none = solve(request);
  EXPECT_EQ(none.solution.status, Status::kTimeLimit);
  EXPECT_EQ(none.solution.message,
            "1 of 4 components; component 1: the solver had no answer yet: the variable of largest "
            "variance");
  ASSERT_EQ(none.solution.components.size(), 1U);
  EXPECT_EQ(none.solution.components[0].support, (Support{0}));
}

TEST(Deflation, AnswersWithTheVariablesOfLargestVarianceIfTimeEndsBefore) {
  const SolverEntry solver = make_solver_entry("clock", __FILE__, solve_clock, {});
  SolveRequest request = request_of(solver);
  request.cardinality = {2};
  request.options["calls"] = 0;
  const SolveOutcome outcome = solve(request);
  EXPECT_EQ(outcome.solution.status, Status::kTimeLimit);
  ASSERT_EQ(outcome.solution.components.size(), 1U);
  const Component best = best_on_support(*request.covariance, {0, 1}).component;
  EXPECT_EQ(outcome.solution.components[0].support, best.support);
  // If a theorem holds for every answer, a guess must not be returned as one.
  const SolverEntry lawful =
      make_solver_entry("lawful-clock", __FILE__, solve_clock, {.laws = {"gap"}});
  request.solver = &lawful;
  EXPECT_TRUE(solve(request).solution.components.empty());
}

/// Reports how much time its component has.
Solution solve_share(const Problem& problem, const NoOptions& options, Budget& budget) {
  Solution solution = solve_variances(problem, options, budget);
  solution.facts = {{"seconds_left", budget.seconds_left()}};
  return solution;
}

TEST(Deflation, GivesEachComponentItsShareOfTheTimeLeft) {
  const SolverEntry solver = make_solver_entry("share", __FILE__, solve_share, {});
  SolveRequest request = request_of(solver);
  request.components = 4;
  request.cardinality = {1, 1, 1, 1};
  request.deflation = &DeflationRegistry::instance().get("remove-support", "test");
  request.seconds = 12e6;  // so long that the time of the solves does not matter
  const std::vector<double> shares = solve(request).facts.at("seconds_left");
  ASSERT_EQ(shares.size(), 4U);
  EXPECT_NEAR(shares[0], 3e6, 1e3);
  EXPECT_NEAR(shares[1], 4e6, 1e3);
  EXPECT_NEAR(shares[2], 6e6, 1e3);
  EXPECT_NEAR(shares[3], 12e6, 1e3);
}

/// Reports a fact for the second component only.
Solution solve_second_counted(const Problem& problem, const NoOptions& options, Budget& budget) {
  Solution solution = solve_variances(problem, options, budget);
  if ((problem.covariance.diagonal().array() <= 0).count() == 1) {
    solution.facts = {{"counted", 7}};
  }
  return solution;
}

TEST(Deflation, SaysWhoseTheFactsAre) {
  const SolverEntry solver = make_solver_entry("counted", __FILE__, solve_second_counted, {});
  SolveRequest request = request_of(solver);
  request.components = 3;
  request.cardinality = {1, 1, 1};
  request.deflation = &DeflationRegistry::instance().get("remove-support", "test");
  const std::vector<double> counted = solve(request).facts.at("counted");
  ASSERT_EQ(counted.size(), 3U);
  EXPECT_TRUE(std::isnan(counted[0]));
  EXPECT_EQ(counted[1], 7);
  EXPECT_TRUE(std::isnan(counted[2]));
}

/// Reports a number for each of its steps.
Solution solve_in_steps(const Problem& problem, const NoOptions& options, Budget& budget) {
  Solution solution = solve_variances(problem, options, budget);
  solution.facts = {{"height", 1}, {"steps", 2}, {"height", 4}, {"height", 9}};
  return solution;
}

TEST(Facts, KeepEveryNumberOfAName) {
  const SolverEntry solver = make_solver_entry("steps", __FILE__, solve_in_steps, {});
  SolveRequest request = request_of(solver);
  request.components = 1;
  request.cardinality = {1};
  const auto facts = solve(request).facts;
  EXPECT_EQ(facts.at("height"), (std::vector<double>{1, 4, 9}));
  EXPECT_EQ(facts.at("steps"), std::vector<double>{2});
}

/// Takes longer than it may.
Solution solve_slowly(const Problem& problem, const NoOptions& options, Budget& budget) {
  std::this_thread::sleep_for(std::chrono::milliseconds(600));
  return solve_variances(problem, options, budget);
}

TEST(Deflation, StartsNoComponentAfterTheLimit) {
  const SolverEntry solver = make_solver_entry("slow", __FILE__, solve_slowly, {});
  SolveRequest request = request_of(solver);
  request.components = 3;
  request.cardinality = {1, 1, 1};
  request.deflation = &DeflationRegistry::instance().get("remove-support", "test");
  request.seconds = 1e-3;
  const SolveOutcome outcome = solve(request);
  EXPECT_EQ(outcome.solution.status, Status::kTimeLimit);
  EXPECT_EQ(outcome.solution.message, "1 of 3 components");
  EXPECT_EQ(outcome.solution.components.size(), 1U);
}

/// A solver whose first component is cut short and whose later components are not.
Solution solve_first_late(const Problem& problem, const NoOptions& options, Budget& budget) {
  Solution solution = solve_variances(problem, options, budget);
  if (problem.covariance.diagonal().minCoeff() > 0) {
    solution.status = Status::kTimeLimit;
  }
  return solution;
}

TEST(Deflation, IsLateIfAnyComponentIs) {
  const SolverEntry solver = make_solver_entry("first-late", __FILE__, solve_first_late, {});
  SolveRequest request = request_of(solver);
  request.components = 2;
  request.cardinality = {1, 2};
  request.deflation = &DeflationRegistry::instance().get("remove-support", "test");
  const SolveOutcome outcome = solve(request);
  EXPECT_EQ(outcome.solution.status, Status::kTimeLimit);
  EXPECT_EQ(outcome.solution.components.size(), 2U);
  EXPECT_EQ(outcome.solution.message, "");
}

TEST(Tuning, FindsAPenaltyForEachComponent) {
  const SolverEntry solver = block_solver();
  SolveRequest request = request_of(solver);
  request.components = 2;
  request.cardinality = {1, 3};  // 9, 8, 8 and 4, 3, 1: no one share of 9 and 4 gives these
  const SolveOutcome outcome = solve(request);
  ASSERT_EQ(outcome.solution.status, Status::kConverged) << outcome.solution.message;
  EXPECT_EQ(outcome.solution.components[0].support, (Support{0}));
  EXPECT_EQ(outcome.solution.components[1].support, (Support{3, 4, 5}));
  EXPECT_FALSE(outcome.cardinality_missed);
  const auto penalty = outcome.options["penalty"].get<std::vector<double>>();
  ASSERT_EQ(penalty.size(), 2U);
  EXPECT_GE(penalty[0], 8.0 / 9);
  EXPECT_LT(penalty[1], 1.0 / 4);
}

TEST(Tuning, TakesTheNearestFromBelowOfEachComponent) {
  const SolverEntry solver = block_solver();
  SolveRequest request = request_of(solver);
  request.options["truncate"] = false;
  request.components = 2;
  request.cardinality = {2, 3};
  const SolveOutcome outcome = solve(request);
  ASSERT_EQ(outcome.solution.status, Status::kConverged) << outcome.solution.message;
  EXPECT_EQ(outcome.solution.components[0].support, (Support{0}));
  EXPECT_EQ(outcome.solution.components[1].support, (Support{3, 4, 5}));
  EXPECT_TRUE(outcome.cardinality_missed);
}

TEST(Tuning, WritesOnePenaltyOfAListAsAList) {
  const SolverEntry solver = block_solver();
  SolveRequest request = request_of(solver);
  request.cardinality = {4};
  EXPECT_EQ(solve(request).options["penalty"].size(), 1U);
}

TEST(Tuning, LeavesAGivenPenaltyAlone) {
  const SolverEntry solver = keep_solver();
  SolveRequest request = request_of(solver);
  request.cardinality = {1};
  request.tune = false;
  const SolveOutcome outcome = solve(request);
  EXPECT_FALSE(outcome.tuned);
  EXPECT_EQ(outcome.options["penalty"], 0.5);
  EXPECT_EQ(outcome.solution.components[0].support, (Support{0, 1, 2}));
}

TEST(Tuning, CountsTheWholeSearch) {
  const SolverEntry solver = keep_solver();
  SolveRequest request = request_of(solver);
  request.cardinality = {2};
  EXPECT_GT(solve(request).cost.iterations, 10);
}

TEST(Deflation, FindsDisjointComponentsOfTheCardinalitiesAskedFor) {
  const SolverEntry solver = make_solver_entry("variances", __FILE__, solve_variances, {});
  SolveRequest request = request_of(solver);
  request.components = 3;
  request.cardinality = {1, 2, 2};
  request.deflation = &DeflationRegistry::instance().get("remove-support", "test");
  const SolveOutcome outcome = solve(request);
  ASSERT_EQ(outcome.solution.status, Status::kConverged) << outcome.solution.message;
  EXPECT_EQ(outcome.solution.components[0].support, (Support{0}));
  EXPECT_EQ(outcome.solution.components[1].support, (Support{1, 2}));
  EXPECT_EQ(outcome.solution.components[2].support, (Support{3, 4}));
  EXPECT_TRUE(outcome.disjoint);
}

TEST(Deflation, KeepsTheComponentsBeforeOneThatHasNothingLeftAndNamesTheRemedy) {
  const SolverEntry solver = make_solver_entry("variances", __FILE__, solve_variances, {});
  SolveRequest request = request_of(solver);
  request.components = 2;
  request.cardinality = {6, 1};
  request.deflation = &DeflationRegistry::instance().get("remove-support", "test");
  const SolveOutcome outcome = solve(request);
  EXPECT_EQ(outcome.solution.status, Status::kIncomplete);
  EXPECT_EQ(outcome.solution.message,
            "1 of 2 components; component 2: no variable with positive variance is left: those "
            "before hold all 6; accepted: cardinalities with a sum of at most 6, or a "
            "deflation that lets them share variables (projection)");
  ASSERT_EQ(outcome.solution.components.size(), 1U);
  EXPECT_EQ(outcome.solution.components[0].cardinality(), 6);
  EXPECT_TRUE(outcome.found_before.empty());
  EXPECT_EQ(binding_cardinality(outcome.solution, request.cardinality), (std::vector<Index>{6}));
}

TEST(Solve, DropsComponentsThatAreEmptyAtAGivenPenalty) {
  const SolverEntry solver = block_solver();
  SolveRequest request = request_of(solver);
  request.components = 2;
  request.options = solver.complete_options({{"penalty", {0.5, 1}}}, "");
  const SolveOutcome outcome = solve(request);
  EXPECT_EQ(outcome.solution.status, Status::kIncomplete);
  EXPECT_EQ(outcome.solution.message,
            "1 of 2 components; component 2 is empty: no variable is worth its penalty");
  ASSERT_EQ(outcome.solution.components.size(), 1U);
  EXPECT_GT(outcome.solution.components[0].cardinality(), 0);
  // With all components empty the status is still incomplete, not a breakdown.
  request.options = solver.complete_options({{"penalty", {1, 1}}}, "");
  EXPECT_EQ(solve(request).solution.status, Status::kIncomplete);
}

/// A smaller cardinality is not a remedy if S has no more to explain.
TEST(Deflation, NamesNoRemedyIfThereIsNone) {
  const SolverEntry solver = make_solver_entry("variances", __FILE__, solve_variances, {});
  SolveRequest request = request_of(solver);
  request.covariance = make_explicit_covariance(Matrix(Vector::Unit(6, 2).asDiagonal()));
  request.components = 2;
  request.cardinality = {1, 1};
  request.deflation = &DeflationRegistry::instance().get("remove-support", "test");
  const SolveOutcome outcome = solve(request);
  EXPECT_EQ(outcome.solution.status, Status::kIncomplete);
  EXPECT_EQ(outcome.solution.message,
            "1 of 2 components; component 2: no variable with positive variance is left");
}

/// Finds one component, and skips the second with a reason.
Solution solve_once(const Problem& problem, const NoOptions& options, Budget& budget) {
  const bool is_first = (problem.covariance.diagonal().array() > 0).all();
  return is_first ? solve_variances(problem, options, budget) : skipped("it has seen enough");
}

TEST(Deflation, KeepsTheComponentsBeforeOneThatTheSolverSkips) {
  const SolverEntry solver = make_solver_entry("once", __FILE__, solve_once, {});
  SolveRequest request = request_of(solver);
  request.components = 2;
  request.cardinality = {1, 1};
  request.deflation = &DeflationRegistry::instance().get("remove-support", "test");
  const SolveOutcome outcome = solve(request);
  EXPECT_EQ(outcome.solution.status, Status::kIncomplete);
  EXPECT_EQ(outcome.solution.message, "1 of 2 components; component 2: it has seen enough");
  EXPECT_EQ(outcome.solution.components.size(), 1U);
}

/// Two equal loadings span one dimension, and explain more than the sum of both eigenvalues.
TEST(UpperBound, HoldsForLoadingsThatDependOnEachOther) {
  Vector v(2);
  v << 0.6, 0.8;
  const std::shared_ptr<const Covariance> indefinite =
      DeflationRegistry::instance()
          .get("hotelling", "test")
          .deflate(make_explicit_covariance(Matrix(Vector{{2.0, 1.0}}.asDiagonal())),
                   {.support = {0, 1}, .values = v});
  const Component leading = best_on_support(*indefinite, {0, 1}).component;
  Solution solution;
  solution.components = {leading, leading};
  const SolverEntry solver = make_solver_entry("any", __FILE__, solve_variances, {});
  const double value = indefinite->quadratic_form(leading);
  EXPECT_GT(value, indefinite->total_variance() + 0.1);
  EXPECT_GE(upper_bound(solver, solution, {2, 2}, *indefinite, Spectrum(*indefinite)),
            value * (1 - 1e-14));
}

TEST(Solve, TurnsABreakdownIntoAStatus) {
  const SolverEntry solver = make_solver_entry("breakdown", __FILE__, solve_breakdown, {});
  SolveRequest request = request_of(solver);
  request.cardinality = {2};
  const SolveOutcome outcome = solve(request);
  EXPECT_EQ(outcome.solution.status, Status::kNumericalFailure);
  EXPECT_EQ(outcome.solution.message, "no convergence");
}

TEST(Solve, SkipsAProblemThatIsTooLarge) {
  const SolverEntry solver =
      make_solver_entry("variances", __FILE__, solve_variances, {.largest_p = 5});
  SolveRequest request = request_of(solver);
  request.cardinality = {2};
  const SolveOutcome outcome = solve(request);
  EXPECT_EQ(outcome.solution.status, Status::kSkipped);
  EXPECT_NE(outcome.solution.message.find("p = 6 is beyond 5"), std::string::npos)
      << outcome.solution.message;
}

struct BadRequest {
  std::string name;
  Index components;
  std::vector<Index> cardinality;
  std::string message;
};

class SolveRefuses : public testing::TestWithParam<BadRequest> {};

TEST_P(SolveRefuses, WithTheAcceptedValues) {
  const SolverEntry solver = make_solver_entry("variances", __FILE__, solve_variances, {});
  SolveRequest request = request_of(solver);
  request.components = GetParam().components;
  request.cardinality = GetParam().cardinality;
  try {
    solve(request);
    FAIL() << "nothing was thrown";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find(GetParam().message), std::string::npos)
        << error.what();
  }
}

INSTANTIATE_TEST_SUITE_P(
    Requests, SolveRefuses,
    testing::Values(
        BadRequest{
            "CardinalityZero", 1, {0}, "cardinality: 0 is out of range; accepted: 1 to p = 6"},
        BadRequest{
            "CardinalityBeyondP", 1, {7}, "cardinality: 7 is out of range; accepted: 1 to p = 6"},
        BadRequest{"CountOfCardinalities", 2, {1, 2, 3}, "3 numbers for 2 components"},
        BadRequest{"NoDeflation", 2, {1, 1}, "2 components need a deflation; accepted: hotelling"},
        BadRequest{"NoCardinality", 1, {}, "needs a cardinality"},
        BadRequest{
            "TooManyComponents", 7, {}, "components: 7 is out of range; accepted: 1 to p = 6"}),
    [](const auto& test) { return test.param.name; });

TEST(Feasibility, NamesTheFault) {
  const auto component = [](Support support, std::vector<double> values) {
    return Component{std::move(support),
                     Eigen::Map<Vector>(values.data(), static_cast<Index>(values.size()))};
  };
  const Component unit = component({1, 3}, {0.6, 0.8});
  EXPECT_EQ(find_infeasibility({unit}, 4, {2}, Supports::kDisjoint), "");
  EXPECT_NE(find_infeasibility({unit}, 4, {1}, Supports::kDisjoint), "");  // too many nonzeros
  EXPECT_NE(find_infeasibility({unit}, 3, {2}, Supports::kDisjoint), "");  // index beyond p
  EXPECT_NE(find_infeasibility({component({3, 1}, {0.6, 0.8})}, 4, {2}, Supports::kDisjoint),
            "");  // not ascending
  EXPECT_NE(find_infeasibility({component({1, 3}, {0.6, 0.7})}, 4, {2}, Supports::kDisjoint),
            "");  // not of unit length
  EXPECT_NE(
      find_infeasibility({component({1, 3}, {0.6, std::nan("")})}, 4, {2}, Supports::kDisjoint),
      "");
  EXPECT_NE(find_infeasibility({unit, unit}, 4, {2, 2}, Supports::kDisjoint),
            "");  // shared variables
  EXPECT_EQ(find_infeasibility({unit, unit}, 4, {2}, Supports::kAny), "2 components, not 1");
  EXPECT_EQ(find_infeasibility({unit, unit}, 4, {2, 2}, Supports::kAny), "");
}

TEST(Budget, PhasesOfANestedSolverAreThoseOfItsCaller) {
  Budget budget;
  {
    const PhaseTimer::Nested nested(budget.phases());
    budget.phases().finish("eigenpairs");
    const PhaseTimer::Nested deeper(budget.phases());
    budget.phases().finish("search");
  }
  EXPECT_TRUE(budget.phases().seconds().empty());
  budget.phases().finish("search");
  budget.phases().finish("search");
  ASSERT_EQ(budget.phases().seconds().size(), 1U);
  EXPECT_LE(budget.phases().seconds().at("search"), budget.elapsed_seconds());
}

TEST(Budget, IsTimeUpCountsNothing) {
  Budget over({.seconds = 0});
  EXPECT_TRUE(over.is_time_up());
  EXPECT_FALSE(over.out_of_time()) << "nothing was stopped yet";
  EXPECT_LE(over.seconds_left(), 0);
  const Budget unlimited;
  EXPECT_FALSE(unlimited.is_time_up());
  EXPECT_EQ(unlimited.seconds_left(), std::numeric_limits<double>::infinity());
  EXPECT_EQ(unlimited.iterations(), 0);
}

}  // namespace
}  // namespace spca::solve_test
