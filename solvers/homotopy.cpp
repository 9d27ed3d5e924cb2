/// Refinement of a sparse component by way of the convex relaxation, and a certified bound.
///
/// Problem  max v'Sv - rho ||v||_0 s.t. ||v||_2 = 1, which is
///          max sum_i ((a_i'x)^2 - rho)_+ over ||x||_2 = 1, a_i the columns of A, S = A'A
/// Step     A   the component of another solver, x = Av / ||Av||
///          B   max f_ccv(YY') over ||Y||_F = 1 (penalty_relaxation.h), from Y = x, in turns:
///              at most as many new columns as Y has, along the leading directions in which the
///              dual exceeds f_ccv; then a local ascent
///          B'  the loadings of the leading eigenvector x of YY': A'x, cut at sqrt(rho). `answer`
///              EVD returns all of A'x, whose metric direction_objective is the paper's f_EVD
///          C   max mu f_cvx + (1 - mu) f_ccv for mu = 1/steps, 2/steps, ... from B, until YY' has
///              rank one; then the power steps of gpower-l0. At mu = 1 all maxima have rank one
/// Start    the answer of the solver `start`; by default gpower-l0 with the same rho
/// Stops    at B if the dual is within 1e-6, or if more columns gain less than `tolerance`. If the
///          gap to the dual then exceeds `gap`, f_ccv is smoothed: it is evaluated at YY' + floor
///          I, floor from 1e-2 to 1e-7, where it is smooth, so that the directions of the dual
///          raise it. An ascent stops if three steps in a row each gain no more than `tolerance`
/// Cost     an iteration: two products of the n x m factor with an n x q matrix, m the number of
///          variables with S_ii > rho, q that of columns of Y. About log2(q) eigenproblems of n x n
/// Bound    the least value of the dual on the way to B, plus rho k; the harness recomputes it
/// Source   M. Journee, F. Bach, P.-A. Absil, R. Sepulchre, Refining sparse principal components,
///          2010, section 3
/// Differs  the optimiser is limited-memory BFGS and adds several columns at once; the authors have
///          a trust region and add one. The answer is the best of A, B' and C unless `answer` names
///          one. The relaxation is convex, so that B is the same from every start and C nearly so

#include <algorithm>
#include <cmath>

#include "spca/dense/dense_products.h"
#include "spca/dense/sparsify.h"
#include "spca/methods/ascent/thresholded_power.h"
#include "spca/methods/relaxations/homotopy_path.h"
#include "spca/solving/nested_solver.h"
#include "spca/solving/solver.h"
#include "spca/spectrum/eigenpairs.h"

namespace spca::solver_homotopy {
namespace {

constexpr const char* kOwnName = "homotopy";
constexpr const char* kDefaultStart = "gpower-l0";
constexpr const char* kStartOption = "/options/start";

struct HomotopyOptions {
  double penalty = 0.1;
  bool absolute = false;
  std::string start = kDefaultStart;
  Index start_cardinality = 0;
  HomotopyRule rule = {};
  std::string answer = "best";
  bool refit = true;

