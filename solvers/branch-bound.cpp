/// The certified optimum for a given cardinality, by branch and bound; anytime.
///
/// Problem  maximise v'Sv  s.t. ||v||_2 = 1, ||v||_0 <= k
/// Step     two searches in turns on the same best support (certified_search.h): one bounds a
///          subtree by sums of squares of S (squares_tree.h), cheap and enough for small k; the
///          other by the relaxation for a given cardinality (relaxation_tree.h). The dual bound of
///          the best support (greedy_bound.h) and the certificates of `feeds` limit both. After
///          about a second a third one takes turns if at most 600 variables are searched: it bounds
///          by pairs of variables (one_component_tree.h), for problems whose variables are alike
/// Start    truncated power ascents, greedy growth and exchanges (support_ascent.h)
/// Beyond   for more than kSearchedWhole variables, eliminations come first
///          (elimination_stages.h). If more than `core` variables remain, the search continues by
///          products with the data, or with a factor of S (data_search.h). If, with data, its root
///          leaves at most `core` variables, S of these is formed and searched
/// Stops    when one of the searches has no open subtree with a bound above the best value
/// Cost     at the start O(p^2 log p), or O(p^2 n), n the rank of S, if the relaxation is needed. A
///          node takes at most O(|C| (p + k) + k^3), C the candidates left, or with the relaxation
///          O(n p q + n^3), q <= 24. The number of nodes is exponential at worst. Memory 40 m^2
///          bytes, m the variables searched
/// Bound    the value, if the search stops by itself; otherwise the least of the other bounds and
///          the largest bound of an open subtree. It never rises. The harness recomputes the
///          relaxation's bounds at the points of the search, and repeats a part of the search by
///          squares
/// Source   the relaxation for one price: A. d'Aspremont, F. Bach, L. El Ghaoui, JMLR 9:1269, 2008;
///          the bound by squares is Frobenius's, with the sum of pairs bounded as by Gilmore (1962)
///          and Lawler (1963); the searches are this project's
/// Differs  variables without variance are excluded first: they add nothing. The subtrees to be
///          searched at the same time are chosen before any of them is searched, so that the answer
///          does not depend on the threads

#include <algorithm>
#include <optional>

#include "spca/methods/ascent/support_ascent.h"
#include "spca/methods/bounds/certified_search.h"
#include "spca/methods/bounds/data_search.h"
#include "spca/methods/bounds/elimination_stages.h"
#include "spca/methods/pairs/one_component_tree.h"
#include "spca/solving/nested_solver.h"
#include "spca/solving/solver.h"
#include "spca/spectrum/eigenpairs.h"
#include "spca/spectrum/remaining_variance.h"

namespace spca::solver_branch_bound {
namespace {

constexpr const char* kOwnName = "branch-bound";
// At most this number of variables in the core: S of them and the tables of the search take 36 GB.
constexpr Index kLargestCore = 30'000;
struct BranchBoundOptions {
  std::vector<std::string> feeds = {"spannogram-bound"};
  Index core = kMostSearched;

