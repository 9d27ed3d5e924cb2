#pragma once

/// Sums up how solvers did on the instances of a class.

#include <string>
#include <vector>

#include "harness/benchmarks/benchmark_cells.h"

namespace spca {

/// The shifts of the geometric means (shifted_geometric_mean). Differences between numbers far
/// below the shift count little.
inline constexpr double kShiftSeconds = 0.01;
inline constexpr double kShiftProducts = 10;

/// One solver on the instances of one class. Shortfalls are those of answers.
struct SolverScore {
  const InstanceClass* of = nullptr;
  std::string solver;  // its label
  std::size_t asked = 0;
  std::size_t not_applicable = 0;
  std::size_t failures = 0;
  std::size_t proved = 0;  // instances with a proved optimum that the solver takes
  std::size_t optima = 0;  // number of these that it reached
  std::size_t best = 0;    // instances whose best known value it reached
  std::size_t proofs = 0;  // answers that its own bound proves
  std::size_t improvements = 0;
  double median_shortfall = kNotMeasured;
  double worst_shortfall = kNotMeasured;
  double products = kNotMeasured;  // shifted geometric mean over the answers
  /// Shifted geometric mean; a failure counts as the time limit. NaN if a time was measured
  /// while other cells ran, or on another machine.
  double seconds = kNotMeasured;
  double peak_bytes = kNotMeasured;  // the most over the answers
  bool unoptimised = false;          // Record::unoptimised of an answer
  bool is_peer = false;
  /// The reason if all cells were skipped for the same one, such as a package that a peer needs.
  std::string skipped;

  bool is_applicable() const { return not_applicable < asked; }
};

/// Digits of shortfalls and times in tables, and in comparisons of solvers.
inline constexpr int kScoreDigits = 3;
/// Returns the number that has only these digits: differences beyond them are rounding noise.
double as_printed(double number);

/// Returns the scores by class, in each class the best first: the one with more optima; then with
/// fewer instances without an answer, the smaller worst shortfall, the smaller median shortfall,
/// and less time, as as_printed() returns them; then by name.
std::vector<SolverScore> solver_scores(const std::vector<BenchmarkCell>& cells);

/// Returns exp(mean log(x + shift)) - shift; NaN without numbers.
double shifted_geometric_mean(const std::vector<double>& numbers, double shift);

}  // namespace spca