  void describe(OptionVisitor& visit) {
    visit("penalty", penalty,
          "rho relative to the largest variance; from 1 on it cuts all variables, 0 keeps all",
          at_least(0));
    visit("absolute", absolute, "the penalty is rho itself; not to be tuned");
    visit("start", start, "the solver whose component is refined", solvers_other_than(kOwnName));
    visit("start_cardinality", start_cardinality,
          "cardinality of a start other than gpower-l0; 0: that of gpower-l0 with the same rho",
          at_least(0));
    visit("steps", rule.steps, "number of steps of mu from 0 to 1", at_least(1));
    visit("tolerance", rule.tolerance, "relative gain below which an ascent stops", between(0, 1));
    visit("gap", rule.gap, "relative distance to the dual at which the relaxation is solved",
          between(0, 1));
    visit("answer", answer, "the paper's point to return; EVD: B' before its loadings are cut",
          {"best", "A", "B'", "EVD", "C"});
    visit("refit", refit,
          "replace the loadings of B' and C by the leading eigenvector on their support");
    visit("evolution", rule.evolution,
          "keep mu, rank, f_ccv, f_cvx, f_EVD and the largest eigenvalue of each iteration");
  }
};

/// A component and its value.
struct Candidate {
  Component component;
  double value = 0;  // v'Sv - rho ||v||_0
};

Candidate evaluated(const Covariance& covariance, double rho, Component component) {
  Candidate candidate{.component = std::move(component)};
  if (!candidate.component.support.empty()) {
    candidate.value = covariance.quadratic_form(candidate.component) -
                      rho * static_cast<double>(candidate.component.cardinality());
  }
  return candidate;
}

/// Returns the component of the direction x: its support has the variables with (a_i'x)^2 > rho
/// (the paper's formula below its equation (3)). It is empty if no variable is worth its penalty.
Candidate candidate_at(const Covariance& covariance, const PenaltyRelaxation& relaxation,
                       double rho, const Vector& x, bool refit) {
  const Vector w = transposed_times_vector(relaxation.factor(), x);
  Component pattern;
  std::vector<double> values;
  for (std::size_t i = 0; i < relaxation.variables().size(); ++i) {
    const double share = w[static_cast<Index>(i)];
    if (share * share > relaxation.rho()) {
      pattern.support.push_back(relaxation.variables()[i]);
      values.push_back(share);
    }
  }
  pattern.values = Eigen::Map<const Vector>(values.data(), std::ssize(values));
  return evaluated(covariance, rho,
                   refit ? refitted(covariance, pattern) : normalized(std::move(pattern)));
}

/// Returns the dense loadings A'x / ||A'x|| on the variables with S_ii > rho.
Component dense_loadings(const PenaltyRelaxation& relaxation, const Vector& x) {
  return normalized({.support = relaxation.variables(),
                     .values = transposed_times_vector(relaxation.factor(), x)});
}

/// Returns the answer that is refined. A start other than gpower-l0 needs a cardinality: the option
/// `start_cardinality` or, if that is 0, the cardinality that gpower-l0 finds with the same rho.
Solution find_start(const Problem& problem, const HomotopyOptions& options, double relative_rho,
                    Budget& budget) {
  std::vector<Index> cardinality = {options.start_cardinality};
  if (options.start == kDefaultStart || options.start_cardinality == 0) {
    Solution gpower =
        run_nested_solver(problem, kDefaultStart, {{"penalty", std::min(relative_rho, 1.0)}}, {},
                          kStartOption, budget);
    if (options.start == kDefaultStart || !is_usable(gpower.status) ||
        gpower.components.at(0).support.empty()) {
      return gpower;
    }
    cardinality = {gpower.components[0].cardinality()};
  }
  cardinality[0] = std::min(cardinality[0], problem.covariance.variables());
  budget.begin_loop();
  return run_nested_solver(problem, options.start, {}, cardinality, kStartOption, budget);
}

Solution solve_homotopy(const Problem& problem, const HomotopyOptions& options, Budget& budget) {
  const Covariance& covariance = problem.covariance;
  const double largest_variance = std::pow(longest_column(covariance), 2);
  const double rho = options.penalty * (options.absolute ? 1 : largest_variance);
  if (rho >= largest_variance) {  // no variable is worth its penalty
    return make_solution({Component{}}, budget);
  }
  Solution start = find_start(problem, options, rho / largest_variance, budget);
  if (!is_usable(start.status) || start.components.empty()) {
    start.message = fmt::format("the start, {}: {}", options.start, start.message);
    return start;
  }
  const Candidate at_a = evaluated(covariance, rho, std::move(start.components[0]));
  std::vector<std::pair<std::string, double>> facts = {{"rho", rho}, {"f_A", at_a.value}};
  if (options.answer == "A" || budget.out_of_time()) {
    Solution solution = make_solution({at_a.component}, budget);
    solution.facts = std::move(facts);
    return solution;
  }
  HomotopyPath path(covariance, rho, options.rule, budget);
  path.begin(at_a.component);
  path.relax();
  budget.phases().finish("relaxation");
  const Vector rounded = path.leading_vector();
  const Candidate at_rounded =
      options.answer == "EVD"
          ? Candidate{.component = dense_loadings(path.relaxation(), rounded),
                      .value = path.value_at(rounded)}
          : candidate_at(covariance, path.relaxation(), rho, rounded, options.refit);
  facts.insert(facts.end(), {{"f_B", path.value(0)},
                             {"f_B'", path.value_at(rounded)},
                             {"rank_B", static_cast<double>(path.rank())},
                             {"bound", path.bound()}});
  const Candidate* best = &at_rounded;
  Candidate at_c;
  if (options.answer != "B'" && options.answer != "EVD") {
    path.project();
    budget.phases().finish("homotopy");
    at_c = candidate_at(covariance, path.relaxation(), rho, path.leading_vector(), options.refit);
    facts.insert(facts.end(),
                 {{"f_C", path.value(1)}, {"lambda_max", path.largest_weight_reached()}});
    best = &at_c;
  }
  if (options.answer == "best") {
    for (const Candidate* other : {&at_rounded, &at_a}) {
      best = other->value > best->value ? other : best;
    }
  }
  Solution solution = make_solution({best->component}, budget);
  solution.facts = std::move(facts);
  for (auto& fact : path.release_evolution()) {
    solution.facts.push_back(std::move(fact));
  }
  solution.certificate = path.certificate();
  return solution;
}

SPCA_SOLVER(kOwnName, solve_homotopy,
            (Traits{.summary = "refines a component by way of the convex relaxation",
                    .problem = "max v'Sv - rho ||v||_0 s.t. ||v||_2 = 1",
                    .source = "Journee, Bach, Absil, Sepulchre 2010",
                    .rule = SparsityRule::kPenalty,
                    // The Cholesky factor A of an indefinite S has A'A different from S.
                    .semidefinite = "the relaxation needs an A with A'A = S",
                    .tuning = {.option = "penalty", .minimum = 0, .maximum = 1}}));

}  // namespace
}  // namespace spca::solver_homotopy
