/// Compares the generalized power methods with plain implementations in X and with known numbers.

#include <cmath>

#include "spca/covariance/covariance_explicit.h"
#include "spca/data/dataset.h"
#include "spca/dense/dense_decompositions.h"
#include "spca/methods/ascent/block_gpower.h"
#include "spca/solving/solve.h"
#include "tests/dense_reference.h"
#include "tests/solver_testing.h"

namespace spca::gpower_test {
namespace {

using namespace trial;

/// Journee et al., Algorithms 2 and 3 as printed, with x itself.
Vector gpower_in_x(const Matrix& data, bool soft, double penalty, int steps) {
  const Vector norms = data.colwise().norm().transpose();
  Index longest = 0;
  const double level = (soft ? penalty : std::sqrt(penalty)) * norms.maxCoeff(&longest);
  Vector x = data.col(longest) / norms[longest];
  for (int step = 0; step < steps; ++step) {
    x = (data * thresholded(data.transpose() * x, soft, level)).normalized();
  }
  return thresholded(data.transpose() * x, soft, level).normalized();
}

/// Algorithms 4 and 5 of the same paper, with Z (n x r) itself and mu_j = 1/j. The start has the
/// columns of X that are longest after projection.
Matrix block_gpower_in_x(const Matrix& data, bool soft, double penalty, Index r, int steps) {
  const double longest = data.colwise().norm().maxCoeff();
  Matrix z(data.rows(), r);
  Matrix rest = data;
  for (Index j = 0; j < r; ++j) {
    Index pivot = 0;
    rest.colwise().squaredNorm().maxCoeff(&pivot);
    z.col(j) = rest.col(pivot).normalized();
    rest -= z.col(j) * (z.col(j).transpose() * rest);
  }
  const auto gradient_columns = [&] {
    Matrix t(data.cols(), r);
    for (Index j = 0; j < r; ++j) {
      const double mu = 1 / static_cast<double>(j + 1);
      const double gamma = (soft ? penalty : std::sqrt(penalty)) * mu * longest;
      t.col(j) = mu * thresholded(mu * data.transpose() * z.col(j), soft, gamma);
    }
    return t;
  };
  for (int step = 0; step < steps; ++step) {
    z = polar_factor(data * gradient_columns());
  }
  return gradient_columns().colwise().normalized();
}

/// S is diagonal except for S_12, and variable 0 has the longest column of X. Variables 1 and 2
/// together have the largest eigenvalue, and w has the entry sqrt(lambda_1 / 2) for each of them.
TEST(GPower, StartsAtTheGivenStart) {
  Matrix s = Vector{{4, 3, 3, 1}}.asDiagonal();
  s(1, 2) = s(2, 1) = 2.5;
  const auto covariance = make_explicit_covariance(s);
  const auto support = [&](const char* solver, const Json& options) {
    const SolverEntry& entry = SolverRegistry::instance().get(solver, "");
    Budget budget;
    return entry
        .solve({.covariance = *covariance, .cardinality = {2}},
               entry.complete_options(options, "/options"), budget)
        .components.at(0)
        .support;
  };
  for (const char* solver : {"gpower-l0", "gpower-l1"}) {
    EXPECT_EQ(support(solver, {{"penalty", 0.5}}), (Support{0})) << solver;
    EXPECT_EQ(support(solver, {{"penalty", 0.5}, {"start", "leading-eigenvector"}}),
              (Support{1, 2}))
        << solver;
    // 5.5 / 2 is 0.69 of 4, and its root 0.83 of 2: at 0.9 gamma cuts both entries.
    EXPECT_EQ(support(solver, {{"penalty", 0.9}, {"start", "leading-eigenvector"}}), (Support{0}))
        << solver;
  }
}

TEST(GPower, TakesTheStepsOfThePaperInTermsOfSAlone) {
  constexpr int kSteps = 6;  // few enough that the iteration does not stall
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Matrix data = random_data(seed % 2 == 0 ? 8 : 40, 20, seed);
    const auto covariance = as_covariance(data);
    for (const bool soft : {true, false}) {
      for (const double penalty : {0.0, 0.02, 0.1, 0.3}) {
        Budget budget({.iterations = kSteps});
        const Solution solution =
            run(soft ? "gpower-l1" : "gpower-l0", *covariance,
                {{"penalty", penalty}, {"tolerance", 0.0}, {"refit", false}}, 1, budget);
        const int steps = static_cast<int>(budget.iterations());
        expect_parallel(to_dense(solution.components.at(0), 20),
                        gpower_in_x(data, soft, penalty, steps), kSameIterate);
      }
    }
  }
}

TEST(GPowerBlock, TakesTheStepsOfThePaperInTermsOfSAlone) {
  constexpr int kSteps = 6;
  constexpr Index kComponents = 3;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Matrix data = random_data(seed % 2 == 0 ? 8 : 40, 20, seed);
    const auto covariance = as_covariance(data);
    for (const bool soft : {true, false}) {
      for (const double penalty : {0.0, 0.02, 0.1}) {
        Budget budget({.iterations = kSteps});
        const Solution solution =
            run(soft ? "gpower-block-l1" : "gpower-block-l0", *covariance,
                {{"penalty", penalty}, {"tolerance", 0.0}, {"refit", false}}, kComponents, budget);
        const Matrix expected = block_gpower_in_x(data, soft, penalty, kComponents,
                                                  static_cast<int>(budget.iterations()));
        for (Index j = 0; j < kComponents; ++j) {
          expect_parallel(to_dense(solution.components.at(static_cast<std::size_t>(j)), 20),
                          expected.col(j), kSameIterate);
        }
      }
    }
  }
}

