#pragma once

/// Solvers that are functions of Python. They are known to this process and to nobody else.

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "spca/solving/solver.h"

namespace spca::python {

/// S as such a function sees it. It lives as long as the call of the function: later uses throw.
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
  /// Counts an iteration. False if the time or the iterations are over.
  bool next(double objective) const;

 private:
  const Problem& problem() const;
  Support checked(const std::vector<Index>& indices) const;

  const Problem* problem_;
  Budget* budget_;
};

/// Makes a solver of `function`, or replaces the one that an earlier call made under this name.
/// The function is called as function(operator, k, **options), and with all k of several components
/// if `multiple_components`. It returns a component's loadings, dense or as (indices, values), or a
/// list of such. `options` are the defaults. Throws InputError if a solver of the program has the
/// name.
void register_python_solver(const std::string& name, const pybind11::function& function,
                            const pybind11::dict& options, Traits traits);
/// Forgets it. Throws InputError if there is none.
void remove_python_solver(const std::string& name);

/// A solver of either kind, and where its exceptions wait. (The harness takes them for a failure;
/// whoever writes a solver wants to see them.)
struct FoundSolver {
  std::shared_ptr<const SolverEntry> entry;
  bool is_python = false;
  std::shared_ptr<std::exception_ptr> error = std::make_shared<std::exception_ptr>();

  /// Throws what the last call of a function of Python threw.
  void rethrow() const;
};
/// Throws InputError that opens with `where` if there is none.
FoundSolver find_any_solver(const std::string& name, const std::string& where);
/// Solvers that are functions, by name.
std::vector<std::shared_ptr<const SolverEntry>> python_solvers();

}  // namespace spca::python
