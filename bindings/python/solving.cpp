#include "bindings/python/solving.h"

#include <nlohmann/json.hpp>

#include "bindings/python/interruption.h"
#include "bindings/python/json_value.h"
#include "bindings/python/python_solver.h"

namespace spca::python {
namespace {

namespace py = pybind11;

Json options_of(const py::dict& options) { return to_json(options, "options"); }

}  // namespace

py::dict solve(const Data& data, const SolveArguments& arguments) {
  const FoundSolver found = find_any_solver(arguments.solver, "solver");
  calls::Solve call(data, {.solver = found.entry.get(),
                           .options = options_of(arguments.options),
                           .cardinality = arguments.cardinality,
                           .components = arguments.components,
                           .deflation = arguments.deflation,
                           .seed = arguments.seed,
                           .cell_seed = arguments.cell_seed,
                           .threads = arguments.threads,
                           .seconds = arguments.seconds,
                           .bound = arguments.bound});
  Json json;
  run_interruptibly(found.is_python, [&] {
    call.run();
    if (!*found.error) {
      json = call.judged();
    }
  });
  found.rethrow();
  if (json.is_null()) {
    // Interrupted, and a user-defined handler did not throw: the answer so far is returned.
    run_interruptibly(false, [&] { json = call.judged(true); });
  }
  return to_python(json).cast<py::dict>();
}

py::dict path(const Data& data, const std::vector<std::string>& solvers, const py::dict& options,
              const std::vector<Index>& cardinalities, Index resamples, Index folds,
              std::uint64_t seed, double seconds) {
  calls::PathArguments arguments = {.options = options_of(options),
                                    .cardinalities = cardinalities,
                                    .resamples = resamples,
                                    .folds = folds,
                                    .seed = seed,
                                    .seconds = seconds};
  std::vector<FoundSolver> found;
  bool calls_python = false;
  for (const std::string& name : solvers) {
    found.push_back(find_any_solver(name, "solver"));
    calls_python = calls_python || found.back().is_python;
    arguments.solvers.push_back(found.back().entry.get());
  }
  Json json;
  run_interruptibly(calls_python, [&] { json = calls::path(data, arguments); });
  for (const FoundSolver& solver : found) {
    solver.rethrow();
  }
  return to_python(json).cast<py::dict>();
}

py::dict suggest(const Data& data, Index most, std::optional<Index> permutations, Index folds,
                 const std::vector<Index>& cardinalities, const std::string& deflation,
                 std::uint64_t seed, double seconds) {
  Json json;
  run_interruptibly(false, [&] {
    json = calls::suggest(data, {.most = most,
                                 .permutations = permutations,
                                 .folds = folds,
                                 .cardinalities = cardinalities,
                                 .deflation = deflation,
                                 .seed = seed,
                                 .seconds = seconds});
  });
  return to_python(json).cast<py::dict>();
}

py::dict certify(const Data& data, const Loadings& loadings, const std::vector<Index>& cardinality,
                 std::uint64_t seed, int threads, double seconds) {
  Json json;
  run_interruptibly(false, [&] {
    json = calls::certify(
        data, loadings,
        {.seed = seed, .threads = threads, .seconds = seconds, .cardinality = cardinality});
  });
  return to_python(json).cast<py::dict>();
}

std::vector<double> projected_variances(const Data& data, const Loadings& loadings) {
  const py::gil_scoped_release others_may_run;
  return calls::projected_variances(data, loadings);
}

}  // namespace spca::python
