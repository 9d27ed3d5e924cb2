/// Compares the step that the generalized power methods share, in terms of S, with the same step in
/// terms of X. Both are checked to give the same iterate before they are timed.

#include <benchmark/benchmark.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "spca/base/error.h"
#include "spca/base/random.h"
#include "spca/covariance/covariance_dense.h"
#include "spca/dense/sparsify.h"
#include "spca/methods/ascent/block_gpower.h"
#include "spca/solving/solver.h"

namespace spca {
namespace {

/// The largest difference of the two iterates, which is rounding after a few steps.
constexpr double kSameIterate = 1e-10;
constexpr double kPenalty = 0.3;
constexpr int kSteps = 5;

/// The spiked model of the papers: two groups of ten correlated columns in noise.
Matrix spiked_data(Index n, Index p) {
  Random random(1);
  Matrix data(n, p);
  for (double& entry : data.reshaped()) {
    entry = random.normal();
  }
  for (Index i = 0; i < n; ++i) {
    data.row(i).head(10).array() += std::sqrt(40.0) * random.normal();
    data.row(i).segment(10, 10).array() += std::sqrt(30.0) * random.normal();
  }
  return data;
}

/// Returns the loadings (p entries) after `steps` dense steps of Algorithm 2: X'x, thresholded and
/// normalised.
Vector naive_gpower(const Matrix& data, int steps) {
  Index longest = 0;
  const double norm = data.colwise().norm().maxCoeff(&longest);
  const double level = kPenalty * norm;
  Vector x = data.col(longest) / norm;
  for (int step = 0; step < steps; ++step) {
    x = (data * soft_threshold(data.transpose() * x, level)).normalized();
  }
  return soft_threshold(data.transpose() * x, level).normalized();
}

Component gpower(const Covariance& covariance, Budget& budget) {
  const ThresholdedPower rule{.threshold = Threshold::kSoft,
                              .level = kPenalty * longest_column(covariance),
                              .tolerance = 0};
  return thresholded_power(covariance, rule, start_at_longest_column(covariance), budget);
}

std::shared_ptr<const Covariance> as_covariance(const Matrix& data) {
  return make_covariance(Matrix(data), {.centered = false, .scale = Scale::kNone});
}

void naive_steps(benchmark::State& state) {
  const Matrix data = spiked_data(state.range(0), state.range(1));
  for (auto _ : state) {
    benchmark::DoNotOptimize(naive_gpower(data, kSteps));
  }
}

void sparse_steps(benchmark::State& state) {
  const Matrix data = spiked_data(state.range(0), state.range(1));
  const auto covariance = as_covariance(data);
  Budget check({.iterations = kSteps});
  const Vector found = to_dense(gpower(*covariance, check), data.cols());
  const Vector expected = naive_gpower(data, static_cast<int>(check.iterations()));
  SPCA_CHECK((found - expected).cwiseAbs().maxCoeff() < kSameIterate,
             "the sparse steps differ from the naive ones");
  for (auto _ : state) {
    Budget budget({.iterations = kSteps});
    benchmark::DoNotOptimize(gpower(*covariance, budget));
  }
}

/// A whole solve with the solver's defaults, as an experiment makes it.
void solve(benchmark::State& state, const char* name, Index components) {
  const auto covariance = as_covariance(spiked_data(state.range(0), state.range(1)));
  const SolverEntry& solver = SolverRegistry::instance().get(name, "bench");
  const Json options = solver.complete_options(Json::object(), "/options");
  const Problem problem{.covariance = *covariance, .components = components, .cardinality = {}};
  for (auto _ : state) {
    Budget budget;
    benchmark::DoNotOptimize(solver.solve(problem, options, budget));
  }
}

void shapes(benchmark::internal::Benchmark* bench) {
  bench->Args({50, 500})->Args({5, 500})->Args({100, 10000});
}

BENCHMARK(naive_steps)->Apply(shapes);
BENCHMARK(sparse_steps)->Apply(shapes);
BENCHMARK_CAPTURE(solve, gpower_l0, "gpower-l0", 1)->Apply(shapes);
BENCHMARK_CAPTURE(solve, gpower_l1, "gpower-l1", 1)->Apply(shapes);
BENCHMARK_CAPTURE(solve, gpower_block_l0, "gpower-block-l0", 2)->Apply(shapes);
BENCHMARK_CAPTURE(solve, gpower_block_l1, "gpower-block-l1", 2)->Apply(shapes);
BENCHMARK_CAPTURE(solve, rsvd, "rsvd", 1)->Apply(shapes);
BENCHMARK_CAPTURE(solve, pmd, "pmd", 1)->Apply(shapes);
BENCHMARK_CAPTURE(solve, spca_l1, "spca-l1", 1)->Apply(shapes);

}  // namespace
}  // namespace spca

BENCHMARK_MAIN();