  void describe(OptionVisitor& visit) {
    visit("feeds", feeds,
          "solvers whose bounds are used if the search takes longer than a second or cannot begin",
          solvers_other_than(kOwnName));
    visit("core", core,
          "largest number of variables of which S is formed, if p exceeds 1024: the search takes "
          "about 40 core^2 bytes, 360 MB by default. If more variables remain, it continues by "
          "products with the data, or with a factor of S",
          between(static_cast<double>(kFirstConsidered), static_cast<double>(kLargestCore)));
  }
};

/// The certificate of the bound of an elimination alone.
std::shared_ptr<SearchCertificate> certificate_of(EliminationCertificate elimination,
                                                  Index max_variables) {
  auto certificate = std::make_shared<SearchCertificate>();
  certificate->elimination = std::move(elimination);
  certificate->max_variables = max_variables;
  return certificate;
}

/// The search among variables that are few enough for S to be formed. left.bound is the bound of
/// the elimination.
Solution search_among(const VariablesLeft& left, const EliminationCertificate& elimination,
                      const Problem& problem, const BranchBoundOptions& options, Budget& budget) {
  const Support& variables = left.variables;
  const Covariance& covariance = problem.covariance;
  const Index k = std::min(problem.cardinality[0], std::ssize(variables));
  const Matrix matrix = covariance.submatrix(variables);
  SupportAscent ascent(matrix, k);
  ascent.search([&](double value) { return budget.next(value); });
  if (!elimination.support.empty()) {
    ascent.consider(filled_up(positions_among(variables, elimination.support), k));
  }
  budget.phases().finish("start");
  // An indefinite S may have no positive value on the supports so far. The search then starts from
  // any support.
  const Support start = ascent.support().empty() ? filled_up({}, k) : ascent.support();
  if (budget.out_of_time()) {
    Solution solution = make_solution(
        {best_on_support(covariance, members_at(variables, start)).component}, budget);
    solution.certificate = certificate_of(elimination, options.core);
    return solution;
  }
  CertifiedSearch search(problem, options.feeds, variables, matrix, start, budget);
  search.limit(left.bound);
  std::optional<OneComponentTree> pairs;
  if (OneComponentTree::is_possible(covariance, variables)) {
    pairs.emplace(matrix, k, search.value());
  }
  const auto is_proved = [&] {
    return search.is_finished() || (pairs && pairs->proves(search.value()));
  };
  while (!is_proved() && budget.next(search.value())) {
    if (pairs && search.value() > 0 && pairs->is_due(search.work())) {
      pairs->advance(search.work(), problem.threads, budget);
      search.limit(pairs->bound());
    } else {
      search.advance();
    }
    budget.add_bound(search.bound(), search.value());
  }
  budget.phases().finish("search");
  if (search.is_finished() && !(search.value() > 0)) {
    return skipped(no_positive_support(k));
  }
  Solution solution =
      make_solution({best_on_support(covariance, search.support()).component}, budget);
  solution.message = search.note();
  solution.facts = search.facts();
  solution.facts.emplace_back("start_value", ascent.value());
  const bool is_bounded_by_pairs = pairs && pairs->nodes() > 0;
  if (is_bounded_by_pairs) {
    solution.facts.emplace_back("pair_nodes", static_cast<double>(pairs->nodes()));
  }
  if (is_proved()) {
    return solution;  // the solver is exact: its value is the bound
  }
  if (is_bounded_by_pairs) {
    search.add_certificate(pairs->certificate(variables));
  }
  // If there are at most kSearchedWhole variables, all are searched, whatever `core` is.
  solution.certificate =
      search.certificate(elimination, std::max(options.core, std::ssize(variables)));
  return solution;
}

/// The answer if time is over before the search: the best component of the elimination and of the
/// other solvers, with their bounds.
Solution give_up(const Problem& problem, const BranchBoundOptions& options,
                 const EliminationStages& stages, Budget& budget) {
  Component best = stages.best();
  double value = problem.covariance.quadratic_form(best);
  const auto certificate = certificate_of(stages.certificate(), options.core);
  OtherAnswers others = ask_others(problem, options.feeds, budget);
  for (Solution& solution : others.solutions) {
    if (solution.certificate != nullptr) {
      certificate->fed.push_back(solution.certificate);
    }
    const double found = problem.covariance.quadratic_form(solution.components[0]);
    if (found > value) {
      value = found;
      best = std::move(solution.components[0]);
    }
  }
  budget.phases().finish("feeds");
  Solution solution = make_solution({std::move(best)}, budget);
  solution.message = std::move(others.note);
  solution.certificate = std::move(certificate);
  return solution;
}

/// The search among more variables than `core`, with the bound of an elimination. If the root of
/// the search rules out enough variables and there are data, S of the rest is formed and searched.
Solution search_beyond(const Problem& problem, const BranchBoundOptions& options,
                       const EliminationStages& stages, double bound, Budget& budget) {
  const Covariance& covariance = problem.covariance;
  const Index k = problem.cardinality[0];
  EliminationCertificate elimination = stages.certificate();
  const Support support = filled_up(stages.best().support, k);
  DataSearch search(problem, options.feeds, options.core, support, budget);
  if (elimination.block.count > 0 || elimination.one_factor.considered > 0) {
    search.limit(bound, certificate_of(elimination, options.core));
  }
  budget.begin_loop();
  search.begin();
  budget.phases().finish("root");
  if (covariance.has_data_form() && !search.is_finished() &&
      std::ssize(search.variables_left()) <= options.core && !budget.out_of_time()) {
    elimination.data_points = search.root_points();
    elimination.support = search.support();
    const VariablesLeft left = variables_to_search(covariance, k, options.core, elimination,
                                                   [&budget] { return !budget.is_time_up(); });
    if (std::ssize(left.variables) <= options.core) {
      return search_among(left, elimination, problem, options, budget);
    }
  }
  budget.begin_loop();
  while (!search.is_finished() && !search.is_exhausted() && budget.next(search.value())) {
    search.advance();
    budget.add_bound(search.bound(), search.value());
  }
  budget.phases().finish("search");
  Solution solution =
      make_solution({best_on_support(covariance, search.support()).component}, budget);
  solution.message = search.note();
  if (solution.status == Status::kConverged && !search.is_finished()) {
    solution.status = Status::kIterationLimit;
    solution.message += fmt::format(
        "{}{} variables cannot be ruled out; the search takes {} (option core)",
        solution.message.empty() ? "" : "; ", search.variables_left().size(), options.core);
  }
  solution.facts = search.facts();
  solution.facts.emplace_back("start_value", covariance.quadratic_form(stages.best()));
  solution.certificate = search.certificate(elimination);
  return solution;
}

Solution solve_branch_bound(const Problem& problem, const BranchBoundOptions& options,
                            Budget& budget) {
  const auto is_few = [&](const Support& variables) {
    return std::ssize(variables) <= options.core;
  };
  const bool is_whole = problem.covariance.variables() <= kSearchedWhole;
  EliminationStages stages(problem, options.core, budget);
  if (!is_whole && !stages.begin()) {
    return make_solution({}, budget);
  }
  const VariablesLeft left = stages.by_relaxation_or_squares();
  if (left.variables.empty()) {
    return skipped(kNoVariance);
  }
  if (stages.is_settled(left)) {
    return make_solution({stages.best()}, budget);
  }
  if (!is_whole && budget.out_of_time()) {
    return give_up(problem, options, stages, budget);
  }
  if (is_whole || is_few(left.variables)) {
    return search_among(left, stages.certificate(), problem, options, budget);
  }
  budget.phases().finish("elimination");
  const VariablesLeft by_factor = stages.by_one_factor();
  if (stages.is_settled(by_factor)) {
    return make_solution({stages.best()}, budget);
  }
  if (is_few(by_factor.variables)) {
    return search_among(by_factor, stages.certificate(), problem, options, budget);
  }
  VariablesLeft by_block = stages.by_block();
  if (!is_few(by_block.variables) && stages.improve()) {
    by_block = stages.by_block();
  }
  if (budget.out_of_time()) {
    return give_up(problem, options, stages, budget);
  }
  if (is_few(by_block.variables)) {
    return search_among(by_block, stages.certificate(), problem, options, budget);
  }
  return search_beyond(problem, options, stages,
                       std::min({left.bound, by_factor.bound, by_block.bound}), budget);
}

SPCA_SOLVER(kOwnName, solve_branch_bound,
            (Traits{.summary = "certified optimum by branch and bound; anytime, with its gap",
                    .problem = "max v'Sv  s.t. ||v|| = 1, ||v||_0 <= k",
                    .source = "this project",
                    .exact = true}));

}  // namespace
}  // namespace spca::solver_branch_bound
