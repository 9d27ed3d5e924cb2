/// The certified optimum for a given cardinality, by branch and bound; anytime.
///
/// Problem  maximise v'Sv  s.t. ||v||_2 = 1, ||v||_0 <= k
/// Step     two searches in turns on the same best support (certified_search.h). One bounds a
///          subtree by sums of squares of S and by the two largest eigenvalues of a submatrix
///          (squares_tree.h): it is cheap, and enough for small k. The other bounds it by the
///          relaxation for a given cardinality (relaxation_tree.h), which takes milliseconds a node
///          and is mostly within a percent at the root. The dual bound of the best support
///          (greedy_bound.h) and those that the solvers of `feeds` certify limit both
/// Start    truncated power ascents from every variable, greedy growth, pairwise exchanges
///          (support_ascent.h). For more than kSearchedWhole variables, an elimination comes first
///          (variable_elimination.h): by the relaxation of the variables of largest variance, or by
///          squares
/// Beyond   If more than `core` variables remain, no tables of S are made. For data, a factor that
///          most variables share may rule out most of the others (one_factor_bound.h), and so may a
///          block of strong variables (strong_block.h). Otherwise the search continues by products
///          with the data, from the support of tpower (data_search.h): by the relaxation of all
///          variables, and by squares of the columns of S. Once at most `core` variables remain, S
///          of these is formed. If S itself is given, a factor of it replaces the data. If there is
///          none, or the data have too many samples for the relaxation (max_samples_searched), the
///          bounds by squares and of `feeds` stay, and the best support is improved for as long as
///          there is time
/// Stops    when no open subtree of one of the searches has a bound above the best value
/// Cost     to begin O(p^2 log p), or with rank n of S O(p^2 n) if the relaxation is needed; of p
///          words O(m^2 n + p), m = 150, 450 or 1350 of them. A node takes O(|C| (p + k) + k^3)
///          at most, C the candidates left, or O(n p q + n^3). The number of nodes is exponential
///          at worst. Memory 40 m^2 bytes, m <= max(core, kSearchedWhole) the variables searched
/// Bound    the value, if it stops by itself. If time runs out, the least of the largest bound of
///          an open subtree and the other bounds; it never rises. The harness recomputes the
///          relaxation's bounds at the points of the search, and repeats the search by squares for
///          a thirtieth of the time, from the support alone
/// Source   the relaxation for one price: A. d'Aspremont, F. Bach, L. El Ghaoui, JMLR 9:1269, 2008;
///          the bound by squares is Frobenius's, with the sum of pairs bounded as by Gilmore (1962)
///          and Lawler (1963); the searches are this project's
/// Differs  variables without variance are excluded first: they add nothing. Subtrees searched at a
///          time are chosen before, so that the answer does not depend on the threads

#include <algorithm>

#include "spca/dense/sparsify.h"
#include "spca/methods/ascent/support_ascent.h"
#include "spca/methods/ascent/support_polish.h"
#include "spca/methods/bounds/certified_search.h"
#include "spca/methods/bounds/data_search.h"
#include "spca/solving/nested_solver.h"
#include "spca/solving/solver.h"
#include "spca/spectrum/eigenpairs.h"
#include "spca/spectrum/remaining_variance.h"

