#pragma once

/// Solvers that are Python functions. They are registered in this process only.

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "spca/solving/solver.h"

namespace spca::python {

/// The view of S that such a function gets. It is valid during the call of the function: later uses
/// throw.
class Operator {
 public:
  Operator(const Problem& problem, Budget& budget) : problem_(&problem), budget_(&budget) {}
  void close() { problem_ = nullptr; }

  Index variables() const { return problem().covariance.variables(); }
  std::uint64_t seed() const { return problem().seed; }
  /// S v for v with p entries, S V for V with p rows. Throws InputError for another shape.
  pybind11::array_t<double> multiply(const pybind11::array_t<double>& v) const;
  pybind11::array_t<double> diagonal() const;
  /// S_{:,J}, p x |J|, and S_JJ. `indices` are distinct, within 0 ... p - 1, in any order.
  pybind11::array_t<double> columns(const std::vector<Index>& indices) const;
  pybind11::array_t<double> submatrix(const std::vector<Index>& indices) const;
  /// Counts an iteration. Returns false if the time or the iterations are over.
  bool next(double objective) const;

 private:
  const Problem& problem() const;
  Support checked(const std::vector<Index>& indices) const;

  const Problem* problem_;
  Budget* budget_;
};

/// Registers `function` as a solver, or replaces an earlier one of this name. The function is
/// called as function(operator, k, **options), with the list of all k if `multiple_components`. It
/// returns the loadings of a component, dense or as (indices, values), or a list of such loadings.
/// `options` are the defaults. Throws InputError if a solver of the program has the name.
void register_python_solver(const std::string& name, const pybind11::function& function,
                            const pybind11::dict& options, Traits traits);
/// Removes the solver of this name. Throws InputError if there is none.
void remove_python_solver(const std::string& name);

/// A solver of either kind, and the storage of its exceptions: the harness treats them as failures,
/// but the author of a solver needs to see them.
struct FoundSolver {
  std::shared_ptr<const SolverEntry> entry;
  bool is_python = false;
  std::shared_ptr<std::exception_ptr> error = std::make_shared<std::exception_ptr>();

  /// Rethrows the exception of the last call of a Python function, if there is one.
  void rethrow() const;
};
/// Returns the solver of this name. Throws InputError whose message begins with `where` if there is
/// none.
FoundSolver find_any_solver(const std::string& name, const std::string& where);
/// The solvers that are Python functions, by name.
std::vector<std::shared_ptr<const SolverEntry>> python_solvers();

}  // namespace spca::python
