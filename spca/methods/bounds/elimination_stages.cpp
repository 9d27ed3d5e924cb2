#include "spca/methods/bounds/elimination_stages.h"

#include <algorithm>
#include <iterator>

#include "spca/dense/sparsify.h"
#include "spca/methods/ascent/column_starts.h"
#include "spca/methods/ascent/support_ascent.h"
#include "spca/methods/ascent/support_polish.h"
#include "spca/methods/ascent/truncated_power.h"
#include "spca/methods/bounds/certified_search.h"
#include "spca/spectrum/eigenpairs.h"

namespace spca {
namespace {

// The limits of effort below without a source were chosen by trial, not measured.

// At most this number of ascents before S is formed, and of steps of each.
constexpr Index kFirstStarts = 32;
constexpr int kFirstSteps = 20;
// Number of ascents that share each pass over the data (bench/notes/2026-11-27-dense-squares.md,
// eight vectors instead of four).
constexpr std::size_t kStartsTogether = 8;
// The solver whose answer improve() compares with the best component. It costs no more than a few
// steps of a search by products.
constexpr const char* kFirstSolver = "tpower";

/// The variables of largest variance, or the best columns of S if ties leave open which they are.
std::vector<Component> first_starts(const Covariance& covariance, Index k) {
  const Index count = std::min(kFirstStarts, covariance.variables());
  std::vector<Component> starts;
  if (ties_leave_a_choice(covariance, count)) {
    for (ColumnStart& start : best_columns(covariance, k, kFirstStarts)) {
      starts.push_back(std::move(start.component));
    }
    return starts;
  }
  for (const Index variable : top_k(covariance.diagonal(), count)) {
    starts.push_back({.support = {variable}, .values = Vector::Ones(1)});
  }
  return starts;
}

/// The best of some truncated power ascents, from products with S alone: an elimination needs a
/// good value for comparison.
SupportOptimum first_optimum(const Covariance& covariance, Index k, Budget& budget) {
  SupportOptimum best;
  const std::vector<Component> first = first_starts(covariance, k);
  for (std::size_t begin = 0; begin < first.size(); begin += kStartsTogether) {
    std::vector<Component> starts;
    for (std::size_t t = begin; t < std::min(begin + kStartsTogether, first.size()); ++t) {
      if (!budget.next(best.value)) {
        break;
      }
      starts.push_back(first[t]);
    }
    if (starts.empty()) {
      break;
    }
    for (const Component& v : until_supports_stay(covariance, std::move(starts), k, kFirstSteps,
                                                  [&] { return !budget.is_time_up(); })) {
      if (v.support.empty()) {
        continue;
      }
      SupportOptimum found = best_on_support(covariance, v.support);
      if (found.value > best.value) {
        best = std::move(found);
      }
    }
  }
  return best;
}

}  // namespace

bool EliminationStages::begin() {
  const Covariance& covariance = problem_.covariance;
  const SupportOptimum first = first_optimum(covariance, k_, budget_);
  if (first.component.support.empty()) {
    return false;
  }
  certificate_ = find_elimination(
      covariance, k_, first.component.support, [&] { return budget_.next(first.value); },
      [&] { return !budget_.is_time_up(); });
  if (!(certificate_.value > first.value)) {
    certificate_.support = first.component.support;
  }
  best_ = best_on_support(covariance, certificate_.support).component;
  budget_.phases().finish("elimination");
  return true;
}

VariablesLeft EliminationStages::by_relaxation_or_squares() const {
  return variables_to_search(problem_.covariance, k_, core_, certificate_,
                             [&] { return budget_.next(); });
}

VariablesLeft EliminationStages::with_best_support(const VariablesLeft& left, double value) {
  VariablesLeft all{.variables = {}, .bound = left.bound};
  std::set_union(left.variables.begin(), left.variables.end(), certificate_.support.begin(),
                 certificate_.support.end(), std::back_inserter(all.variables));
  budget_.add_bound(all.bound, value);
  budget_.phases().finish("block");
  return all;
}

VariablesLeft EliminationStages::by_one_factor() {
  budget_.begin_loop();
  OneFactorElimination found = find_one_factor(
      problem_.covariance, k_, filled_up(best_.support, k_), problem_.threads,
      [&](double value) { return budget_.next(value); }, [&] { return !budget_.is_time_up(); });
  certificate_.one_factor = std::move(found.certificate);
  certificate_.support = std::move(found.support);
  SupportOptimum optimum = best_on_support(problem_.covariance, certificate_.support);
  best_ = std::move(optimum.component);
  return with_best_support(found.left, optimum.value);
}

VariablesLeft EliminationStages::by_block() {
  certificate_.support = filled_up(best_.support, k_);
  const double value = best_on_support(problem_.covariance, certificate_.support).value;
  budget_.begin_loop();
  BlockElimination found = find_block(
      problem_.covariance, k_, best_, value, problem_.threads, [&] { return budget_.next(value); },
      [&] { return !budget_.is_time_up(); });
  certificate_.block = std::move(found.certificate);
  return with_best_support(found.left, value);
}

bool EliminationStages::improve() {
  const Covariance& covariance = problem_.covariance;
  const double before = covariance.quadratic_form(best_);
  OtherAnswers answers = ask_others(problem_, {kFirstSolver}, budget_);
  for (Solution& solution : answers.solutions) {
    if (covariance.quadratic_form(solution.components[0]) > covariance.quadratic_form(best_)) {
      best_ = std::move(solution.components[0]);
    }
  }
  budget_.begin_loop();
  best_ = polished(covariance, best_, k_, [&](double value) { return budget_.next(value); });
  budget_.phases().finish("start");
  return covariance.quadratic_form(best_) > before;
}

}  // namespace spca
