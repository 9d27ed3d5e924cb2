/// The module _core, on which the package in bindings/python/spca_bench/ is built. It takes values
/// that the package has checked and converted, and returns dicts and arrays.

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "bindings/python/data.h"
#include "bindings/python/json_value.h"
#include "bindings/python/python_solver.h"
#include "bindings/python/solving.h"
#include "harness/answers/compared_solvers.h"
#include "harness/answers/descriptions.h"
#include "harness/answers/lists.h"
#include "harness/records/manifest.h"
#include "harness/records/record.h"
#include "harness/runs/find_run.h"
#include "harness/verdicts/comparison_json.h"
#include "spca/base/error.h"
#include "spca/base/json_text.h"
#include "spca/data/data_folder.h"
#include "spca/data/dataset.h"

namespace spca::python {
namespace {

namespace py = pybind11;

/// Translates exceptions: input errors become ValueError, missing files FileNotFoundError, and
/// numerical errors ArithmeticError.
void translate(std::exception_ptr thrown) {
  try {
    if (thrown) {
      std::rethrow_exception(thrown);
    }
  } catch (const MissingData& error) {
    PyErr_SetString(PyExc_FileNotFoundError, error.what());
  } catch (const InputError& error) {
    PyErr_SetString(PyExc_ValueError, error.what());
  } catch (const NumericalError& error) {
    PyErr_SetString(PyExc_ArithmeticError, error.what());
  }
}

py::list list_of(const std::string& what) {
  py::list list = to_python(calls::list_of(what));
  if (what == "solvers") {
    for (const auto& solver : python_solvers()) {
      list.append(to_python(spca::solver_summary(*solver)));
    }
  }
  return list;
}

/// Returns the description of a plugin. Messages begin with `where`.
py::object describe(const std::string& kind, const std::string& name, const std::string& where) {
  if (kind == "solver") {
    return to_python(spca::solver_description(*find_any_solver(name, where).entry));
  }
  return to_python(calls::describe(kind, name, where));
}

py::list records(const std::string& run) {
  std::vector<Record> all;
  {
    const py::gil_scoped_release others_may_run;
    all = read_records(find_run(run) / "cells.jsonl");
  }
  py::list list;
  for (const Record& record : all) {
    list.append(to_python(parse_json(record_to_line(record))));
  }
  return list;
}

py::object verdicts(const std::string& run) {
  Json json;
  {
    const py::gil_scoped_release others_may_run;
    const std::filesystem::path folder = find_run(run);
    const Experiment experiment = experiment_of_run(folder, data_directory(""));
    json = verdicts_json(experiment, verdicts_on(experiment, read_records(folder / "cells.jsonl")));
  }
  return to_python(json);
}

const Covariance& covariance(const Data& data) { return *data.dataset->covariance; }

void define_data(py::module_& module) {
  py::class_<Data>(module, "Data",
                   "S, from data that were read once. Use spca_bench.data() to make one.")
      .def_static("dense", dense_data)
      .def_static("sparse", sparse_data)
      .def_static("covariance", covariance_data)
      .def_static("named", named_data)
      .def("samples", samples)
      .def_property_readonly("n", [](const Data& data) { return covariance(data).samples(); })
      .def_property_readonly("p", [](const Data& data) { return covariance(data).variables(); })
      .def_property_readonly("names", [](const Data& data) { return data.dataset->variable_names; })
      .def_property_readonly("notes", [](const Data& data) { return data.dataset->notes; })
      .def_property_readonly("labels", [](const Data& data) { return data.dataset->labels; })
      .def_property_readonly("reading_seconds",
                             [](const Data& data) { return data.reading_seconds; })
      .def_property_readonly("total_variance",
                             [](const Data& data) { return covariance(data).total_variance(); })
      .def_property_readonly("diagonal",
                             [](const Data& data) {
                               const Vector& diagonal = covariance(data).diagonal();
                               return py::array_t<double>(diagonal.size(), diagonal.data());
                             })
      .def_property_readonly("truth", [](const Data& data) {
        Loadings truth;
        for (const Component& component : data.dataset->truth) {
          truth.emplace_back(component.support,
                             std::vector<double>(component.values.begin(), component.values.end()));
        }
        return truth;
      });
}

void define_solving(py::module_& module) {
  module.def(
      "solve",
      [](const Data& data, std::string solver, py::dict options, std::vector<Index> cardinality,
         std::optional<Index> components, std::string deflation, std::uint64_t seed,
         std::optional<std::uint64_t> cell_seed, int threads, double seconds, bool bound) {
        return solve(data, {.solver = std::move(solver),
                            .options = std::move(options),
                            .cardinality = std::move(cardinality),
                            .components = components,
                            .deflation = std::move(deflation),
                            .seed = seed,
                            .cell_seed = cell_seed,
                            .threads = threads,
                            .seconds = seconds,
                            .bound = bound});
      });
  module.def("path", path);
  module.def("suggest", suggest);
  module.def("certify", certify);
  module.def("projected_variances", projected_variances);
  module.def("without_missing", without_missing);
}

void define_python_solvers(py::module_& module) {
  py::class_<Operator, std::shared_ptr<Operator>>(
      module, "Operator", "S as a solver that is written in Python sees it.")
      .def_property_readonly("p", &Operator::variables, "The number of variables.")
      .def_property_readonly("seed", &Operator::seed, "Every random number derives from this.")
      .def("multiply", &Operator::multiply, py::arg("v"), "S v, or S V for a matrix V.")
      .def("diagonal", &Operator::diagonal, "The p variances.")
      .def("columns", &Operator::columns, py::arg("indices"), "The columns of S, p x len(indices).")
      .def("submatrix", &Operator::submatrix, py::arg("indices"),
           "The rows and columns of S, len(indices) x len(indices).")
      .def("next", &Operator::next, py::arg("objective") = kNotMeasured,
           "Counts an iteration; False if the time is over.");
  module.def("register_solver",
             [](const std::string& name, const py::function& function, const py::dict& options,
                std::string summary, std::string problem, std::string source, bool joint,
                bool disjoint, bool orthogonal, bool seeded) {
               register_python_solver(name, function, options,
                                      {.summary = std::move(summary),
                                       .problem = std::move(problem),
                                       .source = std::move(source),
                                       .multiple_components = joint,
                                       .disjoint = disjoint,
                                       .orthogonal = orthogonal,
                                       .seeded = seeded});
             });
  module.def("remove_solver", remove_python_solver);
}

}  // namespace
}  // namespace spca::python

PYBIND11_MODULE(_core, module) {
  using namespace spca::python;  // NOLINT: the macro makes a function of its own
  pybind11::register_local_exception_translator(translate);
  define_data(module);
  define_solving(module);
  define_python_solvers(module);
  module.def("list_of", list_of);
  module.def("describe", describe);
  module.def("compared_solvers", spca::compared_solvers);
  module.def("default_cardinality", spca::calls::default_cardinality);
  module.def("records", records);
  module.def("verdicts", verdicts);
  module.def("add_installed_folder", spca::calls::add_installed_folder);
}