/// W = X'Z comes from an orthonormal Z in the range of X exactly if W'S^{-1}W = I; Z is a polar
/// factor of XT exactly if <Z, XT> = Tr W'T is the sum of the singular values of XT.
void expect_polar_step(const Matrix& data, const Matrix& t) {
  const auto covariance = as_covariance(data);
  const Matrix s = data.transpose() * data;
  const Matrix w = polar_step(*covariance, s * t, t.transpose() * s * t);
  const Matrix frame = w.transpose() * pseudo_inverse(s) * w;
  EXPECT_LT((frame - Matrix::Identity(t.cols(), t.cols())).cwiseAbs().maxCoeff(), kFixedPoint);
  const double nuclear = singular_values(data * t).sum();
  EXPECT_NEAR((w.transpose() * t).trace(), nuclear, kFixedPoint * nuclear);
}

TEST(GPowerBlock, PolarStepCompletesAGradientThatLacksDirections) {
  const Matrix data = random_data(30, 12, 5);
  Matrix t = random_data(12, 4, 6);
  expect_polar_step(data, t);
  t.col(1).setZero();  // a component of which everything was cut
  expect_polar_step(data, t);
  t.col(3) = t.col(0);  // and two that are the same
  expect_polar_step(data, t);
}

TEST(GPowerBlock, ComponentsBeyondTheRankAreEmpty) {
  const Matrix data = random_data(2, 6, 3);
  for (const char* name : {"gpower-block-l0", "gpower-block-l1"}) {
    const auto found = loadings(name, *as_covariance(data), {{"penalty", 0.01}}, 4);
    ASSERT_EQ(found.size(), 4U);
    for (std::size_t j = 0; j < 4; ++j) {
      EXPECT_EQ(found[j].support.empty(), j >= 2) << name << " " << j;
    }
  }
}

Dataset load(const std::string& name, const Json& options, std::uint64_t seed) {
  const DatasetEntry& entry = DatasetRegistry::instance().get(name, "data set");
  return entry.load(entry.complete_options(options, "/options"), {.data_dir = {}, .seed = seed});
}

std::vector<Component> deflated(std::shared_ptr<const Covariance> covariance,
                                const std::string& solver, const Json& options, Index components,
                                const std::string& deflation) {
  SolveRequest request;
  request.covariance = std::move(covariance);
  request.solver = &SolverRegistry::instance().get(solver, "solver");
  request.options = request.solver->complete_options(options, "/options");
  request.components = components;
  request.deflation = &DeflationRegistry::instance().get(deflation, "deflation");
  return solve(request).solution.components;
}

TEST(GPower, FindsTheSixComponentsOfThePitProps) {
  const auto covariance = load("pitprops", Json::object(), 0).covariance;
  const auto found = deflated(covariance, "gpower-l1", {{"penalty", 0.4}}, 6, "remove-support");
  ASSERT_EQ(found.size(), 6U);
  const Index cardinality[] = {7, 2, 1, 1, 1, 1};
  double variance = 0;
  for (std::size_t j = 0; j < 6; ++j) {
    EXPECT_EQ(found[j].cardinality(), cardinality[j]);
    variance += covariance->quadratic_form(found[j]);
  }
  EXPECT_NEAR(variance / covariance->total_variance(), 0.759861, 0.5e-6);  // half of the last digit
}

/// Returns the share of draws in which both supports of the spiked model are found, in either
/// order.
double recovery(const std::string& solver, double penalty, Index samples, int repeats) {
  int successes = 0;
  for (int t = 0; t < repeats; ++t) {
    const Dataset data = load("spiked", {{"samples", samples}}, static_cast<std::uint64_t>(t));
    const auto found = deflated(data.covariance, solver, {{"penalty", penalty}}, 2, "projection");
    if (found.size() == 2) {
      const bool ordered =
          found[0].support == data.truth[0].support && found[1].support == data.truth[1].support;
      const bool swapped =
          found[0].support == data.truth[1].support && found[1].support == data.truth[0].support;
      successes += ordered || swapped ? 1 : 0;
    }
  }
  return successes / static_cast<double>(repeats);
}

TEST(GPower, RecoversSpikesAsOftenAsMeasuredIndependently) {
  struct Row {
    const char* solver;
    double penalty;
    Index samples;
    double probability;
  };
  constexpr int kRepeats = 400;
  // An independent program measured these to two digits.
  constexpr double kRounded = 0.005;
  for (const Row& row : {Row{"gpower-l0", 0.1, 50, 0.99}, Row{"gpower-l0", 0.1, 5, 0.32},
                         Row{"gpower-l1", 0.3, 50, 0.99}, Row{"gpower-l1", 0.3, 5, 0.29},
                         Row{"gpower-l0", 0.8, 50, 0.66}, Row{"gpower-l1", 0.8, 5, 0.11}}) {
    const double deviation = std::sqrt(row.probability * (1 - row.probability) / kRepeats);
    EXPECT_NEAR(recovery(row.solver, row.penalty, row.samples, kRepeats), row.probability,
                4 * deviation + kRounded)
        << row.solver << " " << row.penalty << " " << row.samples;
  }
}

}  // namespace
}  // namespace spca::gpower_test
