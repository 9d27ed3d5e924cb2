/// Compares the assignment of p variables to r components of k variables with the Hungarian method
/// on the bipartite graph that the paper builds (r k copies of the columns, all p variables).
/// Before a size is timed, both methods must find the same weight, unless the Hungarian method
/// would take seconds. The Hungarian method is that of the tests (tests/hungarian.h), a dense
/// shortest-path implementation of O(p (r k)^2).

#include <benchmark/benchmark.h>
#include <fmt/core.h>

#include <cmath>
#include <cstdlib>

#include "spca/base/random.h"
#include "spca/dense/assignment.h"
#include "tests/hungarian.h"

namespace spca {
namespace {

constexpr double kTolerance = 1e-12;  // of two sums of the same weights

/// Returns weights such as the solvers have: squares of V C for normal V (p x 4, rows of very
/// different length) and random unit directions C.
Matrix span_weights(Index p, Index r) {
  Random random(1);
  constexpr Index kRank = 4;
  Matrix factor(p, kRank);
  for (Index i = 0; i < p; ++i) {
    const double length = std::exp(random.normal());
    for (Index a = 0; a < kRank; ++a) {
      factor(i, a) = length * random.normal();
    }
  }
  Matrix directions(kRank, r);
  for (double& entry : directions.reshaped()) {
    entry = random.normal();
  }
  return (factor * directions.colwise().normalized()).cwiseAbs2();
}

void check_against_hungarian(const Matrix& weights, const std::vector<Index>& capacities) {
  Assignment assignment(capacities);
  assignment.solve(weights);
  const double expected =
      trial::assigned_weight(weights, trial::literal_supports(weights, capacities));
  if (std::abs(assignment.value() - expected) > kTolerance * expected) {
    fmt::print(stderr, "assignment_bench: {} instead of {}\n", assignment.value(), expected);
    std::exit(1);
  }
}

std::vector<Index> equal_capacities(const benchmark::State& state) {
  return std::vector<Index>(static_cast<std::size_t>(state.range(1)), state.range(2));
}

void kernel(benchmark::State& state) {
  const Matrix weights = span_weights(state.range(0), state.range(1));
  Assignment assignment(equal_capacities(state));
  constexpr double kLargestCheck = 2e8;  // steps of the Hungarian method
  if (std::pow(static_cast<double>(assignment.places()), 2) * static_cast<double>(state.range(0)) <
      kLargestCheck) {
    check_against_hungarian(weights, equal_capacities(state));
  }
  for (auto _ : state) {
    benchmark::DoNotOptimize(assignment.solve(weights).data());
  }
}

void hungarian(benchmark::State& state) {
  const Matrix weights = span_weights(state.range(0), state.range(1));
  const std::vector<Index> capacities = equal_capacities(state);
  check_against_hungarian(weights, capacities);
  for (auto _ : state) {
    benchmark::DoNotOptimize(trial::literal_supports(weights, capacities).data());
  }
}

BENCHMARK(kernel)
    ->ArgNames({"p", "r", "k"})
    ->Args({10000, 8, 15})
    ->ArgsProduct({{1000, 100000}, {8}, {15}})
    ->ArgsProduct({{10000}, {2, 4, 16, 32}, {15}})
    ->ArgsProduct({{10000}, {8}, {1, 5, 50, 150, 500}})
    ->Unit(benchmark::kMicrosecond);
BENCHMARK(hungarian)
    ->ArgNames({"p", "r", "k"})
    ->Args({10000, 8, 15})
    ->Args({1000, 8, 15})
    ->Args({10000, 4, 15})
    ->Args({10000, 8, 5})
    ->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace spca

BENCHMARK_MAIN();
