/// Measures one evaluation of the relaxation and of its gradient at Y of q columns, beside one at a
/// Y with as many columns as rows: the paper's O(np) against O(n^2) a step (Journee, Bach, Absil,
/// Sepulchre, Refining sparse principal components, 2010, section 3; its p is our q). At full rank
/// X = YY' is any matrix of the spectrahedron, as for "traditional convex optimization tools".
/// Before they are timed, both are checked to give the same value at the same X.

#include <benchmark/benchmark.h>

#include <cmath>

#include "spca/base/error.h"
#include "spca/base/random.h"
#include "spca/covariance/covariance_dense.h"
#include "spca/methods/relaxations/penalty_relaxation.h"

namespace spca {
namespace {

// The largest relative difference between the values of one X, from factors of different width.
constexpr double kSameValue = 1e-10;

std::shared_ptr<const Covariance> gaussian(Index n, Index p) {
  Random random(1);
  Matrix data(n, p);
  for (double& entry : data.reshaped()) {
    entry = random.normal() / std::sqrt(static_cast<double>(n));
  }
  return make_covariance(std::move(data), {.centered = false, .scale = Scale::kNone});
}

Matrix unit_matrix(Index rows, Index columns) {
  Random random(2);
  Matrix y(rows, columns);
  for (double& entry : y.reshaped()) {
    entry = random.normal();
  }
  return y / y.norm();
}

/// Arguments: n samples, q columns of Y; 2n variables.
void evaluate(benchmark::State& state) {
  const auto covariance = gaussian(state.range(0), 2 * state.range(0));
  const PenaltyRelaxation relaxation(*covariance, 0.02);
  const Index columns = std::min(state.range(1), relaxation.dimension());
  const Matrix y = unit_matrix(relaxation.dimension(), columns);
  Matrix padded = Matrix::Zero(y.rows(), y.rows());
  padded.leftCols(columns) = y;
  const double value = relaxation.value(y, 0);
  SPCA_CHECK(std::abs(relaxation.value(padded, 0) - value) <= kSameValue * value,
             "zero columns change the relaxation");
  Matrix gradient;
  for (auto _ : state) {
    benchmark::DoNotOptimize(relaxation.value(y, 0, &gradient));
  }
}

BENCHMARK(evaluate)
    ->Args({50, 1})
    ->Args({50, 6})
    ->Args({50, 50})
    ->Args({100, 6})
    ->Args({100, 100})
    ->Args({200, 6})
    ->Args({200, 17})
    ->Args({200, 200})
    ->Args({400, 6})
    ->Args({400, 33})
    ->Args({400, 400});

}  // namespace
}  // namespace spca

BENCHMARK_MAIN();
