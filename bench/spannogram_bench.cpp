/// Compares the sweep of rank 2 with Algorithm 2 of the paper, and measures how the sweep's time
/// grows with p. Before a pair is timed, both must find the same value.

#include <benchmark/benchmark.h>

#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "spca/base/random.h"
#include "spca/covariance/covariance_dense.h"
#include "spca/solving/solve.h"

namespace spca {
namespace {

constexpr double kTolerance = 1e-9;  // of one optimum found in two ways

/// Returns S of n x p normal numbers. No variable stands out, so elimination gains little.
std::shared_ptr<const Covariance> normal_data(Index n, Index p) {
  Random random(1);
  Matrix data(n, p);
  for (double& entry : data.reshaped()) {
    entry = random.normal();
  }
  return make_covariance(std::move(data), {.centered = false, .scale = Scale::kSamples});
}

struct Run {
  double seconds = 0;
  Component component;
};

Run run(const char* name, const Covariance& covariance, Index k, const Json& options) {
  const SolverEntry& solver = SolverRegistry::instance().get(name, "");
  Budget budget;
  const Solution solution = solver.solve(
      {.covariance = covariance, .components = 1, .cardinality = {k}, .seed = 1, .threads = 1},
      solver.complete_options(options, ""), budget);
  if (solution.status != Status::kConverged) {
    fmt::print(stderr, "spannogram_bench: {}: {}\n", name, solution.message);
    std::exit(1);
  }
  const double eigenpairs = budget.phases().seconds().at("eigenpairs");
  return {.seconds = budget.elapsed_seconds() - eigenpairs, .component = solution.components[0]};
}

/// Measures the time without the eigenpairs. With the score "low-rank", supports are found but not
/// scored on S.
void sweep_over_spannogram(benchmark::State& state, const char* score) {
  constexpr Index kVariables = 500;
  constexpr Index kCardinality = 10;
  const auto covariance = normal_data(50, kVariables);
  const Json literal = {{"rank", 2}, {"eliminate", false}, {"score", score}};
  const Json swept = {{"score", score}, {"polish", false}};
  const Run reference = run("spannogram", *covariance, kCardinality, literal);
  const Run own = run("spannogram-sweep", *covariance, kCardinality, swept);
  const double value = covariance->quadratic_form(reference.component);
  if (std::abs(covariance->quadratic_form(own.component) - value) > kTolerance * value) {
    fmt::print(stderr, "spannogram_bench: the two find different supports\n");
    std::exit(1);
  }
  double sweep_seconds = 0;
  double literal_seconds = 0;
  Index sweeps = 0;
  for (auto _ : state) {
    literal_seconds += run("spannogram", *covariance, kCardinality, literal).seconds;
    double seconds = 0;
    for (int repeat = 0; repeat < 20; ++repeat, ++sweeps) {
      seconds += run("spannogram-sweep", *covariance, kCardinality, swept).seconds;
    }
    state.SetIterationTime(seconds);
    sweep_seconds += seconds;
  }
  state.counters["ratio"] = literal_seconds / static_cast<double>(state.iterations()) /
                            (sweep_seconds / static_cast<double>(sweeps));
}

/// Measures the cost of finding all supports of the k-level, without elimination or scores on S.
void sweep_without_elimination(benchmark::State& state) {
  const auto covariance = normal_data(10, state.range(0));
  for (auto _ : state) {
    state.SetIterationTime(
        run("spannogram-sweep", *covariance, 10, {{"eliminate", false}, {"score", "low-rank"}})
            .seconds);
  }
  state.SetComplexityN(state.range(0));
}

BENCHMARK_CAPTURE(sweep_over_spannogram, finding, "low-rank")->UseManualTime()->Iterations(2);
BENCHMARK_CAPTURE(sweep_over_spannogram, with_scores_on_S, "covariance")
    ->UseManualTime()
    ->Iterations(2);
BENCHMARK(sweep_without_elimination)
    ->RangeMultiplier(10)
    ->Range(100, 100'000)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond)
    ->Complexity();

}  // namespace
}  // namespace spca

BENCHMARK_MAIN();
