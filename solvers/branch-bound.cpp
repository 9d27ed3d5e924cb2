/// The optimum for a given cardinality with a proof, by branch and bound; anytime.
///
/// Problem  maximise v'Sv  s.t. ||v||_2 = 1, ||v||_0 <= k
/// Step     two searches by turns on the same best support. One bounds a subtree by sums of squares
///          of S and by the two largest eigenvalues of a submatrix (support_tree.h): cheap, and
///          enough for small k. The other bounds it by the relaxation for a given cardinality
///          (relaxation_tree.h): milliseconds a node, and mostly within a percent at the root. The
///          dual bound of the best support (greedy_bound.h) and those that the solvers of `feeds`
///          prove limit both
/// Start    truncated power ascents from every variable, greedy growth, pairwise exchanges
///          (support_ascent.h). Of more than kDense variables, first those that the relaxation of
///          the ones of largest variance (relaxed_candidates.h), or else the bound by squares
///          (support_candidates.h), cannot rule out
/// Stops    when no open subtree of one of the searches has a bound above the best value
/// Cost     to begin O(p^2 log p), or with rank n of S O(p^2 n) where the relaxation is needed; of
/// p
///          words O(m^2 n + p), m = 150, 450 or 1350 of them. A node O(|C| (m p / |C| + k) + k^3),
///          C the candidates left and m the variables still to choose, or O(n p q + n^3). The
///          number of nodes is exponential at worst
/// Bound    the value where it stops by itself. Where time runs out, the least of the largest bound
///          of an open subtree and the others; the harness computes the relaxation's bounds anew
///          at the points that they were found at, and searches again by squares for a thirtieth of
///          the time, from the support alone
/// Source   the relaxation for one price: d'Aspremont, Bach, El Ghaoui, JMLR 9:1269, 2008; the
/// bound
///          by squares is Frobenius's, with the sum of pairs bounded as by Gilmore (1962) and
///          Lawler (1963); the searches are this project's
/// Differs  variables without variance are left out first: they add nothing. Subtrees searched at a
///          time are chosen before, so that the answer does not depend on the threads

#include <algorithm>
#include <optional>

#include "spca/eigenpairs.h"
#include "spca/greedy_bound.h"
#include "spca/inner_solver.h"
#include "spca/relaxation_tree.h"
#include "spca/relaxed_candidates.h"
#include "spca/solver.h"
#include "spca/sparsify.h"
#include "spca/support_ascent.h"
#include "spca/support_candidates.h"
#include "spca/support_tree.h"

namespace spca {
namespace {

// S is formed at once up to so many variables, and after the elimination at most of so many: its
// tables take 16 bytes an entry and more.
constexpr Index kDense = 1024;
constexpr Index kLargestDense = 3000;
// Ascents before S is formed, from the variables of largest variance.
constexpr Index kFirstStarts = 32;
constexpr int kFirstSteps = 20;

// What checks the search by squares may take this share of its time, and so many multiplications.
constexpr double kCheckShare = 1.0 / 32;
constexpr double kFreeWork = 3e7;
// The search by squares is alone until it has taken so many multiplications over p^2: the
// relaxation of the root takes about as long.
constexpr double kRelaxationsWait = 100;
// The search by the relaxation may take so many times as long as that by squares.
constexpr double kRelaxationsShare = 4;
// Of more variables S is not factored.
constexpr Index kLargestRelaxed = 1500;
// Other solvers are asked for their bounds after so many.
constexpr double kFeedWait = 1e9;

constexpr const char* kOwnName = "branch-bound";
constexpr const char* kFeedsOption = "/options/feeds";

struct BranchBoundOptions {
  std::vector<std::string> feeds = {"spannogram-bound"};

