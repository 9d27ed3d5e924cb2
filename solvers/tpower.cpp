/// Truncated power method for one sparse component.
///
/// Problem  maximise v'Sv  s.t. ||v||_2 = 1, ||v||_0 <= k
/// Step     w = Sv; v <- w on I_k(w), made unit (truncated_power.h). If the support does not
///          change, v becomes the leading eigenvector of S_II (`refit`; power_fixed_points.h)
/// Start    each of `starts` (power_starts.h, column_starts.h), of which the best result is kept.
///          exchanges comes last: one variable of the best result for another (column_exchange.h).
///          If ties leave open which k variances are the largest, as in a correlation matrix,
///          columns replaces largest-variances and path, and for sparse or small data it includes
///          leading-eigenvector. On large data all starts except leading-eigenvector are tried on
///          the variables of largest variance alone (heavy_variables.h), unless other variables
///          might enter the best result; exchanges then runs again on all variables
/// Stops    if a refit v keeps its support, or v'Sv rises by at most `tolerance` of itself. With
///          `refit`, a start also stops if it reaches a support at which an earlier start ended
/// Cost     a step: a product of S with a k-sparse vector; a refit: O(k^2) for each step of its
///          eigensolver. bench/notes/2026-11-26-tpower-starts.md has the cost of each start
/// Source   Yuan, Zhang, Truncated power method for sparse eigenvalue problems, JMLR 2013,
///          the truncated power iteration; it also warm-starts from larger cardinalities (path)
/// Order    variables that tie are distinguished by their columns, except for the start
///          largest-variance; among equal columns the lower index is taken. From data and from
///          their covariance answers may differ, because the data have rows to start from
/// Differs  the refit shortens the last steps and ends them exactly. There are several starts,
///          since each alone is poor somewhere (same note); the paper's own, largest-variance, is
///          not among the default ones. The block of heavy variables is this project's

#include <algorithm>
#include <iterator>

#include "spca/covariance/submatrix_covariance.h"
#include "spca/methods/ascent/column_exchange.h"
#include "spca/methods/ascent/power_fixed_points.h"
#include "spca/methods/ascent/power_starts.h"
#include "spca/solving/solver.h"
#include "spca/spectrum/eigenpairs.h"
#include "spca/spectrum/heavy_variables.h"
#include "spca/spectrum/remaining_variance.h"

namespace spca::solver_tpower {
namespace {

const Choices kStarts = {
    "largest-variance", "largest-variances", "columns", "leading-eigenvector", "path",
    "heaviest-rows",    "exchanges"};

constexpr const char* kEigenvectorStart = "leading-eigenvector";

struct TpowerOptions {
  std::vector<std::string> starts = {"largest-variances", "columns", "path", "heaviest-rows",
                                     "exchanges"};
  // The error that this leaves is far below the digits of a table, and the refit removes it.
  double tolerance = 1e-9;
  bool refit = true;

