#include "spca/methods/bounds/certified_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "spca/base/error.h"
#include "spca/methods/ascent/support_ascent.h"
#include "spca/methods/bounds/data_factor.h"
#include "spca/methods/bounds/squares_bound.h"
#include "spca/solving/nested_solver.h"
#include "spca/spectrum/eigen_patience.h"
#include "spca/spectrum/eigenpairs.h"

namespace spca {
namespace {

// The limits of effort below were chosen by trial, not measured.

// A check repeats at most this share of the search by squares, plus this number of multiplications.
constexpr double kCheckShare = 1.0 / 32;
constexpr double kCheckWork = 3e7;
// Number of multiplications before other solvers are run for their bounds: about a second.
constexpr double kFeedWait = 1e9;

/// Returns the bound that is proved by a search that ended at `bound` with this value. The search
/// drops every part whose bound exceeds the value by rounding alone (kBoundRounding), so the proved
/// bound includes that rounding.
double with_dropped(double bound, double value) {
  return std::max(bound, std::isfinite(value) ? value + kBoundRounding * std::abs(value) : bound);
}

}  // namespace

void append_note(const std::string& other, std::string& note) {
  if (!other.empty()) {
    note += (note.empty() ? "" : "; ") + other;
  }
}

OtherAnswers ask_others(const Problem& problem, const std::vector<std::string>& names,
                        Budget& budget) {
  OtherAnswers answers;
  for (const std::string& name : names) {
    budget.begin_loop();
    if (!budget.next()) {
      break;
    }
    try {
      const EigenPatience patience([&budget] { return budget.is_time_up(); });
      Solution solution =
          run_nested_solver(problem, name, {}, problem.cardinality, kFeedsOption, budget);
      if (is_answer(solution.status, !solution.components.empty())) {
        answers.solutions.push_back(std::move(solution));
      }
    } catch (const NumericalError& error) {
      // If the time is over, this is not a failure.
      if (!budget.is_time_up()) {
        append_note(fmt::format("{} was left out: {}", name, error.what()), answers.note);
      }
    }
  }
  return answers;
}

CheckedFeed check_feed(const Problem& problem, const Solution& solution, Budget& budget) {
  CheckedFeed feed;
  if (solution.certificate == nullptr || budget.is_time_up()) {
    return feed;
  }
  Budget check({.seconds = budget.seconds_left(), .iterations = std::numeric_limits<Index>::max()});
  try {
    const EigenPatience patience([&check] { return check.is_time_up(); });
    feed.bound = solution.certificate->check(problem.covariance, problem.cardinality[0], check);
  } catch (const NumericalError& error) {
    if (!budget.is_time_up()) {
      feed.note = fmt::format("a bound was left out: {}", error.what());
    }
  }
  return feed;
}

// Each part gives its own bound, and the least of them holds. A missing or useless part gives
// infinity.
double SearchCertificate::do_check(const Covariance& covariance, Index k, Budget& budget) const {
  double bound = std::numeric_limits<double>::infinity();
  if (!dual.vector.support.empty() && budget.next()) {
    const GreedyOverlaps overlaps = greedy_overlaps(covariance, dual.vector);
    bound = greedy_bound(covariance, greedy_dual(covariance, overlaps, dual.rho), k);
  }
  if (!squares_on.empty()) {
    bound = std::min(bound, bound_by_squares(covariance, k, budget));
  } else if (by_data != nullptr) {
    bound = std::min(bound, bound_by_data(covariance, k, budget));
  } else {
    bound = std::min(bound, searched_bound(covariance, k, budget));
  }
  for (const auto& certificate : fed) {
    if (!budget.next()) {
      break;
    }
    try {
      bound = std::min(bound, certificate->check(covariance, k, budget));
    } catch (const NumericalError&) {
      // The other parts are valid without it.
    }
  }
  return bound;
}

double SearchCertificate::bound_by_squares(const Covariance& covariance, Index k,
                                           Budget& budget) const {
  if (std::ssize(squares_on) != k) {
    return std::numeric_limits<double>::infinity();
  }
  SquaresBound squares(covariance, squares_on);
  while (!squares.is_complete() && budget.next()) {
    squares.advance(1);
  }
  return squares.bound();
}

double SearchCertificate::bound_by_data(const Covariance& covariance, Index k,
                                        Budget& budget) const {
  const auto keep_going = [&budget] { return budget.next(); };
  if (std::ssize(by_data->support) != k || !keep_going()) {
    return std::numeric_limits<double>::infinity();
  }
  const auto factor = factor_beyond(covariance, max_entries(max_variables), keep_going);
  if (factor == nullptr) {
    return std::numeric_limits<double>::infinity();
  }
  const double value = best_on_support(covariance, by_data->support).value;
  return with_dropped(by_data->bound(*factor, value, keep_going), value);
}

/// Repeats the elimination, and bounds the supports of the remaining variables. Any other support
/// has at most the value of the elimination's support. That support is among the remaining
/// variables, so every bound on their supports holds for all supports.
double SearchCertificate::searched_bound(const Covariance& covariance, Index k,
                                         Budget& budget) const {
  const auto keep_going = [&budget] { return budget.next(); };
  // there was no search: the bound of the elimination holds for all variables
  if (support.empty()) {
    if (elimination.support.empty()) {
      return std::numeric_limits<double>::infinity();
    }
    const double value = best_on_support(covariance, elimination.support).value;
    const double bound = std::min(
        {eliminate_by_relaxation(covariance, k, value, elimination, keep_going).bound,
         eliminate_by_block(covariance, k, value, elimination.block, keep_going).bound,
         eliminate_by_one_factor(covariance, k, value, elimination.one_factor, keep_going).bound});
    return with_dropped(bound, value);
  }
  auto [variables, bound] =
      variables_to_search(covariance, k, max_variables, elimination, keep_going);
  // Without a support of the elimination all variables are searched.
  const double eliminated = elimination.support.empty()
                                ? -std::numeric_limits<double>::infinity()
                                : best_on_support(covariance, elimination.support).value;
  const Support positions = positions_among(variables, support);
  // A support that is not among these variables, or not of k variables, cannot start either tree.
  if (std::ssize(positions) != std::ssize(support) ||
      std::ssize(positions) != std::min(k, std::ssize(variables)) ||
      std::ssize(variables) > max_variables || !budget.next()) {
    return with_dropped(bound, eliminated);
  }
  const double value = best_on_support(covariance, support).value;
  const Matrix matrix = covariance.submatrix(variables);
  // The nodes refer to variables by position: they fit only if the same variables remain.
  if (relaxations != nullptr && relaxations->support == positions) {
    const auto factor = factor_covariance(matrix, keep_going);
    if (factor != nullptr) {
      bound = std::min(bound, relaxations->bound(*factor, value, keep_going));
    }
  }
  if (work > 0 && budget.next()) {
    SquaresTree tree(matrix, positions, keep_going);
    while (!tree.is_finished() && tree.work() < work && budget.next()) {
      tree.advance(1);
    }
    bound = std::min(bound, tree.bound());
  }
  return with_dropped(bound, std::max(value, eliminated));
}

Support CertifiedSearch::support() const { return members_at(variables_, search_.support()); }

void CertifiedSearch::advance() {
  const SearchByTurns::Step step = search_.next_step();
  if (step == SearchByTurns::Step::kSubtrees && !is_fed_ && search_.squares().work() > kFeedWait) {
    feed();
    return;
  }
  if (step == SearchByTurns::Step::kRoot) {
    add_dual_bound();
  }
  search_.advance(problem_.threads, step == SearchByTurns::Step::kRoot
                                        ? [this] { return budget_.next(search_.value()); }
                                        : has_time());
}

/// Computes the dual bound of the best support before the relaxations: it costs some eigenvalues,
/// and is often close.
void CertifiedSearch::add_dual_bound() {
  if (matrix_.rows() <= kSearchedWhole) {
    dual_ =
        greedy_bound(problem_.covariance, best_on_support(problem_.covariance, support()).component,
                     std::ssize(search_.support()), has_time());
    search_.limit(dual_.value);
  }
}

/// Uses the bound of another solver only as far as its certificate, checked here, proves it.
void CertifiedSearch::feed() {
  is_fed_ = true;
  const OtherAnswers answers = ask_others(problem_, feeds_, budget_);
  append_note(answers.note, note_);
  for (const Solution& solution : answers.solutions) {
    const CheckedFeed feed = check_feed(problem_, solution, budget_);
    append_note(feed.note, note_);
    if (std::isfinite(feed.bound)) {
      search_.limit(feed.bound);
      fed_.push_back(solution.certificate);
    }
  }
}

std::vector<std::pair<std::string, double>> CertifiedSearch::facts() const {
  const SquaresTree& squares = search_.squares();
  const RelaxationTree* relaxations = search_.relaxations();
  return {
      {"value", value()},
      {"bound", bound()},
      {"gap", std::max(0.0, bound() / value() - 1)},
      {"nodes", static_cast<double>(squares.nodes())},
      {"work", squares.work()},
      {"relaxation_nodes", relaxations != nullptr ? static_cast<double>(relaxations->nodes()) : 0},
      {"relaxation_work", relaxations != nullptr ? relaxations->work() : 0},
      {"variables_left", static_cast<double>(squares.variables_left())}};
}

std::shared_ptr<const BoundCertificate> CertifiedSearch::certificate(
    const EliminationCertificate& elimination, Index max_variables) const {
  if (is_finished()) {
    return nullptr;  // the solver is exact: its value is the bound
  }
  auto certificate = std::make_shared<SearchCertificate>();
  certificate->support = support();
  certificate->elimination = elimination;
  certificate->max_variables = max_variables;
  // Independent of the number of threads, on which the certificate must not depend.
  const double work = kCheckShare * search_.squares().work() + kCheckWork;
  certificate->work = search_.squares().setup_work() < work ? work : 0;
  certificate->dual = dual_;
  const RelaxationTree* relaxations = search_.relaxations();
  certificate->relaxations =
      relaxations != nullptr && relaxations->has_begun() ? relaxations->certificate() : nullptr;
  certificate->fed = fed_;
  return certificate;
}

}  // namespace spca