  void describe(OptionVisitor& visit) {
    visit("feeds", feeds,
          "solvers whose bounds are taken in where the search takes longer than a second or cannot "
          "begin",
          solvers_other_than(kOwnName));
  }
};

/// The best of some truncated power ascents, from products with S alone.
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

/// Variables that may be in a support better than `value`, without those whose rows are zero.
Support variables_to_search(const Covariance& covariance, Index k, double value,
                            const RelaxedElimination& elimination,
                            const std::function<bool()>& keep_going) {
  if (covariance.variables() > kDense) {
    const Support left = relaxed_candidates(covariance, k, value, elimination);
    return std::ssize(left) <= kLargestDense ? left
                                             : support_candidates(covariance, k, value, keep_going);
  }
  Support variables;
  for (Index j = 0; j < covariance.variables(); ++j) {
    if (covariance.diagonal()[j] > 0) {
      variables.push_back(j);
    }
  }
  return variables;
}

Support take_from(const Support& variables, const Support& positions) {
  Support support;
  for (const Index i : positions) {
    support.push_back(variables[static_cast<std::size_t>(i)]);
  }
  return support;
}

/// Nothing is trusted: the value of the support is computed from S, and so are the bounds that show
/// how much better another might be. The search by squares is made again, as far as `work` allows.
class SearchCertificate final : public BoundCertificate {
 public:
  Support support;
  RelaxedElimination elimination = {};
  double work = 0;
  GreedyBound dual = {};                                          // no vector: none
  std::shared_ptr<const RelaxationProof> relaxations = nullptr;   // may be null
  std::vector<std::shared_ptr<const BoundCertificate>> fed = {};  // of other solvers

  double check(const Covariance& covariance, Index k) const override {
    double bound = std::numeric_limits<double>::infinity();
    for (const auto& certificate : fed) {
      bound = std::min(bound, certificate->check(covariance, k));
    }
    if (!dual.vector.support.empty()) {
      const Vector overlaps = greedy_overlaps(covariance, dual.vector);
      bound =
          std::min(bound, greedy_bound(covariance, greedy_dual(covariance, overlaps, dual.rho), k));
    }
    return std::min(bound, searched_bound(covariance, k));
  }

 private:
  double searched_bound(const Covariance& covariance, Index k) const {
    const double value = best_on_support(covariance, support).value;
    const Support variables =
        variables_to_search(covariance, k, value, elimination, [] { return true; });
    Support positions;
    for (const Index j : support) {
      const auto place = std::lower_bound(variables.begin(), variables.end(), j);
      if (place == variables.end() || *place != j) {
        return std::numeric_limits<double>::infinity();
      }
      positions.push_back(place - variables.begin());
    }
    if (std::ssize(positions) != std::min(k, std::ssize(variables)) ||
        std::ssize(variables) > kLargestDense) {
      return std::numeric_limits<double>::infinity();
    }
    const Matrix matrix = covariance.submatrix(variables);
    double bound = relaxations == nullptr || relaxations->support != positions
                       ? std::numeric_limits<double>::infinity()
                       : relaxations->bound(matrix);
    if (work > 0) {
      SupportTree tree(matrix, positions);
      while (!tree.is_finished() && tree.work() < work) {
        tree.advance(1);
      }
      bound = std::min(bound, tree.bound());
    }
    return bound;
  }
};

/// All that can end the proof, among few enough variables that S is formed.
class Search {
 public:
  Search(const Problem& problem, const BranchBoundOptions& options, const Support& variables,
         const Matrix& matrix, const Support& start, Budget& budget)
      : problem_(problem),
        options_(options),
        variables_(variables),
        matrix_(matrix),
        budget_(budget),
        squares_(matrix, start) {}

  bool is_finished() const {
    return squares_.is_finished() || (relaxations_ && relaxations_->is_finished());
  }
  void advance();

  double value() const { return squares_.value(); }
  double bound() const {
    return is_finished() ? value()
                         : std::min(squares_.bound(),
                                    relaxations_ ? relaxations_->bound() : squares_.bound());
  }
  Support support() const { return take_from(variables_, squares_.support()); }
  std::vector<std::pair<std::string, double>> facts() const;
  std::shared_ptr<const BoundCertificate> certificate(const RelaxedElimination& elimination) const;

