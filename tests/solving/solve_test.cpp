#include "spca/solving/solve.h"

#include <gtest/gtest.h>

#include <cmath>

#include "spca/algebra/sparsify.h"
#include "spca/base/error.h"

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

SolverEntry keep() {
  return make_solver_entry("keep", __FILE__, solve_keep,
                           {.rule = SparsityRule::kPenalty,
                            .tuning = {.option = "penalty", .minimum = 0, .maximum = 1}});
}

/// The same for several components, the j-th on the j-th of as many equal blocks of variables.
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

SolverEntry keep_blocks() {
  return make_solver_entry("keep-blocks", __FILE__, solve_keep_blocks,
                           {.rule = SparsityRule::kPenalty,
                            .multiple_components = true,
                            .tuning = {.option = "penalty", .minimum = 0, .maximum = 1}});
}

/// A cardinality solver without surprises, and one that breaks down.
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
  const SolverEntry solver = keep();
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
  const SolverEntry solver = keep();
  SolveRequest request = request_of(solver);
  request.cardinality = {2};  // the equal second and third variances come and go together
  const SolveOutcome outcome = solve(request);
  ASSERT_EQ(outcome.solution.status, Status::kConverged) << outcome.solution.message;
  EXPECT_EQ(outcome.solution.components[0].support, (Support{0}));
  EXPECT_TRUE(outcome.cardinality_missed);
}

TEST(Tuning, FindsAPenaltyForEachComponent) {
  const SolverEntry solver = keep_blocks();
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
  const SolverEntry solver = keep_blocks();
  SolveRequest request = request_of(solver);
  request.components = 2;
  request.cardinality = {2, 3};
  const SolveOutcome outcome = solve(request);
  ASSERT_EQ(outcome.solution.status, Status::kConverged) << outcome.solution.message;
  EXPECT_EQ(outcome.solution.components[0].support, (Support{0}));
  EXPECT_EQ(outcome.solution.components[1].support, (Support{3, 4, 5}));
  EXPECT_TRUE(outcome.cardinality_missed);
}

TEST(Tuning, WritesOnePenaltyOfAListAsAList) {
  const SolverEntry solver = keep_blocks();
  SolveRequest request = request_of(solver);
  request.cardinality = {4};
  EXPECT_EQ(solve(request).options["penalty"].size(), 1U);
}

TEST(Tuning, LeavesAGivenPenaltyAlone) {
  const SolverEntry solver = keep();
  SolveRequest request = request_of(solver);
  request.cardinality = {1};
  request.tune = false;
  const SolveOutcome outcome = solve(request);
  EXPECT_FALSE(outcome.tuned);
  EXPECT_EQ(outcome.options["penalty"], 0.5);
  EXPECT_EQ(outcome.solution.components[0].support, (Support{0, 1, 2}));
}

TEST(Tuning, CountsTheWholeSearch) {
  const SolverEntry solver = keep();
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

TEST(Deflation, SaysWhichComponentHadNothingLeft) {
  const SolverEntry solver = make_solver_entry("variances", __FILE__, solve_variances, {});
  SolveRequest request = request_of(solver);
  request.components = 2;
  request.cardinality = {6, 1};
  request.deflation = &DeflationRegistry::instance().get("remove-support", "test");
  const SolveOutcome outcome = solve(request);
  EXPECT_EQ(outcome.solution.status, Status::kSkipped);
  EXPECT_EQ(outcome.solution.message, "component 2: no variable with positive variance is left");
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

TEST_P(SolveRefuses, WithWhatIsAccepted) {
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

TEST(Feasibility, NamesWhatIsWrong) {
  const auto component = [](Support support, std::vector<double> values) {
    return Component{std::move(support),
                     Eigen::Map<Vector>(values.data(), static_cast<Index>(values.size()))};
  };
  const Component unit = component({1, 3}, {0.6, 0.8});
  EXPECT_EQ(find_infeasibility({unit}, 4, {2}, true), "");
  EXPECT_NE(find_infeasibility({unit}, 4, {1}, true), "");  // too many nonzeros
  EXPECT_NE(find_infeasibility({unit}, 3, {2}, true), "");  // index beyond p
  EXPECT_NE(find_infeasibility({component({3, 1}, {0.6, 0.8})}, 4, {2}, true),
            "");  // not ascending
  EXPECT_NE(find_infeasibility({component({1, 3}, {0.6, 0.7})}, 4, {2}, true),
            "");  // not of unit length
  EXPECT_NE(find_infeasibility({component({1, 3}, {0.6, std::nan("")})}, 4, {2}, true), "");
  EXPECT_NE(find_infeasibility({unit, unit}, 4, {2, 2}, true), "");  // shared variables
  EXPECT_EQ(find_infeasibility({unit, unit}, 4, {2}, false), "2 components, not 1");
  EXPECT_EQ(find_infeasibility({unit, unit}, 4, {2, 2}, false), "");
}

TEST(Budget, PhasesOfANestedSolverAreThoseOfItsCaller) {
  Budget budget;
  {
    const Budget::NestedPhases nested(budget);
    budget.finish_phase("eigenpairs");
    const Budget::NestedPhases deeper(budget);
    budget.finish_phase("search");
  }
  EXPECT_TRUE(budget.phases().empty());
  budget.finish_phase("search");
  budget.finish_phase("search");
  ASSERT_EQ(budget.phases().size(), 1U);
  EXPECT_LE(budget.phases().at("search"), budget.elapsed_seconds());
}

TEST(Budget, TellsWithoutCountingWhetherTimeIsUp) {
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
