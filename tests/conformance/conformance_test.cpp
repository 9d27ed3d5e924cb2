/// Tests of the contract that every solver must keep, on all registered solvers. Solvers are named
/// only in the lists of exceptions.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>

#include "harness/records/record.h"
#include "harness/records/record_line.h"
#include "spca/base/random.h"
#include "spca/covariance/covariance_dense.h"
#include "spca/covariance/covariance_explicit.h"
#include "spca/covariance/covariance_sparse.h"
#include "spca/solving/feasibility.h"
#include "spca/solving/solve.h"
#include "spca/solving/upper_bound.h"
#include "tests/solver_testing.h"

namespace spca::conformance_test {
namespace {

using CovariancePointer = std::shared_ptr<const Covariance>;

constexpr Index kCardinality = 4;

/// Noise with one strong component on the variables 2, 5, 7 and 11 of 16, of unequal loadings, so
/// that every method should name these four.
Matrix planted_data() {
  Matrix data = 0.2 * trial::random_matrix(60, 16, 11);
  const Vector scores = trial::random_matrix(60, 1, 12).col(0);
  const Support support = {2, 5, 7, 11};
  const std::vector<double> loadings = {1.0, 0.9, 1.1, 1.2};
  for (std::size_t i = 0; i < support.size(); ++i) {
    data.col(support[i]) += loadings[i] * scores;
  }
  return data;
}

SparseRows sparse_data() {
  Random random(13);
  SparseRows data(40, 15);
  for (Index i = 0; i < data.rows(); ++i) {
    for (Index j = 0; j < data.cols(); ++j) {
      if (random.uniform() < 0.2) {
        data.insert(i, j) = 1 + static_cast<double>(random.below(5)) + random.uniform();
      }
    }
  }
  data.makeCompressed();
  return data;
}

Matrix covariance_of(const Matrix& data) {
  const Matrix centered = data.rowwise() - data.colwise().mean();
  const Matrix covariance = centered.transpose() * centered / static_cast<double>(data.rows());
  return 0.5 * (covariance + covariance.transpose());
}

std::vector<std::pair<std::string, CovariancePointer>> small_problems() {
  return {{"dense data", make_covariance(trial::random_matrix(30, 12, 1), {})},
          {"dense data, n < p", make_covariance(trial::random_matrix(8, 20, 2), {})},
          {"planted", make_covariance(planted_data(), {})},
          {"sparse data", make_covariance(sparse_data(), {})},
          {"sparse data, not centred", make_covariance(sparse_data(), {.centered = false})},
          {"S itself", make_explicit_covariance(covariance_of(trial::random_matrix(9, 12, 3)))}};
}

/// Returns the correlation matrix of data with three groups of variables and noise: all variances
/// are 1, so that only the correlations distinguish the variables.
Matrix correlation_matrix(Index p, std::uint64_t seed) {
  Matrix data = trial::random_matrix(4 * p, p, seed);
  const Matrix scores = trial::random_matrix(4 * p, 3, seed + 1);
  for (Index j = 0; j < p; ++j) {
    const double share = 0.3 + 0.1 * static_cast<double>((7 * j) % 11);
    data.col(j) += share * (1 + static_cast<double>(j % 3)) * scores.col(j % 3);
  }
  const Matrix s = covariance_of(data);
  const Vector inverse = s.diagonal().cwiseSqrt().cwiseInverse();
  Matrix correlation = inverse.asDiagonal() * s * inverse.asDiagonal();
  correlation.diagonal().setOnes();
  return 0.5 * (correlation + correlation.transpose());
}

/// Returns the solvers whose value may depend on the order of the variables, and why. For all
/// others it must not.
const std::map<std::string, std::string>& depends_on_the_order() {
  static const std::map<std::string, std::string> reasons = {
      {"em", "starts at random vectors, which do not move with the variables"},
      {"bipart", "draws directions at random"},
      {"bipart-ascent", "starts at random, and its order of exchanges is that of the variables"},
      {"encoder-batch-random", "draws columns at random"},
      {"encoder-refine", "takes the first exchange that lowers its loss, not v'Sv, in their order"},
  };
  return reasons;
}

/// Returns the record of an outcome without its times. Runs are merged, and gated, by these bytes.
std::string stable_record(const SolveRequest& asked, const SolveOutcome& outcome) {
  Record record;
  record.solver_name = asked.solver->name;
  record.options = outcome.options;
  record.components = asked.components;
  record.status = outcome.solution.status;
  record.message = outcome.solution.message;
  record.tuned = outcome.tuned;
  record.cardinality_missed = outcome.cardinality_missed;
  record.loadings = outcome.solution.components;
  record.facts = outcome.facts;
  record.trace = outcome.trace;
  record.metrics["iterations"] = {outcome.cost.iterations};
  record.metrics["products"] = {outcome.cost.products};
  if (is_usable(outcome.solution.status)) {
    record.bound = upper_bound(*asked.solver, outcome.solution, asked.cardinality,
                               *asked.covariance, Spectrum(*asked.covariance));
  }
  return std::string(stable_part(answer_text(record)));
}

class Conformance : public testing::TestWithParam<std::string> {
 protected:
  const SolverEntry& solver() const { return SolverRegistry::instance().get(GetParam(), ""); }
  bool is_dense() const { return solver().traits.rule == SparsityRule::kDense; }