  bool has_start(const char* name) const {
    return std::find(starts.begin(), starts.end(), name) != starts.end();
  }
  void describe(OptionVisitor& visit) {
    visit("starts", starts,
          "where the iteration begins; the best result is kept. heaviest-rows has the rows of X "
          "only for data, so that data and their covariance may give different answers",
          kStarts);
    visit("tolerance", tolerance, "relative increase of v'Sv below which an iteration has stalled",
          at_least(0));
    visit(
        "refit", refit,
        "replace a stalled v by the leading eigenvector of S restricted to its support and go on");
  }
};

// The limits of effort below without a source were chosen by trial, not measured.

// Number of columns that the start "columns" tries (bench/notes/2026-11-26-tpower-starts.md, "all,
// of which the best 8").
constexpr Index kStartColumns = 8;
// Number of rows of X, and of a factor of S, that the start "heaviest-rows" tries.
constexpr Index kHeavyRows = 4;
// Up to this cardinality the answer is refitted once more without a start vector, so that it cannot
// be an eigenvector of S_II other than the leading one. At larger cardinalities this refit would
// take longer than all else.
constexpr Index kLargestColdRefit = 64;
// If there are high-variance variables, the starts but leading-eigenvector run on the first
// max(kLeastBlock, kBlockOverK * k) of them. A component of ten words of a large corpus needed
// variables outside a block of 256 (bench/notes/2026-11-24-heavy-variables.md).
constexpr Index kLeastBlock = 2 * kHeavyVariables;
constexpr Index kBlockOverK = 16;

/// Returns the start "path": the method itself at cardinalities 8k, 4k and 2k, each from the one
/// before, and the first from the largest variances.
Component descend_path(const Covariance& covariance, Index k, PowerFixedPoints& power) {
  const Index p = covariance.variables();
  Component component = uniform_on(largest_variances(covariance, std::min(kPathFactor * k, p)));
  for (const Index cardinality : path_cardinalities(k, p)) {
    // Without refits: each stage is only a start for the next, and its fixed points must not be
    // remembered as those of cardinality k.
    component = power.reach(component, cardinality, PowerFixedPoints::Refits::kNone).component;
  }
  return component;
}

std::vector<Component> start_vectors(const std::string& name, const Covariance& covariance, Index k,
                                     ColumnStarts& starts, PowerFixedPoints& power) {
  if (name == "largest-variance") {
    Index first = 0;
    covariance.diagonal().maxCoeff(&first);
    return {uniform_on({first})};
  }
  if (name == "largest-variances") {
    return {uniform_on(largest_variances(covariance, k))};
  }
  if (name == "columns") {
    std::vector<Component> components = {uniform_on({starts.largest_variance()})};
    for (const ColumnStart& start : starts.columns()) {
      components.push_back(start.component);
    }
    // For large k the truncated eigenvector may be better than any column, and costs less than all
    // columns of data do. If S is stored, its columns cost nothing.
    if (covariance.samples() > 0 && all_tied_are_tried(covariance)) {
      components.push_back(truncated_eigenvector(covariance, k));
    }
    return components;
  }
  if (name == kEigenvectorStart) {
    return {truncated_eigenvector(covariance, k)};
  }
  if (name == "path") {
    return {descend_path(covariance, k, power)};
  }
  if (name == "exchanges") {
    return {};  // run after all others
  }
  std::vector<Component> rows = factor_rows(covariance, k, starts.largest_variance(), kHeavyRows);
  std::vector<Component> more = heaviest_rows(covariance, k, kHeavyRows);
  std::move(more.begin(), more.end(), std::back_inserter(rows));
  return rows;
}

/// Tries the starts and keeps the best.
class Search {
 public:
  Search(const Covariance& covariance, Index k, const TpowerOptions& options, Budget& budget)
      : covariance_(covariance),
        k_(k),
        options_(options),
        budget_(budget),
        power_(covariance, options.tolerance, budget),
        starts_(covariance, k, kStartColumns) {}

  void try_start(const Component& start) {
    if (start.support.empty()) {
      return;
    }
    using Refits = PowerFixedPoints::Refits;
    PowerIterate found =
        power_.reach(start, k_, options_.refit ? Refits::kAtFixedPoints : Refits::kNone);
    if (found.value > best_.value) {
      best_ = std::move(found);
    }
  }
  void try_named(const std::vector<std::string>& names) {
    // With ties, largest-variances and path would start at a column, too.
    const bool columns_suffice =
        options_.has_start("columns") && ties_leave_a_choice(covariance_, k_);
    for (const std::string& name : names) {
      if (columns_suffice && (name == "largest-variances" || name == "path")) {
        continue;
      }
      for (const Component& start : start_vectors(name, covariance_, k_, starts_, power_)) {
        try_start(start);
      }
    }
  }
  /// Runs the exchanges from the best result; called after all other starts.
  void try_exchanges() {
    if (best_.component.support.empty()) {
      try_start(uniform_on({starts_.largest_variance()}));
    }
    budget_.begin_loop();
    best_.component = exchanged(covariance_, best_.component, k_,
                                [&](double value) { return budget_.next(value); });
  }
  const Component& best() const { return best_.component; }

