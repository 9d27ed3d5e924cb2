/// Tests given S with eigenvalues down to -1e-7 of the largest variance: no bound of any solver is
/// below the optimum, and no law rejects a right answer.

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <numeric>

#include "spca/base/random.h"
#include "spca/covariance/covariance_explicit.h"
#include "spca/dense/dense_decompositions.h"
#include "spca/measure/judge.h"
#include "spca/solving/solve.h"
#include "tests/dense_reference.h"
#include "tests/solver_testing.h"

namespace spca::slightly_indefinite_test {
namespace {

// Rounding of eigenvalues of small matrices, as a share of the largest.
constexpr double kRounding = 1e-12;

/// Returns matrices with a correlation above 1, with correlations rounded to eight digits, with
/// eigenvalues shifted below zero, and with a variable of variance 0 that covaries with another.
std::vector<std::shared_ptr<const Covariance>> problems() {
  std::vector<std::shared_ptr<const Covariance>> all;
  for (std::uint64_t seed = 0; seed < 24; ++seed) {
    Random random(seed);
    const Index p = 3 + static_cast<Index>(random.below(4));
    const Matrix data = trial::random_matrix(2, p, random);
    Matrix s = data.transpose() * data;
    const double unit = s.diagonal().maxCoeff();
    if (seed % 4 == 0) {
      s = Matrix::Identity(p, p);
      s(0, 1) = s(1, 0) = 1 + 9e-8;
    } else if (seed % 4 == 1) {
      const Vector lengths = s.diagonal().cwiseSqrt();
      s = (s.cwiseQuotient(lengths * lengths.transpose()) * 1e8).array().round() / 1e8;
    } else if (seed % 4 == 2) {
      s.diagonal().array() -= 9e-8 * unit;
    } else {
      // The first two variables have an eigenvalue of about -1e-8.
      s.setZero();
      s.diagonal().setOnes();
      s(0, 0) = 0;
      s(0, 1) = s(1, 0) = 1e-4;
    }
    all.push_back(make_explicit_covariance(seed % 5 == 4 ? Matrix(1e50 * s) : s));
  }
  return all;
}

/// Returns the largest sum of v'Sv over r disjoint supports of at most k variables each.
double optimum(const Covariance& covariance, Index r, Index k) {
  const Index p = covariance.variables();
  const auto count = std::size_t{1} << p;
  constexpr double kNone = -std::numeric_limits<double>::infinity();
  std::vector<double> value(count, kNone);
  for (std::size_t set = 1; set < count; ++set) {
    Support support;
    for (Index i = 0; i < p; ++i) {
      if ((set >> i & 1) != 0) {
        support.push_back(i);
      }
    }
    if (std::ssize(support) <= k) {
      value[set] = symmetric_eigenvalues(covariance.submatrix(support)).maxCoeff();
    }
  }
  std::vector<double> best(count, kNone);
  best[0] = 0;
  for (Index j = 0; j < r; ++j) {
    std::vector<double> next(count, kNone);
    for (std::size_t taken = 0; taken < count; ++taken) {
      for (std::size_t set = 1; set < count; ++set) {
        if ((taken & set) == 0) {
          next[taken | set] = std::max(next[taken | set], best[taken] + value[set]);
        }
      }
    }
    best = next;
  }
  return *std::max_element(best.begin(), best.end());
}

/// The solvers that a cardinality binds.
std::vector<std::string> sparse_solvers() {
  std::vector<std::string> names = SolverRegistry::instance().names();
  std::erase_if(names, [](const std::string& name) {
    return SolverRegistry::instance().get(name, "").traits.rule == SparsityRule::kDense;
  });
  return names;
}

class SlightlyIndefinite : public testing::TestWithParam<std::string> {};

TEST_P(SlightlyIndefinite, NoBoundIsBelowTheOptimum) {
  const SolverEntry& solver = SolverRegistry::instance().get(GetParam(), "");
  const Json options = solver.complete_options(Json::object(), "");
  for (const auto& covariance : problems()) {
    const Dataset data{.covariance = covariance, .variable_names = {}, .truth = {}};
    const Spectrum spectrum(*covariance);
    for (const Index r : {1, 2}) {
      if (r == 2 && !solver.traits.disjoint) {
        continue;
      }
      const Index k = 2 / r;
      const double best = optimum(*covariance, r, k);
      const SolveOutcome outcome =
          solve({.covariance = covariance,
                 .solver = &solver,
                 .options = options,
                 .components = r,
                 .cardinality = std::vector<Index>(static_cast<std::size_t>(r), k),
                 .seed = 3});
      if (!is_answer(outcome.solution.status, !outcome.solution.components.empty())) {
        continue;
      }
      const Answer answer{.solver = solver,
                          .options = options,
                          .solution = outcome.solution,
                          .components = r,
                          .cardinality = std::vector<Index>(static_cast<std::size_t>(r), k),
                          .disjoint = outcome.disjoint};
      const Judgement judgement =
          judge(answer, data, spectrum,
                {"gap", "upper_bound_greedy", "upper_bound_relaxation", "upper_bound_diagonal"});
      EXPECT_EQ(judgement.wrong, "");
      const double least = best * (1 - kRounding);
      EXPECT_FALSE(judgement.upper_bound < least) << judgement.upper_bound << " < " << best;
      if (r == 1 && outcome.solution.components[0].cardinality() == k) {
        for (const char* name :
             {"upper_bound_greedy", "upper_bound_relaxation", "upper_bound_diagonal"}) {
          EXPECT_FALSE(judgement.metrics.at(name)[0] < least) << name;
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Solvers, SlightlyIndefinite, testing::ValuesIn(sparse_solvers()),
                         [](const auto& test) {
                           std::string name = test.param;
                           std::replace_if(
                               name.begin(), name.end(),
                               [](char c) { return std::isalnum(c) == 0; }, '_');
                           return name;
                         });

}  // namespace
}  // namespace spca::slightly_indefinite_test