  SolveRequest request(CovariancePointer covariance, std::vector<Index> cardinality) const {
    SolveRequest request{.covariance = std::move(covariance),
                         .solver = &solver(),
                         .options = solver().complete_options(Json::object(), ""),
                         .components = std::ssize(cardinality),
                         .cardinality = {},
                         .seed = 5};
    if (!is_dense()) {
      request.cardinality = std::move(cardinality);
    }
    return request;
  }

  /// A penalty need not reach every pair of cardinalities: then the harness says so, without
  /// loadings.
  bool missed_by_penalty(const SolveOutcome& outcome) const {
    return solver().traits.rule == SparsityRule::kPenalty &&
           outcome.solution.status == Status::kNumericalFailure;
  }

  /// The support of one component; empty if the solver does not take the problem.
  Support support_on(CovariancePointer covariance) const {
    const SolveOutcome outcome = solve(request(std::move(covariance), {kCardinality}));
    if (outcome.solution.status == Status::kSkipped) {
      return {};
    }
    EXPECT_TRUE(is_usable(outcome.solution.status)) << outcome.solution.message;
    return outcome.solution.components.at(0).support;
  }

  /// Solves `times` times with each number of threads. Every record must be that of one thread.
  void expect_the_same_record_in_threads(int times) const {
    const std::vector<std::pair<std::string, CovariancePointer>> problems = {
        {"dense data", make_covariance(trial::random_matrix(30, 17, 6), {})},
        {"S itself", make_explicit_covariance(covariance_of(trial::random_matrix(9, 14, 3)))}};
    for (const auto& [name, covariance] : problems) {
      SCOPED_TRACE(name);
      // Two components where the solver finds them itself.
      std::vector<Index> cardinality = {5};
      if (solver().traits.multiple_components) {
        cardinality.push_back(5);
      }
      SolveRequest asked = request(covariance, cardinality);
      asked.trace = true;
      asked.tune = false;  // the search for a penalty uses no threads, and takes most of the time
      asked.threads = 1;
      const std::string expected = stable_record(asked, solve(asked));
      for (const int threads : {1, 2, 3, 8}) {
        asked.threads = threads;
        for (int time = 0; time < times; ++time) {
          ASSERT_EQ(stable_record(asked, solve(asked)), expected) << threads << " threads";
        }
      }
    }
  }

