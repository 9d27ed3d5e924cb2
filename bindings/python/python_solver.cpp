#include "bindings/python/python_solver.h"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <utility>

#include "bindings/python/json_value.h"
#include "harness/calls/calls.h"
#include "harness/peers/peer.h"
#include "spca/base/borrowed.h"
#include "spca/base/error.h"
#include "spca/base/options_json.h"

namespace spca::python {
namespace {

namespace py = pybind11;

/// A registered function. The entry holds the function too, so that a running solve may outlive
/// the registration.
struct Registered {
  py::function function;
  PeerOptions options;
  std::shared_ptr<SolverEntry> entry;
};

/// Returns the registered functions; the caller holds the GIL. The map is never destroyed, because
/// Python may end first.
std::map<std::string, Registered>& registered() {
  static auto* const solvers = new std::map<std::string, Registered>();
  return *solvers;
}

py::array_t<double> to_array(const Matrix& matrix) {
  py::array_t<double, py::array::f_style> array({matrix.rows(), matrix.cols()});
  std::copy_n(matrix.data(), matrix.size(), array.mutable_data());
  return array;
}

py::array_t<double> to_array(const Vector& vector) {
  return py::array_t<double>(vector.size(), vector.data());
}

/// Returns the nonzero loadings as a component.
Component from_dense(const py::array_t<double>& loadings, Index p) {
  // `loadings` is null if the answer is not an array of numbers.
  if (!loadings || loadings.ndim() != 1 || loadings.shape(0) != p) {
    PyErr_Clear();
    throw InputError(fmt::format(
        "the answer: accepted: a vector of {} loadings, or a tuple (indices, values)", p));
  }
  Component component;
  std::vector<double> values;
  for (Index j = 0; j < p; ++j) {
    if (loadings.at(j) != 0) {
      component.support.push_back(j);
      values.push_back(loadings.at(j));
    }
  }
  component.values = Eigen::Map<const Vector>(values.data(), std::ssize(values));
  return component;
}

Component from_pair(const py::tuple& pair) {
  const auto indices = pair[0].cast<std::vector<Index>>();
  const auto values = pair[1].cast<std::vector<double>>();
  if (indices.size() != values.size()) {
    throw InputError(fmt::format("the answer: {} indices but {} values; accepted: as many",
                                 indices.size(), values.size()));
  }
  std::vector<std::size_t> order(indices.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return indices[a] < indices[b]; });
  Component component;
  component.values.resize(std::ssize(values));
  for (const std::size_t i : order) {
    component.values[std::ssize(component.support)] = values[i];
    component.support.push_back(indices[i]);
  }
  return component;
}

/// Scales a component to unit length, which the judge requires, so that functions need not.
Component scaled(Component component) {
  const double norm = component.values.norm();
  if (norm > 0 && std::isfinite(norm)) {
    component.values /= norm;
  }
  return component;
}

Component to_component(const py::handle& answer, Index p) {
  const bool is_pair = py::isinstance<py::tuple>(answer) && py::len(answer) == 2;
  return scaled(is_pair ? from_pair(answer.cast<py::tuple>())
                        : from_dense(py::array_t<double>::ensure(answer), p));
}

std::vector<Component> to_components(const py::object& answer, Index p, bool is_list) {
  std::vector<Component> components;
  if (!is_list) {
    components.push_back(to_component(answer, p));
  } else {
    for (const py::handle one : answer) {
      components.push_back(to_component(one, p));
    }
  }
  return components;
}

Solution call(const py::function& function, const Problem& problem, const Json& options,
              bool is_joint, Budget& budget) {
  const py::gil_scoped_acquire gil;
  const auto seen = std::make_shared<Operator>(problem, budget);
  struct Closer {
    Operator& seen;
    ~Closer() { seen.close(); }
  } const closer{*seen};
  const py::object cardinality =
      is_joint ? py::object(py::cast(problem.cardinality)) : py::int_(problem.cardinality[0]);
  const py::object answer =
      function(py::cast(seen), cardinality, **to_python(options).cast<py::dict>());
  return make_solution(to_components(answer, problem.covariance.variables(), is_joint), budget);
}

std::shared_ptr<SolverEntry> make_entry(const std::string& name, const py::function& function,
                                        const PeerOptions& options, const Traits& traits) {
  const auto complete = [options](const Json& given, const std::string& where) {
    PeerOptions read = options;
    OptionReader reader(given, where);
    read.describe(reader);
    reader.finish();
    OptionWriter writer;
    read.describe(writer);
    return writer.values();
  };
  const bool is_joint = traits.multiple_components;
  return std::make_shared<SolverEntry>(SolverEntry{
      .name = name,
      .file = "Python",
      .traits = traits,
      .complete_options = complete,
      .solve = [function, is_joint](const Problem& problem, const Json& chosen, Budget& budget)
          -> Solution { return call(function, problem, chosen, is_joint, budget); },
      .describe =
          [options] {
            PeerOptions described = options;
            OptionWriter writer;
            described.describe(writer);
            return writer.descriptions();
          }});
}

PeerOptions options_from(const py::dict& defaults) {
  PeerOptions options;
  for (const auto& [name, value] : defaults) {
    PeerOption option;
    option.name = name.cast<std::string>();
    const Json json = to_json(value, "options/" + option.name);
    if (json.is_boolean()) {
      option.value = json.get<bool>();
    } else if (is_index(json)) {
      option.value = json.get<Index>();
    } else if (json.is_number_float()) {
      option.value = json.get<double>();
    } else if (json.is_string()) {
      option.value = json.get<std::string>();
    } else {
      throw InputError(fmt::format(
          "{}: accepted: a default that is true or false, a number or a word", option.name));
    }
    options.fields.push_back(std::move(option));
  }
  return options;
}

}  // namespace

