#include <algorithm>
#include <cmath>
#include <limits>

#include "spca/solving/solver.h"

namespace spca {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

void visit_wrong(OptionVisitor& visit, std::string& wrong) {
  visit("wrong", wrong, "what of the answer is not a number or not an index",
        {"nothing", "nan", "infinite", "some-infinite", "few-values", "many-values", "negative",
         "beyond", "descending", "twice", "long", "two", "facts", "trace"});
}

struct MisbehaveNumbersOptions {
  std::string wrong = "nothing";
  void describe(OptionVisitor& visit) { visit_wrong(visit, wrong); }
};

/// Returns a unit vector on the first k variables with the error that `wrong` names.
Component wrong_component(Index p, Index k, const std::string& wrong) {
  Component component;
  for (Index i = 0; i < k; ++i) {
    component.support.push_back(i);
  }
  component.values = Vector::Constant(k, 1 / std::sqrt(static_cast<double>(k)));
  if (wrong == "nan") {
    component.values[k - 1] = kNan;
  } else if (wrong == "infinite") {
    component.values.setConstant(kInfinity);
  } else if (wrong == "some-infinite") {
    component.values[0] = -kInfinity;
  } else if (wrong == "few-values") {
    component.values = Vector::Ones(1);
    component.support.resize(1000, 0);  // far beyond the values
  } else if (wrong == "many-values") {
    component.support.pop_back();
  } else if (wrong == "negative") {
    component.support.front() = -1;
  } else if (wrong == "beyond") {
    component.support.back() = p + 1'000'000'000;
  } else if (wrong == "descending") {
    std::reverse(component.support.begin(), component.support.end());
  } else if (wrong == "twice") {
    component.support.back() = component.support[static_cast<std::size_t>(k) - 2];
  } else if (wrong == "long") {
    component.values *= 1e200;
  }
  return component;
}

Solution solve_misbehave_numbers(const Problem& problem, const MisbehaveNumbersOptions& options,
                                 Budget& budget) {
  const Index p = problem.covariance.variables();
  budget.next(options.wrong == "trace" ? kNan : 1.0);
  budget.next(options.wrong == "trace" ? kInfinity : 1.0);
  Solution solution =
      make_solution({wrong_component(p, problem.cardinality.front(), options.wrong)}, budget);
  if (options.wrong == "two") {
    solution.components.push_back(solution.components.front());
  }
  if (options.wrong == "facts") {
    solution.facts = {{"none", kNan}, {"too_much", kInfinity}, {"too_little", -kInfinity}};
  }
  return solution;
}

SPCA_SOLVER("misbehave-numbers", solve_misbehave_numbers,
            (Traits{.summary = "answers with what is not a number", .problem = "", .source = ""}));

struct MisbehavePenaltyOptions {
  std::string wrong = "nothing";
  double penalty = 0.5;
  void describe(OptionVisitor& visit) {
    visit_wrong(visit, wrong);
    visit("penalty", penalty, "changes nothing", between(0, 1));
  }
};

/// Answers like misbehave-numbers, with a penalty that the harness tunes, and with more nonzeros
/// than any request of the tests.
Solution solve_misbehave_penalty(const Problem& problem, const MisbehavePenaltyOptions& options,
                                 Budget& budget) {
  constexpr Index kNonzeros = 6;
  budget.next();
  return make_solution({wrong_component(problem.covariance.variables(), kNonzeros, options.wrong)},
                       budget);
}

SPCA_SOLVER("misbehave-penalty", solve_misbehave_penalty,
            (Traits{.summary = "answers a penalty with what is not a number",
                    .problem = "",
                    .source = "",
                    .rule = SparsityRule::kPenalty,
                    .tuning = {.option = "penalty"}}));

/// Answers like misbehave-numbers, with a path that is wrong at k = 2 alone.
Solution solve_misbehave_path(const Problem& problem, const MisbehaveNumbersOptions& options,
                              Budget& budget) {
  Solution solution = solve_misbehave_numbers(problem, options, budget);
  const Index p = problem.covariance.variables();
  for (Index k = 1; k <= problem.cardinality.front(); ++k) {
    solution.path.push_back({.component = wrong_component(p, k, k == 2 ? options.wrong : "nothing"),
                             .seconds = k == 2 ? kNan : 0.5});
  }
  return solution;
}

SPCA_SOLVER("misbehave-path", solve_misbehave_path,
            (Traits{.summary = "answers with what is not a number, on a path",
                    .problem = "",
                    .source = "",
                    .path = true}));

}  // namespace
}  // namespace spca
