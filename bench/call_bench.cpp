/// Measures one whole call from a matrix to a judged answer, 62 x 2000, as bench/python_call.py
/// makes it from Python: X is copied and centred, and its answer is found and measured. The
/// difference of the two programs is the cost of Python.

#include <benchmark/benchmark.h>

#include <nlohmann/json.hpp>

#include "spca/base/error.h"
#include "spca/base/random.h"
#include "spca/covariance/covariance_dense.h"
#include "spca/measure/judge.h"

namespace spca {
namespace {

constexpr Index kSamples = 62;  // as colon
constexpr Index kVariables = 2000;
constexpr Index kCardinality = 10;

Matrix normal_data() {
  Random random(1);
  Matrix data(kSamples, kVariables);
  for (double& entry : data.reshaped()) {
    entry = random.normal();
  }
  return data;
}

Judgement call(const Matrix& data, const SolverEntry& solver) {
  Dataset dataset;
  dataset.covariance = make_covariance(Matrix(data), DataForm{});
  SolveOutcome outcome = solve({.covariance = dataset.covariance,
                                .solver = &solver,
                                .options = solver.complete_options(Json::object(), ""),
                                .cardinality = {kCardinality}});
  const Spectrum spectrum(*dataset.covariance);
  const Answer answer{.solver = solver,
                      .options = outcome.options,
                      .solution = std::move(outcome.solution),
                      .cardinality = {kCardinality},
                      .cost = outcome.cost};
  return judge(answer, dataset, spectrum, metrics_without_bound());
}

void whole_call(benchmark::State& state, const char* name) {
  const SolverEntry& solver = SolverRegistry::instance().get(name, "solver");
  const Matrix data = normal_data();
  SPCA_CHECK(call(data, solver).wrong.empty(), "the answer is infeasible");
  for ([[maybe_unused]] auto _ : state) {
    benchmark::DoNotOptimize(call(data, solver));
  }
}

BENCHMARK_CAPTURE(whole_call, threshold, "threshold")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(whole_call, tpower, "tpower")->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace spca

BENCHMARK_MAIN();
