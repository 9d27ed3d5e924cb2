/// A program that links the solver library and nothing else of this project, as another project
/// would. It solves pit props by the solvers that the command line names, or else by some that find
/// the optimum there, and exits with 1 if one of them does not find it.

#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "spca/covariance/covariance_explicit.h"
#include "spca/solving/solve.h"

int main(int count, char** words) {
  using namespace spca;
  std::ifstream file(SPCA_SOURCE_DIR "/datasets/pitprops.json");
  const auto rows = Json::parse(file).at("correlation").get<std::vector<std::vector<double>>>();
  const auto p = static_cast<Index>(rows.size());
  Matrix correlation(p, p);
  for (Index i = 0; i < p; ++i) {
    for (Index j = 0; j < p; ++j) {
      correlation(i, j) = rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
    }
  }
  const std::shared_ptr<const Covariance> covariance =
      make_explicit_covariance(std::move(correlation));

  constexpr double kOptimum = 3.40615;  // k = 5, by enumeration (the experiment quickstart)
  constexpr double kPrinted = 5e-6;     // half a unit of its last digit
  int wrong = 0;
  std::vector<std::string> names(words + 1, words + count);
  if (names.empty()) {
    names = {"tpower", "branch-bound", "fullpath", "exhaustive", "gpower-l0"};
  }
  for (const std::string& name : names) {
    const SolverEntry& solver = SolverRegistry::instance().get(name, "solver");
    const SolveOutcome outcome = solve({.covariance = covariance,
                                        .solver = &solver,
                                        .options = solver.complete_options(Json::object(), ""),
                                        .cardinality = {5}});
    const double value = outcome.solution.components.empty()
                             ? kNotMeasured
                             : covariance->quadratic_form(outcome.solution.components[0]);
    const bool right = std::abs(value - kOptimum) <= kPrinted;
    fmt::print("{} {:.6f} {}\n", name, value, right ? "as enumerated" : "WRONG");
    wrong += right ? 0 : 1;
  }
  return wrong == 0 ? 0 : 1;
}