 private:
  const Covariance& covariance_;
  Index k_;
  const TpowerOptions& options_;
  Budget& budget_;
  PowerFixedPoints power_;
  ColumnStarts starts_;
  PowerIterate best_;
};

/// The variables of the block, or none if there is no block.
Support block_variables(const Covariance& covariance, Index k) {
  Support support = heavy_variables(covariance, std::max(kLeastBlock, kBlockOverK * k));
  return std::ssize(support) > kPathFactor * k ? support : Support{};
}

/// Returns true if a step on S itself would keep no variable outside of the block, either. With
/// sigma the semidefinite shift, |S_j v|^2 <= (S_jj + sigma) (v'Sv + sigma) for j outside of the
/// support of v, by Cauchy and Schwarz.
bool has_the_largest(const SubmatrixCovariance& block, const Covariance& covariance,
                     const Component& v) {
  Vector others = covariance.diagonal();
  others(block.support()).setZero();
  Vector product;
  block.multiply(v, product);
  const Vector kept = product(v.support);
  const double shift = covariance.semidefinite_shift();
  const double outside = (others.maxCoeff() + shift) * (kept.dot(v.values) + shift);
  return kept.cwiseAbs2().minCoeff() > outside;
}

/// Returns the best result of these starts on S of the block. Empty if there are fewer than two
/// starts, if there is no block, or if variables outside the block might matter.
Component best_on_block(const Problem& problem, const TpowerOptions& options,
                        const std::vector<std::string>& names, Budget& budget) {
  const Index k = problem.cardinality[0];
  const Support variables = block_variables(problem.covariance, k);
  if (names.size() < 2 || variables.empty()) {
    return {};
  }
  const SubmatrixCovariance block(problem.covariance, variables);
  Search search(block, k, options, budget);
  search.try_named(names);
  if (options.has_start("exchanges")) {
    search.try_exchanges();
  }
  const bool is_found =
      search.best().cardinality() == k && has_the_largest(block, problem.covariance, search.best());
  return is_found ? block.in_base(search.best()) : Component{};
}

Solution solve_tpower(const Problem& problem, const TpowerOptions& options, Budget& budget) {
  const Covariance& covariance = problem.covariance;
  const Index k = problem.cardinality[0];
  if (!has_positive_variance(covariance)) {
    return skipped(kNoVariance);
  }
  std::vector<std::string> on_block = options.starts;
  std::erase(on_block, kEigenvectorStart);
  const Component near = best_on_block(problem, options, on_block, budget);
  Search search(covariance, k, options, budget);
  search.try_start(near);
  if (near.support.empty()) {
    search.try_named(options.starts);
  } else if (options.has_start(kEigenvectorStart)) {
    search.try_named({kEigenvectorStart});
  }
  if (problem.start != nullptr) {
    search.try_start(*problem.start);
  }
  if (options.has_start("exchanges")) {
    search.try_exchanges();
  }
  Component best = search.best();
  // If S is zero up to rounding, all starts may be empty.
  if (options.refit && !best.support.empty() && best.cardinality() <= kLargestColdRefit) {
    best = best_on_support(covariance, best.support).component;
  }
  return make_solution({std::move(best)}, budget);
}

SPCA_SOLVER("tpower", solve_tpower,
            (Traits{.summary = "truncated power method from several starts",
                    .problem = "max v'Sv  s.t. ||v|| = 1, ||v||_0 <= k",
                    .source = "Yuan, Zhang, JMLR 2013",
                    .warm_start = true}));

}  // namespace
}  // namespace spca::solver_tpower