const Problem& Operator::problem() const {
  if (problem_ == nullptr) {
    throw InputError("the operator: its solve is over; accepted: use within the solver's function");
  }
  return *problem_;
}

py::array_t<double> Operator::multiply(const py::array_t<double>& v) const {
  const Index p = variables();
  if (v.ndim() < 1 || v.ndim() > 2 || v.shape(0) != p) {
    throw InputError(fmt::format("multiply: accepted: a vector or a matrix with {} rows", p));
  }
  const auto in = py::array_t<double, py::array::f_style | py::array::forcecast>::ensure(v);
  if (v.ndim() == 1) {
    Vector out;
    problem().covariance.multiply(Vector(Eigen::Map<const Vector>(in.data(), p)), out);
    return to_array(out);
  }
  Matrix out;
  problem().covariance.multiply_block(Matrix(Eigen::Map<const Matrix>(in.data(), p, v.shape(1))),
                                      out);
  return to_array(out);
}

py::array_t<double> Operator::diagonal() const { return to_array(problem().covariance.diagonal()); }

Support Operator::checked(const std::vector<Index>& indices) const {
  const Index p = variables();
  for (const Index j : indices) {
    if (j < 0 || j >= p) {
      throw InputError(fmt::format("indices: found {}; accepted: 0 to {}", j, p - 1));
    }
  }
  return indices;
}

py::array_t<double> Operator::columns(const std::vector<Index>& indices) const {
  return to_array(problem().covariance.columns(checked(indices)));
}

py::array_t<double> Operator::submatrix(const std::vector<Index>& indices) const {
  // Supports of the library are ascending. The requested rows and columns are selected afterwards.
  Support support = checked(indices);
  std::sort(support.begin(), support.end());
  support.erase(std::unique(support.begin(), support.end()), support.end());
  const Matrix whole = problem().covariance.submatrix(support);
  Matrix out(std::ssize(indices), std::ssize(indices));
  const auto place = [&](Index j) {
    return std::lower_bound(support.begin(), support.end(), j) - support.begin();
  };
  for (Index b = 0; b < out.cols(); ++b) {
    for (Index a = 0; a < out.rows(); ++a) {
      out(a, b) = whole(place(indices[static_cast<std::size_t>(a)]),
                        place(indices[static_cast<std::size_t>(b)]));
    }
  }
  return to_array(out);
}

bool Operator::next(double objective) const {
  static_cast<void>(problem());
  return budget_->next(objective);
}

void register_python_solver(const std::string& name, const py::function& function,
                            const py::dict& options, Traits traits) {
  if (name.empty() || may_be_solver(name)) {
    throw InputError(fmt::format(
        "name: found \"{}\"; accepted: a word that is not a solver of the program", name));
  }
  const PeerOptions described = options_from(options);
  registered()[name] = {.function = function,
                        .options = described,
                        .entry = make_entry(name, function, described, traits)};
}

void remove_python_solver(const std::string& name) {
  if (registered().erase(name) == 0) {
    throw InputError(
        fmt::format("name: found \"{}\"; accepted: a solver that is registered", name));
  }
}

void FoundSolver::rethrow() const {
  if (*error) {
    std::rethrow_exception(std::exchange(*error, nullptr));
  }
}

FoundSolver find_any_solver(const std::string& name, const std::string& where) {
  FoundSolver found;
  const auto own = registered().find(name);
  if (own == registered().end()) {
    // The entry lives as long as the process.
    found.entry = borrowed(calls::solver_named(name, where));
    return found;
  }
  found.is_python = true;
  const auto entry = std::make_shared<SolverEntry>(*own->second.entry);
  entry->solve = [solve = entry->solve, error = found.error](const Problem& problem,
                                                             const Json& options, Budget& budget) {
    try {
      return solve(problem, options, budget);
    } catch (...) {
      *error = std::current_exception();
      Solution failed;
      failed.message = "an exception of Python";
      return failed;
    }
  };
  found.entry = entry;
  return found;
}

std::vector<std::shared_ptr<const SolverEntry>> python_solvers() {
  std::vector<std::shared_ptr<const SolverEntry>> solvers;
  for (const auto& [name, solver] : registered()) {
    solvers.push_back(solver.entry);
  }
  return solvers;
}

}  // namespace spca::python