 private:
  void begin_relaxations();
  void feed();
  void share();

  const Problem& problem_;
  const BranchBoundOptions& options_;
  const Support& variables_;
  const Matrix& matrix_;
  Budget& budget_;
  SupportTree squares_;
  std::optional<RelaxationTree> relaxations_;
  GreedyBound dual_;
  std::vector<std::shared_ptr<const BoundCertificate>> fed_;
  bool is_fed_ = false;
};

/// Whichever search has worked less goes on, so that neither can cost more than twice the other.
void Search::advance() {
  if (!relaxations_ && matrix_.rows() <= kLargestRelaxed &&
      squares_.work() > kRelaxationsWait * static_cast<double>(matrix_.size())) {
    begin_relaxations();
  } else if (!is_fed_ && squares_.work() > kFeedWait) {
    feed();
  } else if (relaxations_ && relaxations_->can_advance() &&
             relaxations_->work() <= kRelaxationsShare * squares_.work()) {
    relaxations_->advance(problem_.threads);
  } else {
    squares_.advance(problem_.threads);
  }
  share();
}

void Search::begin_relaxations() {
  if (matrix_.rows() <= kDense) {
    dual_ =
        greedy_bound(problem_.covariance, best_on_support(problem_.covariance, support()).component,
                     std::ssize(squares_.support()));
    squares_.limit(dual_.value);
  }
  relaxations_.emplace(matrix_, squares_.support());
  relaxations_->begin([this] { return budget_.next(squares_.value()); });
}

void Search::feed() {
  is_fed_ = true;
  for (const std::string& name : options_.feeds) {
    budget_.begin_loop();
    const Solution solution = run_inner_solver(problem_, name, Json::object(), problem_.cardinality,
                                               kFeedsOption, budget_);
    if (solution.certificate != nullptr && !budget_.out_of_time()) {
      squares_.limit(solution.certificate->check(problem_.covariance, problem_.cardinality[0]));
      fed_.push_back(solution.certificate);
    }
  }
}

/// The best support is that of both, and so is the limit.
void Search::share() {
  if (!relaxations_ || is_finished()) {
    return;
  }
  squares_.offer(relaxations_->support(), relaxations_->value());
  if (squares_.value() > relaxations_->value()) {
    relaxations_->offer(squares_.support());
  }
  squares_.limit(relaxations_->bound());
}

std::vector<std::pair<std::string, double>> Search::facts() const {
  const bool has_both = relaxations_.has_value();
  return {{"value", value()},
          {"bound", bound()},
          {"gap", bound() / value() - 1},
          {"nodes", static_cast<double>(squares_.nodes())},
          {"work", squares_.work()},
          {"relaxation_nodes", has_both ? static_cast<double>(relaxations_->nodes()) : 0},
          {"relaxation_work", has_both ? relaxations_->work() : 0},
          {"variables_left", static_cast<double>(squares_.variables_left())}};
}

std::shared_ptr<const BoundCertificate> Search::certificate(
    const RelaxedElimination& elimination) const {
  if (is_finished()) {
    return nullptr;
  }
  auto certificate = std::make_shared<SearchCertificate>();
  certificate->support = support();
  certificate->elimination = elimination;
  const double work = kCheckShare * squares_.work() / problem_.threads + kFreeWork;
  certificate->work = squares_.setup_work() < work ? work : 0;
  certificate->dual = dual_;
  certificate->relaxations = relaxations_ ? relaxations_->proof() : nullptr;
  certificate->fed = fed_;
  return certificate;
}

/// The proof, among few enough variables that S is formed.
Solution search_among(const Support& variables, const RelaxedElimination& elimination,
                      const Problem& problem, const BranchBoundOptions& options, Budget& budget) {
  const Covariance& covariance = problem.covariance;
  const Index k = std::min(problem.cardinality[0], std::ssize(variables));
  const Matrix matrix = covariance.submatrix(variables);
  SupportAscent ascent(matrix, k);
  ascent.search([&](double value) { return budget.next(value); });
  budget.finish_phase("start");
  if (budget.out_of_time()) {
    return make_solution(
        {best_on_support(covariance, take_from(variables, ascent.support())).component}, budget);
  }
  Search search(problem, options, variables, matrix, ascent.support(), budget);
  while (!search.is_finished() && budget.next(search.value())) {
    search.advance();
  }
  budget.finish_phase("search");
  Solution solution =
      make_solution({best_on_support(covariance, search.support()).component}, budget);
  solution.facts = search.facts();
  solution.facts.emplace_back("start_value", ascent.value());
  solution.certificate = search.certificate(elimination);
  return solution;
}

/// Where too many variables cannot be ruled out: what is known, with the bounds of the others.
Solution give_up(const Problem& problem, const BranchBoundOptions& options, Component best,
                 Index left, Budget& budget) {
  double value = problem.covariance.quadratic_form(best);
  auto certificate = std::make_shared<SearchCertificate>();
  certificate->support = best.support;
  for (const std::string& name : options.feeds) {
    budget.begin_loop();
    Solution solution =
        run_inner_solver(problem, name, Json::object(), problem.cardinality, kFeedsOption, budget);
    if (!is_usable(solution.status) || solution.components.empty()) {
      continue;
    }
    if (solution.certificate != nullptr) {
      certificate->fed.push_back(solution.certificate);
    }
    const double found = problem.covariance.quadratic_form(solution.components[0]);
    if (found > value) {
      value = found;
      best = std::move(solution.components[0]);
    }
  }
  Solution solution = make_solution({std::move(best)}, budget);
  if (solution.status == Status::kConverged) {
    solution.status = Status::kIterationLimit;
    solution.message =
        fmt::format("{} variables cannot be ruled out; the search takes {}", left, kLargestDense);
  }
  solution.certificate = std::move(certificate);
  return solution;
}

Solution solve_branch_bound(const Problem& problem, const BranchBoundOptions& options,
                            Budget& budget) {
  const Covariance& covariance = problem.covariance;
  const Index asked = problem.cardinality[0];
  SupportOptimum first;
  RelaxedElimination elimination;
  if (covariance.variables() > kDense) {
    first = first_optimum(covariance, asked, budget);
    if (first.component.support.empty()) {
      return make_solution({}, budget);
    }
    const auto keep_going = [&] { return budget.next(first.value); };
    elimination = find_elimination(covariance, asked, keep_going);
    if (elimination.value > first.value) {
      first = best_on_support(covariance, elimination.support);
    }
    budget.finish_phase("elimination");
  }
  const Support variables = variables_to_search(covariance, asked, first.value, elimination,
                                                [&] { return budget.next(first.value); });
  if (budget.out_of_time() && !first.component.support.empty()) {
    return make_solution({std::move(first.component)}, budget);
  }
  if (std::ssize(variables) > kLargestDense) {
    return give_up(problem, options, std::move(first.component), std::ssize(variables), budget);
  }
  if (variables.empty() && first.component.support.empty()) {
    return skipped("no variable with positive variance is left");
  }
  if (!first.component.support.empty() && std::ssize(variables) < asked) {
    return make_solution({std::move(first.component)}, budget);  // no other support can be better
  }
  return search_among(variables, elimination, problem, options, budget);
}

SPCA_SOLVER(kOwnName, solve_branch_bound,
            (Traits{.summary = "certified optimum by branch and bound; anytime, with its gap",
                    .problem = "max v'Sv  s.t. ||v|| = 1, ||v||_0 <= k",
                    .source = "this project",
                    .exact = true}));

}  // namespace
}  // namespace spca