  /// Solves a correlation matrix of each size p, k in three orders of its variables.
  void expect_the_same_value_in_every_order(
      const std::vector<std::pair<Index, Index>>& sizes) const {
    const bool is_promised = !depends_on_the_order().contains(GetParam());
    for (const auto& [p, k] : sizes) {
      const Matrix correlation = correlation_matrix(p, 31 + static_cast<std::uint64_t>(p));
      std::vector<double> values;
      Random random(17);
      Support order(static_cast<std::size_t>(p));
      std::iota(order.begin(), order.end(), Index{0});
      for (int trial = 0; trial < 3; ++trial) {
        const SolveOutcome outcome =
            solve(request(make_explicit_covariance(correlation(order, order)), {k}));
        if (outcome.solution.status == Status::kSkipped) {
          break;
        }
        ASSERT_TRUE(is_usable(outcome.solution.status)) << outcome.solution.message;
        const Component& component = outcome.solution.components.at(0);
        values.push_back(component.values.dot(
            correlation(order, order)(component.support, component.support) * component.values));
        for (std::size_t i = order.size() - 1; i > 0; --i) {
          std::swap(order[i], order[random.below(i + 1)]);
        }
      }
      constexpr double kRounding = 1e-6;  // methods that stop at a tolerance of their own
      for (const double value : is_promised ? values : std::vector<double>{}) {
        EXPECT_NEAR(value, values.front(), kRounding * values.front()) << "p = " << p;
      }
    }
  }
};

/// Fixtures for the properties that only some solvers declare.
class OneComponentSolver : public Conformance {};
class JointSolver : public Conformance {};
class PathSolver : public Conformance {};

TEST_P(Conformance, AnswersAreFeasible) {
  for (const auto& [name, covariance] : small_problems()) {
    SCOPED_TRACE(name);
    for (const Index k : {Index{1}, kCardinality, covariance->variables()}) {
      const SolveRequest asked = request(covariance, {k});
      const SolveOutcome outcome = solve(asked);
      if (outcome.solution.status == Status::kSkipped) {
        EXPECT_FALSE(outcome.solution.message.empty());
        continue;
      }
      ASSERT_TRUE(is_usable(outcome.solution.status)) << outcome.solution.message;
      ASSERT_EQ(outcome.solution.components.size(), 1U);
      EXPECT_EQ(find_infeasibility(outcome.solution.components, covariance->variables(),
                                   asked.cardinality, Supports::kAny),
                "")
          << "k = " << k;
    }
  }
}

/// Time may run out at any step: the components found until then are feasible, or there are none.
TEST_P(Conformance, AnswersAreFeasibleWhereverTimeRunsOut) {
  for (const auto& [name, covariance] : small_problems()) {
    for (const double seconds : {0.0, 1e-6, 1e-5, 1e-4, 1e-3}) {
      SCOPED_TRACE(name + fmt::format(", {} s", seconds));
      SolveRequest asked = request(covariance, {2});
      asked.seconds = seconds;
      const SolveOutcome outcome = solve(asked);
      if (!outcome.solution.components.empty()) {
        EXPECT_EQ(find_infeasibility(outcome.solution.components, covariance->variables(),
                                     asked.cardinality, Supports::kAny),
                  "");
      }
    }
  }
}

TEST_P(OneComponentSolver, ComponentsAfterRemovalOfSupportsAreDisjoint) {
  for (const auto& [name, covariance] : small_problems()) {
    SCOPED_TRACE(name);
    SolveRequest asked = request(covariance, {5, 3, 2});
    asked.deflation = &DeflationRegistry::instance().get("remove-support", "");
    const SolveOutcome outcome = solve(asked);
    if (outcome.solution.status == Status::kSkipped) {
      continue;
    }
    ASSERT_TRUE(is_usable(outcome.solution.status)) << outcome.solution.message;
    EXPECT_EQ(find_infeasibility(outcome.solution.components, covariance->variables(),
                                 asked.cardinality, Supports::kDisjoint),
              "");
  }
}

TEST_P(JointSolver, SeveralComponentsAtOnceAreFeasible) {
  for (const auto& [name, covariance] : small_problems()) {
    SCOPED_TRACE(name);
    const SolveRequest asked = request(covariance, {4, 3});
    const SolveOutcome outcome = solve(asked);
    if (outcome.solution.status == Status::kSkipped || missed_by_penalty(outcome)) {
      continue;
    }
    ASSERT_TRUE(is_usable(outcome.solution.status)) << outcome.solution.message;
    EXPECT_EQ(
        find_infeasibility(outcome.solution.components, covariance->variables(), asked.cardinality,
                           outcome.disjoint ? Supports::kDisjoint : Supports::kAny),
        "");
    EXPECT_EQ(find_dependence(outcome.solution.components, *covariance,
                              orthogonality_of(solver(), outcome.options)),
              "");
  }
}

TEST_P(Conformance, SameSeedGivesSameBytes) {
  for (const auto& [name, covariance] : small_problems()) {
    SCOPED_TRACE(name);
    SolveRequest asked = request(covariance, {kCardinality});
    const SolveOutcome first = solve(asked);
    for (const int threads : {1, 2}) {
      asked.threads = threads;
      const SolveOutcome again = solve(asked);
      ASSERT_EQ(again.solution.status, first.solution.status);
      ASSERT_EQ(again.solution.components.size(), first.solution.components.size());
      for (std::size_t j = 0; j < first.solution.components.size(); ++j) {
        EXPECT_EQ(again.solution.components[j].support, first.solution.components[j].support);
        EXPECT_EQ(again.solution.components[j].values, first.solution.components[j].values);
      }
      EXPECT_EQ(again.options, first.options);
    }
  }
}

TEST_P(Conformance, NoRecordedNumberDependsOnThreads) { expect_the_same_record_in_threads(1); }

// If runs on several threads differ, they do so only now and then.
TEST_P(Conformance, SLOW_NoRecordedNumberDependsOnThreadsTenTimes) {
  expect_the_same_record_in_threads(10);
}

TEST_P(Conformance, OptionsWrittenOutReadBack) {
  const Json written = solver().complete_options(Json::object(), "");
  EXPECT_EQ(solver().complete_options(Json::parse(written.dump()), ""), written);
  const Json described = solver().describe();
  ASSERT_EQ(described.size(), written.size());
  for (const Json& option : described) {
    EXPECT_EQ(written.at(option.at("name").get<std::string>()), option.at("default"));
    EXPECT_FALSE(option.at("help").get<std::string>().empty());
  }
}

TEST_P(Conformance, TraitsAreFilledIn) {
  const Traits& traits = solver().traits;
  EXPECT_FALSE(traits.summary.empty());
  EXPECT_FALSE(traits.problem.empty());
  EXPECT_FALSE(traits.source.empty());
  if (traits.rule == SparsityRule::kPenalty) {
    EXPECT_TRUE(solver().complete_options(Json::object(), "").contains(traits.tuning.option));
    EXPECT_LT(traits.tuning.minimum, traits.tuning.maximum);
  }
}

TEST_P(PathSolver, PathHasEveryCardinality) {
  for (const auto& [name, covariance] : small_problems()) {
    SCOPED_TRACE(name);
    const Index p = covariance->variables();
    const SolveOutcome outcome = solve(request(covariance, {p}));
    ASSERT_EQ(std::ssize(outcome.solution.path), p);
    double previous = 0;
    for (Index k = 1; k <= p; ++k) {
      const Component& component = outcome.solution.path[static_cast<std::size_t>(k - 1)].component;
      EXPECT_EQ(find_infeasibility({component}, p, {k}, Supports::kAny), "");
      const double value = covariance->quadratic_form(component);
      constexpr double kRounding = 1e-12;  // of two eigenvalues of nested submatrices
      EXPECT_GE(value, previous * (1 - kRounding)) << "k = " << k;
      previous = value;
    }
  }
}

/// Returns the planted data, and random data unless the solver is seeded: a random start does not
/// move with the variables, so a seeded solver is tested only where every start should end at the
/// same support.
std::vector<Matrix> data_for_invariance(bool seeded) {
  std::vector<Matrix> data = {planted_data()};
  if (!seeded) {
    data.push_back(trial::random_matrix(30, 12, 4));
  }
  return data;
}

TEST_P(Conformance, PermutedAndFlippedVariablesGiveTheSameSupport) {
  for (const Matrix& data : data_for_invariance(solver().traits.seeded)) {
    const Support expected = support_on(make_covariance(data, {}));
    const Index p = data.cols();
    Matrix moved(data.rows(), p);
    Support support;
    const auto target = [&](Index i) { return (5 * i + 3) % p; };  // 5 is prime to 12 and 16
    for (Index i = 0; i < p; ++i) {
      moved.col(target(i)) = (i % 3 == 0 ? -1.0 : 1.0) * data.col(i);
    }
    for (const Index i : expected) {
      support.push_back(target(i));
    }
    std::sort(support.begin(), support.end());
    EXPECT_EQ(support_on(make_covariance(moved, {})), support) << "p = " << p;
  }
}

TEST_P(Conformance, OrderOfTheVariablesOfACorrelationMatrixLeavesTheValueAlone) {
  expect_the_same_value_in_every_order({{14, 4}, {26, 5}});
}

TEST_P(Conformance, SLOW_OrderOfTheVariablesOfALargerCorrelationMatrixLeavesTheValueAlone) {
  expect_the_same_value_in_every_order({{70, 6}});
}

/// Returns the solvers in which rounding may decide between tied variables, so that dense and
/// sparse data may give different answers. `spca describe` says so for each. All others must break
/// ties in the same way.
const std::map<std::string, std::string>& breaks_ties_by_rounding() {
  static const std::map<std::string, std::string> reasons = {
      {"covariance-threshold", "an entry of S may lie at the threshold but for rounding"},
      {"encoder-exact", "of rows that lose the same but for rounding it keeps any"},
      {"encoder-fewest-rows", "a loss may lie at its limit but for rounding"},
      {"encoder-refine", "an exchange may lower its loss by rounding alone"},
      {"gpower-block-l0", "of tied columns the start takes one, and a penalty may part them"},
      {"gpower-block-l1", "of tied columns the start takes one, and a penalty may part them"},
      {"gpower-l0", "of tied columns the start takes one, and a penalty may part them"},
      {"gpower-l1", "of tied columns the start takes one, and a penalty may part them"},
      {"homotopy", "its path may fork where variables tie"},
      {"nsprcomp", "of entries that tie, a step may take any"},
      {"pmd", "a bound on the l1 norm may part entries that tie"},
      {"restarted-tpower", "of entries that tie, a step may take any"},
  };
  return reasons;
}

/// Small whole numbers, so that variances and correlations tie now and then.
TEST_P(Conformance, SparseAndDenseDataBreakTiesAlike) {
  if (breaks_ties_by_rounding().contains(GetParam())) {
    return;
  }
  Random random(104729);
  for (int trial = 0; trial < 60; ++trial) {
    const Index p = 5 + static_cast<Index>(random.below(6));
    Matrix data(4 + static_cast<Index>(random.below(5)), p);
    for (double& entry : data.reshaped()) {
      entry = static_cast<double>(random.below(3));
    }
    const Index k = 1 + static_cast<Index>(random.below(4));
    const auto dense = make_covariance(Matrix(data), {});
    const SolveOutcome from_dense = solve(request(dense, {k}));
    const SolveOutcome from_sparse =
        solve(request(make_covariance(SparseRows(data.sparseView()), {}), {k}));
    ASSERT_EQ(from_sparse.solution.components.size(), from_dense.solution.components.size());
    if (!from_dense.solution.components.empty()) {
      const double value = dense->quadratic_form(from_dense.solution.components[0]);
      constexpr double kRounding = 1e-6;  // methods that stop at a tolerance of their own
      EXPECT_NEAR(dense->quadratic_form(from_sparse.solution.components[0]), value,
                  kRounding * value)
          << "trial " << trial << ", p = " << p << ", k = " << k;
    }
  }
}

TEST_P(Conformance, ScaledDataGiveTheSameSupport) {
  for (const Matrix& data : data_for_invariance(solver().traits.seeded)) {
    const Support expected = support_on(make_covariance(data, {}));
    // The last two bring the variances close to the limits of accepted ones, 1e-60 and 1e60.
    for (const double factor : {1e-3, 7.0, 1e-28, 1e28}) {
      EXPECT_EQ(support_on(make_covariance(factor * data, {})), expected) << "factor " << factor;
    }
  }
}

TEST_P(Conformance, DataAndTheirCovarianceGiveTheSameSupport) {
  for (const Matrix& data : data_for_invariance(solver().traits.seeded)) {
    const Support from_data = support_on(make_covariance(data, {}));
    const Support from_covariance = support_on(make_explicit_covariance(covariance_of(data)));
    if (!from_data.empty() && !from_covariance.empty()) {
      EXPECT_EQ(from_covariance, from_data);
    }
  }
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

std::vector<std::string> solvers_where(bool (*holds)(const Traits&)) {
  std::vector<std::string> names;
  for (const auto& [name, entry] : SolverRegistry::instance().entries()) {
    if (holds(entry.traits)) {
      names.push_back(name);
    }
  }
  return names;
}

const auto kAll = [](const Traits&) { return true; };
const auto kOneComponent = [](const Traits& traits) { return !traits.multiple_components; };
const auto kJoint = [](const Traits& traits) { return traits.multiple_components; };
const auto kPath = [](const Traits& traits) { return traits.path; };

INSTANTIATE_TEST_SUITE_P(Solvers, Conformance, testing::ValuesIn(solvers_where(kAll)), test_name);
INSTANTIATE_TEST_SUITE_P(Solvers, OneComponentSolver,
                         testing::ValuesIn(solvers_where(kOneComponent)), test_name);
INSTANTIATE_TEST_SUITE_P(Solvers, JointSolver, testing::ValuesIn(solvers_where(kJoint)), test_name);
INSTANTIATE_TEST_SUITE_P(Solvers, PathSolver, testing::ValuesIn(solvers_where(kPath)), test_name);

TEST(Registration, EveryFileInSolversIsRegisteredUnderItsStem) {
  std::vector<std::string> stems;
  for (const auto& file : std::filesystem::recursive_directory_iterator(
           std::filesystem::path(SPCA_SOURCE_DIR) / "solvers")) {
    if (file.path().extension() == ".cpp") {
      stems.push_back(file.path().stem().string());
    }
  }
  std::sort(stems.begin(), stems.end());
  EXPECT_EQ(SolverRegistry::instance().names(), stems);
}

}  // namespace
}  // namespace spca::conformance_test
