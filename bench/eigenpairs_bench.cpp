/// Measures the leading eigenpairs by each route, on spectra like those of the spiked experiment:
/// two large eigenvalues above a bulk. The counter `over_dense` is the least time divided by that
/// of Eigen's dense solver on the same matrix, whose largest eigenvalue is compared before anything
/// is timed. `of_data` has neither the counter nor the comparison.

#include <benchmark/benchmark.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "spca/base/random.h"
#include "spca/covariance/covariance_dense.h"
#include "spca/covariance/covariance_explicit.h"
#include "spca/dense/leading_eigenpair.h"
#include "spca/dense/sparsify.h"
#include "spca/dense/tridiagonal_form.h"
#include "spca/spectrum/eigenpairs.h"

namespace spca {
namespace {

constexpr double kAgreement = 1e-12;

Matrix spiked_data(Index n, Index p) {
  Random random(4);
  Matrix x = Matrix::NullaryExpr(n, p, [&](Index, Index) { return random.normal(); });
  for (Index i = 0; i < n; ++i) {
    const double first = 20 * random.normal() / std::sqrt(10.0);
    const double second = 17 * random.normal() / std::sqrt(10.0);
    x.row(i).head(10).array() += first;
    x.row(i).segment(10, 10).array() += second;
  }
  return x;
}

double seconds_of(const auto& function) {
  const auto start = std::chrono::steady_clock::now();
  function();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Times `fast` and the dense solver on `matrix` alternately.
void against_dense(benchmark::State& state, const Matrix& matrix, double value, const auto& fast) {
  Eigen::SelfAdjointEigenSolver<Matrix> solver(matrix);
  if (!(std::abs(solver.eigenvalues().tail(1)[0] - value) <= kAgreement * value)) {
    state.SkipWithError("the eigenvalue is not the dense solver's");
    return;
  }
  double fastest = std::numeric_limits<double>::infinity();
  double dense = fastest;
  for (auto _ : state) {
    const double seconds = seconds_of(fast);
    fastest = std::min(fastest, seconds);
    dense = std::min(dense, seconds_of([&] { solver.compute(matrix); }));
    state.SetIterationTime(seconds);
  }
  state.counters["over_dense"] = fastest / dense;
}

/// A Gram matrix of m samples.
void cold(benchmark::State& state) {
  const Index m = state.range(0);
  const Matrix x = spiked_data(m, 10 * m + 20);
  const Matrix gram = x * x.transpose();
  against_dense(state, gram, leading_eigenpair(gram).value,
                [&] { benchmark::DoNotOptimize(leading_eigenpair(gram)); });
}

/// The three leading eigenvectors of a dense matrix, with all its eigenvalues.
void few_of_dense(benchmark::State& state) {
  const Index m = state.range(0);
  const Matrix x = spiked_data(2 * m, m);
  const Matrix s = x.transpose() * x;
  const auto few = [&] {
    return leading_symmetric_eigenpairs(s, [](const Vector&) { return Index{3}; });
  };
  against_dense(state, s, few().values[m - 1], [&] { benchmark::DoNotOptimize(few()); });
}

/// The step of a greedy path: one more variable, from the vector before.
void warm(benchmark::State& state) {
  const Index m = state.range(0);
  const Matrix x = spiked_data(60, m + 20);
  const Matrix s = (x.transpose() * x).topLeftCorner(m, m);
  Vector start = Vector::Zero(m);
  start.head(m - 1) = leading_eigenpair(s.topLeftCorner(m - 1, m - 1)).vector;
  against_dense(state, s, leading_eigenpair(s, start).value,
                [&] { benchmark::DoNotOptimize(leading_eigenpair(s, start)); });
}

/// One or three eigenpairs of S that is given itself, p x p: shows from which p on Lanczos is
/// faster than the dense solver.
void of_matrix(benchmark::State& state) {
  const Index p = state.range(0);
  const Matrix x = spiked_data(2 * p, p);
  const Matrix s = x.transpose() * x;
  const auto covariance = make_explicit_covariance(s);
  const Index count = state.range(1);
  against_dense(state, s, leading_eigenpairs(*covariance, count).values[0],
                [&] { benchmark::DoNotOptimize(leading_eigenpairs(*covariance, count)); });
}

/// The eigenpairs of data with n < p, including the Gram matrix and its eigenvectors.
void of_data(benchmark::State& state) {
  const Matrix x = spiked_data(state.range(0), state.range(1));
  for (auto _ : state) {
    state.PauseTiming();
    const auto covariance = make_covariance(x, {});  // a new one, which keeps no Gram matrix yet
    state.ResumeTiming();
    benchmark::DoNotOptimize(leading_eigenpairs(*covariance, state.range(2)));
  }
}

BENCHMARK(cold)->Arg(12)->Arg(50)->Arg(200)->UseManualTime();
BENCHMARK(warm)->Arg(12)->Arg(50)->Arg(200)->Arg(400)->UseManualTime();
BENCHMARK(few_of_dense)->Arg(20)->Arg(70)->Arg(101)->Arg(257)->Arg(400)->UseManualTime();
BENCHMARK(of_matrix)->ArgsProduct({{100, 200, 300, 400, 600}, {1, 3}})->UseManualTime();
BENCHMARK(of_data)->Args({50, 500, 1})->Args({5, 500, 1})->Args({62, 2000, 5});

}  // namespace
}  // namespace spca

BENCHMARK_MAIN();