namespace spca::solver_branch_bound {
namespace {

// Number of ascents before S is formed, from the variables of largest variance, and of their steps.
constexpr Index kFirstStarts = 32;
constexpr int kFirstSteps = 20;

// Share of the remaining time that the search for a block may take.
constexpr double kBlockShare = 0.3;

constexpr const char* kOwnName = "branch-bound";
// At most this number of variables in the core: S of them and the tables of the search take 36 GB.
constexpr Index kLargestCore = 30'000;
// The solver whose support starts a search by products; it costs no more than a few of its steps.
constexpr const char* kFirstSolver = "tpower";

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

/// The best of some truncated power ascents, from products with S alone: an elimination needs a
/// good value for comparison.
SupportOptimum first_optimum(const Covariance& covariance, Index k, Budget& budget) {
  SupportOptimum best;
  const Index p = covariance.variables();
  for (const Index j : top_k(covariance.diagonal(), std::min(kFirstStarts, p))) {
    if (!budget.next(best.value)) {
      break;
    }
    Component v{.support = {j}, .values = Vector::Ones(1)};
    for (int step = 0; step < kFirstSteps; ++step) {
      Vector w;
      covariance.multiply(v, w);
      Component next = normalized(restrict_to(w, top_k(w, k)));
      const bool is_settled = next.support == v.support || next.support.empty();
      v = std::move(next);
      if (is_settled) {
        break;
      }
    }
    if (v.support.empty()) {
      continue;
    }
    SupportOptimum found = best_on_support(covariance, v.support);
    if (found.value > best.value) {
      best = std::move(found);
    }
  }
  return best;
}

/// Fills fewer than k positions (ascending) up with the first others, which cannot lower the value
/// of a support.
Support filled_up(Support positions, Index k) {
  for (Index i = 0; std::ssize(positions) < k; ++i) {
    const auto place = std::lower_bound(positions.begin(), positions.end(), i);
    if (place == positions.end() || *place != i) {
      positions.insert(place, i);
    }
  }
  return positions;
}

/// The certificate of the bound of an elimination alone.
std::shared_ptr<SearchCertificate> certificate_of(EliminationCertificate elimination, Index most) {
  auto certificate = std::make_shared<SearchCertificate>();
  certificate->elimination = std::move(elimination);
  certificate->max_variables = most;
  return certificate;
}

/// The search among few enough variables that S is formed. `bound`: the bound of the elimination.
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
  budget.finish_phase("start");
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
  while (!search.is_finished() && budget.next(search.value())) {
    search.advance();
    budget.add_bound(search.bound(), search.value());
  }
  budget.finish_phase("search");
  if (search.is_finished() && !(search.value() > 0)) {
    return skipped(no_positive_support(k));
  }
  Solution solution =
      make_solution({best_on_support(covariance, search.support()).component}, budget);
  solution.message = search.note();
  solution.facts = search.facts();
  solution.facts.emplace_back("start_value", ascent.value());
  // Up to kSearchedWhole variables all are searched, for any core.
  solution.certificate =
      search.certificate(elimination, std::max(options.core, std::ssize(variables)));
  return solution;
}

/// If time is over before the search: the best known component, with the bounds of the elimination
/// and of the other solvers.
Solution give_up(const Problem& problem, const BranchBoundOptions& options, Component best,
                 const EliminationCertificate& elimination, Budget& budget) {
  double value = problem.covariance.quadratic_form(best);
  const auto certificate = certificate_of(elimination, options.core);
  std::string note;
  for (Solution& solution : ask_others(problem, options.feeds, budget, note)) {
    if (solution.certificate != nullptr) {
      certificate->fed.push_back(solution.certificate);
    }
    const double found = problem.covariance.quadratic_form(solution.components[0]);
    if (found > value) {
      value = found;
      best = std::move(solution.components[0]);
    }
  }
  budget.finish_phase("feeds");
  Solution solution = make_solution({std::move(best)}, budget);
  solution.message = std::move(note);
  solution.certificate = std::move(certificate);
  return solution;
}

/// The better of a component and that of kFirstSolver, after exchanges.
Component better_start(const Problem& problem, Component first, Budget& budget) {
  const Covariance& covariance = problem.covariance;
  std::string ignored;  // the message of a failed start
  for (Solution& solution : ask_others(problem, {kFirstSolver}, budget, ignored)) {
    if (covariance.quadratic_form(solution.components[0]) > covariance.quadratic_form(first)) {
      first = std::move(solution.components[0]);
    }
  }
  budget.begin_loop();
  return polished(covariance, first, problem.cardinality[0],
                  [&budget](double value) { return budget.next(value); });
}

/// The variables that one factor leaves, with the best known support, which may improve. The bound
/// and the support are added to the elimination.
VariablesLeft left_by_one_factor(const Problem& problem, Component& best,
                                 EliminationCertificate& elimination, Budget& budget) {
  const Index k = problem.cardinality[0];
  budget.begin_loop();
  OneFactorElimination found = find_one_factor(
      problem.covariance, k, filled_up(best.support, k), problem.threads,
      [&budget](double value) { return budget.next(value); },
      [&budget] { return !budget.is_time_up(); });
  elimination.one_factor = std::move(found.certificate);
  elimination.support = std::move(found.support);
  SupportOptimum optimum = best_on_support(problem.covariance, elimination.support);
  VariablesLeft left{.variables = {}, .bound = found.left.bound};
  std::set_union(found.left.variables.begin(), found.left.variables.end(),
                 elimination.support.begin(), elimination.support.end(),
                 std::back_inserter(left.variables));
  budget.add_bound(left.bound, optimum.value);
  best = std::move(optimum.component);
  budget.finish_phase("block");
  return left;
}

/// The variables that a block of strong variables leaves, with those of the known component `best`.
/// The block and its support are added to the elimination.
VariablesLeft left_by_block(const Problem& problem, const Component& best,
                            EliminationCertificate& elimination, Budget& budget) {
  const Index k = problem.cardinality[0];
  elimination.support = filled_up(best.support, k);
  const double value = best_on_support(problem.covariance, elimination.support).value;
  budget.begin_loop();
  BlockElimination found = find_block(
      problem.covariance, k, best, value, problem.threads,
      [&budget, value] { return budget.next(value); }, [&budget] { return !budget.is_time_up(); });
  elimination.block = std::move(found.certificate);
  VariablesLeft left{.variables = {}, .bound = found.left.bound};
  std::set_union(found.left.variables.begin(), found.left.variables.end(),
                 elimination.support.begin(), elimination.support.end(),
                 std::back_inserter(left.variables));
  budget.add_bound(left.bound, value);
  budget.finish_phase("block");
  return left;
}

/// The search among more variables than the core has, with the bound of an elimination. Once its
/// root rules out enough variables of data, S of the others is formed and searched.
Solution search_beyond(const Problem& problem, const BranchBoundOptions& options,
                       const Component& start, EliminationCertificate elimination, double bound,
                       Budget& budget) {
  const Covariance& covariance = problem.covariance;
  const Index k = problem.cardinality[0];
  const Support support = filled_up(start.support, k);
  DataSearch search(problem, options.feeds, options.core, support, budget);
  if (elimination.block.count > 0 || elimination.one_factor.considered > 0) {
    search.limit(bound, certificate_of(elimination, options.core));
  }
  budget.begin_loop();
  search.begin();
  budget.finish_phase("root");
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
  budget.finish_phase("search");
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
  solution.facts.emplace_back("start_value", covariance.quadratic_form(start));
  solution.certificate = search.certificate(elimination);
  return solution;
}

Solution solve_branch_bound(const Problem& problem, const BranchBoundOptions& options,
                            Budget& budget) {
  const Covariance& covariance = problem.covariance;
  const Index asked = problem.cardinality[0];
  EliminationCertificate elimination;
  Component first;
  if (covariance.variables() > kSearchedWhole) {
    // S is too large to be formed: the first answer and the elimination use products with S.
    const SupportOptimum best = first_optimum(covariance, asked, budget);
    if (best.component.support.empty()) {
      return make_solution({}, budget);
    }
    elimination = find_elimination(
        covariance, asked, best.component.support, [&] { return budget.next(best.value); },
        [&] { return !budget.is_time_up(); });
    if (!(elimination.value > best.value)) {
      elimination.support = best.component.support;
    }
    first = best_on_support(covariance, elimination.support).component;
    budget.finish_phase("elimination");
  }
  const VariablesLeft left = variables_to_search(covariance, asked, options.core, elimination,
                                                 [&] { return budget.next(); });
  const Support& variables = left.variables;
  if (variables.empty()) {
    return skipped(kNoVariance);
  }
  if (variables == elimination.support) {
    return make_solution({std::move(first)}, budget);  // no other support can be better
  }
  if (covariance.variables() > kSearchedWhole && budget.out_of_time()) {
    return give_up(problem, options, std::move(first), elimination, budget);
  }
  if (covariance.variables() <= kSearchedWhole || std::ssize(variables) <= options.core) {
    return search_among(left, elimination, problem, options, budget);
  }
  budget.finish_phase("elimination");
  const VariablesLeft by_factor = left_by_one_factor(problem, first, elimination, budget);
  if (by_factor.variables == elimination.support) {
    return make_solution({std::move(first)}, budget);
  }
  if (std::ssize(by_factor.variables) <= options.core) {
    return search_among(by_factor, elimination, problem, options, budget);
  }
  const double bound = std::min(left.bound, by_factor.bound);
  VariablesLeft by_block = left_by_block(problem, first, elimination, budget);
  if (std::ssize(by_block.variables) > options.core) {
    const double before = covariance.quadratic_form(first);
    first = better_start(problem, std::move(first), budget);
    budget.finish_phase("start");
    if (covariance.quadratic_form(first) > before) {
      by_block = left_by_block(problem, first, elimination, budget);
    }
  }
  if (budget.out_of_time()) {
    return give_up(problem, options, std::move(first), elimination, budget);
  }
  if (std::ssize(by_block.variables) <= options.core) {
    return search_among(by_block, elimination, problem, options, budget);
  }
  return search_beyond(problem, options, first, std::move(elimination),
                       std::min(bound, by_block.bound), budget);
}

SPCA_SOLVER(kOwnName, solve_branch_bound,
            (Traits{.summary = "certified optimum by branch and bound; anytime, with its gap",
                    .problem = "max v'Sv  s.t. ||v|| = 1, ||v||_0 <= k",
                    .source = "this project",
                    .exact = true}));

}  // namespace
}  // namespace spca::solver_branch_bound
