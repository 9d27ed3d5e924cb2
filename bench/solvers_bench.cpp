/// Measures the cost of one component, solver by solver. Before a solver is timed, its answer is
/// checked by the definition: v'Sv is computed from S entry by entry. On a small problem it is also
/// compared with the optimum, which brute force finds.

#include <benchmark/benchmark.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "spca/base/random.h"
#include "spca/covariance/covariance_dense.h"
#include "spca/solving/solve.h"

namespace spca {
namespace {

// The largest relative difference between two ways to sum the same products.
constexpr double kTolerance = 1e-9;

/// n x p noise with one component on the first ten variables.
Matrix spiked_data(Index n, Index p) {
  Random random(1);
  Matrix data(n, p);
  for (double& entry : data.reshaped()) {
    entry = random.normal();
  }
  for (Index i = 0; i < n; ++i) {
    data.row(i).head(std::min<Index>(10, p)).array() += 3 * random.normal();
  }
  return data;
}

Matrix naive_covariance(const Matrix& data) {
  const Matrix centered = data.rowwise() - data.colwise().mean();
  return centered.transpose() * centered / static_cast<double>(data.rows());
}

void require(bool condition, const char* what) {
  if (!condition) {
    fmt::print(stderr, "solvers_bench: {}\n", what);
    std::exit(1);
  }
}

Component run(const SolverEntry& solver, const Covariance& covariance, Index k,
              const Json& options) {
  Budget budget;
  const Solution solution = solver.solve(
      {.covariance = covariance, .components = 1, .cardinality = {k}, .seed = 1, .threads = 1},
      options, budget);
  require(is_usable(solution.status) && solution.components.size() == 1, "no answer");
  return solution.components[0];
}

double naive_value(const Matrix& covariance, const Component& v) {
  double value = 0;
  for (Index i = 0; i < v.cardinality(); ++i) {
    for (Index j = 0; j < v.cardinality(); ++j) {
      value += v.values(i) * v.values(j) *
               covariance(v.support[static_cast<std::size_t>(i)],
                          v.support[static_cast<std::size_t>(j)]);
    }
  }
  return value;
}

/// Requires that the answer for 10 variables and k = 4 is at most the optimum, found by a loop over
/// bitmasks, and equal to it if the solver is exact.
void check_against_brute_force(const SolverEntry& solver, const Json& options) {
  const Matrix data = spiked_data(20, 10);
  const Matrix naive = naive_covariance(data);
  double optimum = 0;
  for (unsigned mask = 0; mask < 1U << 10; ++mask) {
    Support support;
    for (Index i = 0; i < 10; ++i) {
      if ((mask >> i & 1U) != 0) {
        support.push_back(i);
      }
    }
    if (support.size() == 4) {
      const Matrix submatrix = naive(support, support);
      optimum = std::max(optimum,
                         Eigen::SelfAdjointEigenSolver<Matrix>(submatrix).eigenvalues().maxCoeff());
    }
  }
  const Component v = run(solver, *make_covariance(data, {}), 4, options);
  require(naive_value(naive, v) <= optimum * (1 + kTolerance), "a value above the optimum");
  require(!solver.traits.exact || naive_value(naive, v) >= optimum * (1 - kTolerance),
          "an exact solver below the optimum");
}

void time_solver(benchmark::State& state, const std::string& name, const Json& chosen, Index n,
                 Index p, Index k) {
  const SolverEntry& solver = SolverRegistry::instance().get(name, "");
  const Json options = solver.complete_options(chosen, "");
  check_against_brute_force(solver, options);
  const Matrix data = spiked_data(n, p);
  const auto covariance = make_covariance(data, {});
  const Component answer = run(solver, *covariance, k, options);
  const double value = naive_value(naive_covariance(data), answer);
  require(std::abs(covariance->quadratic_form(answer) - value) <= kTolerance * value,
          "v'Sv from X differs from v'Sv from S");
  const std::uint64_t before = covariance->products();
  for (auto _ : state) {
    benchmark::DoNotOptimize(run(solver, *covariance, k, options));
  }
  state.counters["products"] = static_cast<double>(covariance->products() - before) /
                               static_cast<double>(state.iterations());
}

void register_all() {
  const auto add = [](const std::string& name, const Json& options, Index n, Index p, Index k) {
    benchmark::RegisterBenchmark(
        fmt::format("{}{}/{}x{}/k{}", name, options.empty() ? "" : options.dump(), n, p, k).c_str(),
        [=](benchmark::State& state) { time_solver(state, name, options, n, p, k); })
        ->Unit(benchmark::kMicrosecond);
  };
  const Json none = Json::object();
  for (const char* name : {"diagonal", "threshold", "tpower", "em", "fullpath"}) {
    add(name, none, 50, 500, 10);
    add(name, none, 200, 2000, 50);
  }
  for (const char* start :
       {"largest-variance", "largest-variances", "leading-eigenvector", "path", "heaviest-rows"}) {
    add("tpower", {{"starts", Json::array({start})}}, 50, 500, 10);
  }
  for (const char* variant : {"approximate", "exact", "backward"}) {
    add("fullpath", {{"variant", variant}}, 100, 300, 300);
  }
  add("exhaustive", none, 40, 20, 8);
}

}  // namespace
}  // namespace spca

int main(int argc, char** argv) {
  spca::register_all();
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
