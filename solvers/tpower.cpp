/// Truncated power method for one sparse component.
///
/// Problem  maximise v'Sv  s.t. ||v||_2 = 1, ||v||_0 <= k
/// Step     w = Sv; v <- w on I_k(w), made unit. If the support stays, v becomes the leading
///          eigenvector of S_II at once (`refit`), which is the limit of the steps. If a step
///          lowers v'Sv, S is indefinite (Hotelling's deflation). The step is then repeated with
///          S + shift I, the shift doubled until v'Sv rises
/// Start    each of `starts`, of which the best result is kept:
///          largest-variance     e_j, j the variable of largest variance, the first among ties
///          largest-variances    1 on the k variables of largest variance
///          columns              the k largest entries of a column of S: the eight columns with the
///                               best scores (column_starts.h), and that of largest variance
///          leading-eigenvector  the leading eigenvector of S on its k largest entries
///          path                 the method itself at cardinalities 8k, 4k, 2k from the largest
///                               variances, each from the one before
///          heaviest-rows        the first rows of the pivoted Cholesky factor of S, and for data
///                               also the rows of X with the largest norm, each on its k largest
///                               entries
///          exchanges            the best result of the others: one variable for another, and power
///                               steps again, as long as that helps (column_exchange.h)
///          If ties leave open which k variances are the largest, as in a correlation matrix,
///          columns also replaces largest-variances and path
///          On large data all starts except leading-eigenvector are tried on the variables of
///          largest variance alone (heavy_variables.h), with S on them at hand. The best result is
///          a start on S, and exchanges follow there. If other variables might enter it, all starts
///          are tried on S
/// Stops    if a refit v keeps its support, or v'Sv rises by at most `tolerance` of itself. A start
///          also stops if it reaches a support at which an earlier start ended
/// Cost     a step takes one product of S with a k-sparse vector, a refit O(k^2) for each step of
///          its eigensolver. The start leading-eigenvector takes some tens of dense products. The
///          start heaviest-rows takes, for data, one pass over X, or after a projection p products
///          with one variable. The start columns takes 16 columns of S, or all if there are at most
///          64; if variances tie and S is given, all tied ones. The start exchanges takes 8
///          columns, and some more for each exchange that helps
/// Source   Yuan, Zhang, Truncated power method for sparse eigenvalue problems, JMLR 2013,
///          the truncated power iteration; it also warm-starts from larger cardinalities (path)
/// Order    variables that tie are distinguished by their columns, except for the start
///          largest-variance, so that the order of the variables does not matter. Among variables
///          that tie in every respect the lower index is taken. From data and from their covariance
///          answers may differ: the data have rows to start from, and only some of their columns
///          are tried
/// Differs  the block of heavy variables is this project's. The refit shortens the last steps and
///          ends them exactly. There are several starts, since each alone is poor somewhere.
///          Measured, as shares lost against the best: on the pit props largest-variances loses 19
///          % at k = 5 and leading-eigenvector 6 % at k = 3. Over 8 components of kos and nips with
///          remove-support each of the two loses up to 9 %. leading-eigenvector is not a default:
///          it needs tens of passes over X and is in none of these cases the best alone. Nor is
///          largest-variance, the paper's own: columns includes it, and on a correlation matrix it
///          is the first variable. Rows of X are the only good start on a random X of 5000 x 5000
///          with 1 % nonzeros (8 % above the others at k = 50). On 48 problems with correlation
///          matrices (bench/README.md) columns and exchanges find every optimum, and all starts
///          without them 31

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "spca/covariance/submatrix_covariance.h"
#include "spca/dense/dense_products.h"
#include "spca/dense/leading_eigenpair.h"
#include "spca/dense/sparsify.h"
#include "spca/methods/ascent/column_exchange.h"
#include "spca/methods/ascent/column_starts.h"
#include "spca/solving/solver.h"
#include "spca/spectrum/eigenpairs.h"
#include "spca/spectrum/heavy_variables.h"

namespace spca::solver_tpower {
namespace {

const Choices kStarts = {
    "largest-variance", "largest-variances", "columns", "leading-eigenvector", "path",
    "heaviest-rows",    "exchanges"};

constexpr const char* kEigenvectorStart = "leading-eigenvector";

struct TpowerOptions {
  std::vector<std::string> starts = {"largest-variances", "columns", "path", "heaviest-rows",
                                     "exchanges"};
  // far below the digits of a table; the refit removes the remaining error
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

// A decrease by more than this share is not rounding: S is not positive semidefinite along the
// step.
constexpr double kDecrease = 1e-12;
// Number of columns that the start "columns" tries.
constexpr Index kStartColumns = 8;
// Number of rows of X, and of a factor of S, that the start "heaviest-rows" tries.
constexpr Index kHeavyRows = 4;
// At most this number of entries of X is read to find the heaviest rows: a fraction of a second.
// For larger data only the rows of the factor are tried.
constexpr double kLargestRowScan = 2e8;
// Up to this cardinality the answer is refitted once more without a start vector, so that it cannot
// be an eigenvector of S_II other than the leading one. For larger ones that would take longer than
// the rest.
constexpr Index kLargestColdRefit = 64;
// If there are high-variance variables, all starts run on the first max(kLeastBlock, kBlockOverK *
// k) of them. With a block of 256 a component of ten words of a large corpus was found to need
// others.
constexpr Index kLeastBlock = 2 * kHeavyVariables;
constexpr Index kBlockOverK = 16;
// The start "path" begins at this multiple of k and halves it until k.
constexpr Index kPathFactor = 8;

struct Iterate {
  Component component;
  Vector product;  // S v
  double value = -std::numeric_limits<double>::infinity();
};

class TruncatedPower {
 public:
  TruncatedPower(const Covariance& covariance, const TpowerOptions& options, Budget& budget)
      : covariance_(covariance), options_(options), budget_(budget) {}

  /// Runs from `start`, a vector of any cardinality, to a fixed point of cardinality at most k.
  /// Stops at the support of an earlier fixed point, because it could only repeat its steps.
  /// Invariant: `current.value` does not fall once `current` has at most k nonzeros; `is_optimum`
  /// tells whether its loadings are the best on its support.
  Iterate run(const Component& start, Index k, bool refit) {
    budget_.begin_loop();
    Iterate current = evaluate(start);
    bool is_optimum = false;  // of its support
    double shift = 0;
    while (budget_.next(current.value)) {
      Component next = step(current, k, shift);
      if (next.support.empty() || (refit && is_known(next.support))) {
        return {};
      }
      const bool same_support = next.support == current.component.support;
      if (same_support && is_optimum) {
        break;
      }
      const bool was_feasible = current.component.cardinality() <= k;
      Iterate proposal = evaluate(same_support && refit ? optimum_near(next) : std::move(next));
      const double gain = proposal.value - current.value;
      // With a large enough shift S + shift I is positive semidefinite, and truncated steps then
      // rise. A start with more than k nonzeros may lose value when it is cut; that is no sign of
      // indefiniteness.
      if (was_feasible && gain < -kDecrease * std::abs(current.value)) {
        shift = std::max(2 * shift, std::abs(current.value));
        continue;
      }
      const bool stalled = was_feasible && gain <= options_.tolerance * std::abs(proposal.value);
      if (stalled && is_optimum) {
        break;
      }
      current = std::move(proposal);
      is_optimum = same_support && refit;
      if (stalled && !refit) {
        break;
      }
      // Stalled on a support that still changes, or before the refit: the refit shows whether it is
      // a fixed point.
      if (stalled && !is_optimum) {
        current = evaluate(optimum_near(current.component));
        is_optimum = true;
      }
    }
    if (current.component.cardinality() > k) {
      return evaluate(step(current, k, 0));  // time ran out before the first step
    }
    if (refit && !budget_.out_of_time()) {
      fixed_points_.push_back(current.component.support);
    }
    return current;
  }

 private:
  Iterate evaluate(Component component) const {
    Iterate iterate;
    covariance_.multiply(component, iterate.product);
    iterate.value = component.values.dot(iterate.product(component.support));
    iterate.component = std::move(component);
    return iterate;
  }

  static Component step(const Iterate& current, Index k, double shift) {
    if (shift == 0) {
      return normalized(restrict_to(current.product, top_k(current.product, k)));
    }
    Vector shifted = current.product;
    shifted(current.component.support) += shift * current.component.values;
    return normalized(restrict_to(shifted, top_k(shifted, k)));
  }

  Component optimum_near(const Component& component) const {
    return {
        .support = component.support,
        .values =
            leading_eigenpair(covariance_.submatrix(component.support), component.values).vector};
  }

  bool is_known(const Support& support) const {
    return std::find(fixed_points_.begin(), fixed_points_.end(), support) != fixed_points_.end();
  }

  const Covariance& covariance_;
  const TpowerOptions& options_;
  Budget& budget_;
  std::vector<Support> fixed_points_;
};

Component uniform_on(Support support) {
  const auto size = static_cast<Index>(support.size());
  return {.support = std::move(support),
          .values = Vector::Constant(size, 1 / std::sqrt(static_cast<double>(size)))};
}

/// The starts that follow from S and k. The columns are read once, if they are needed.
class Starts {
 public:
  Starts(const Covariance& covariance, Index k) : covariance_(covariance), k_(k) {}

  /// The variable of largest variance; among ties the one whose column has the best score.
  Index largest_variance() {
    const Support tied = variables_of_largest_variance(covariance_);
    if (tied.size() == 1) {
      return tied.front();
    }
    for (const ColumnStart& start : columns()) {
      if (std::binary_search(tied.begin(), tied.end(), start.variable)) {
        return start.variable;
      }
    }
    return tied.front();
  }

  const std::vector<ColumnStart>& columns() {
    if (columns_.empty()) {
      columns_ = best_columns(covariance_, start_variables(covariance_), k_, kStartColumns);
    }
    return columns_;
  }

 private:
  const Covariance& covariance_;
  Index k_;
  std::vector<ColumnStart> columns_;
};

Component leading_eigenvector(const Covariance& covariance, Index k) {
  // As in threshold.cpp: an iterative eigensolver leaves rounding in the zeros that a deflation
  // made.
  const Vector loadings =
      (covariance.diagonal().array() > 0)
          .select(leading_eigenpairs(covariance, 1, Exact::kPairs, Copies::kAny).vectors.col(0),
                  0.0);
  return normalized(restrict_to(loadings, top_k(loadings, k)));
}

Component descend_path(const Covariance& covariance, Index k, TruncatedPower& power) {
  const Index p = covariance.variables();
  Index cardinality = std::min(kPathFactor * k, p);
  Component component = uniform_on(largest_variances(covariance, cardinality));
  for (; cardinality > k; cardinality = std::max(cardinality / 2, k)) {
    // Without refits: each stage is only a start for the next, and its fixed points must not be
    // remembered as those of cardinality k.
    component = power.run(component, cardinality, false).component;
  }
  return component;
}

/// Returns the first rows of the pivoted Cholesky factor X of S = X'X, each cut to its k largest
/// entries. The first row is that of the variable `first`, and each other is the heaviest residual
/// of the rows before it.
std::vector<Component> factor_rows(const Covariance& covariance, Index k, Index first) {
  Vector residual = covariance.diagonal();
  Matrix rows(covariance.variables(), kHeavyRows);
  std::vector<Component> starts;
  for (Index t = 0; t < std::min(kHeavyRows, covariance.variables()); ++t) {
    Index pivot = first;
    const double heaviest = t == 0 ? residual[first] : residual.maxCoeff(&pivot);
    if (!(heaviest > 0)) {
      break;
    }
    rows.col(t) =
        (covariance.columns({pivot}).col(0) - times_own_row(rows, pivot, t)) / std::sqrt(heaviest);
    residual -= rows.col(t).cwiseAbs2();
    residual(pivot) = 0;
    starts.push_back(normalized(restrict_to(rows.col(t), top_k(rows.col(t), k))));
  }
  return starts;
}

/// Returns the rows of X of largest norm, each cut to its k largest entries.
std::vector<Component> data_rows(const Covariance& covariance, Index k) {
  const Index n = covariance.samples();
  const Index p = covariance.variables();
  if (!covariance.has_data_form() ||
      static_cast<double>(n) * static_cast<double>(p) > kLargestRowScan) {
    return {};
  }
  std::vector<Component> starts;
  for (const Index i : top_k(covariance.squared_sample_norms(), std::min(kHeavyRows, n))) {
    const Vector row = covariance.transpose_product(Vector::Unit(n, i));
    starts.push_back(normalized(restrict_to(row, top_k(row, k))));
  }
  return starts;
}

std::vector<Component> start_vectors(const std::string& name, const Covariance& covariance, Index k,
                                     Starts& starts, TruncatedPower& power) {
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
    return components;
  }
  if (name == kEigenvectorStart) {
    return {leading_eigenvector(covariance, k)};
  }
  if (name == "path") {
    return {descend_path(covariance, k, power)};
  }
  if (name == "exchanges") {
    return {};  // run after all others
  }
  std::vector<Component> rows = factor_rows(covariance, k, starts.largest_variance());
  std::vector<Component> more = data_rows(covariance, k);
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
        power_(covariance, options, budget),
        starts_(covariance, k) {}

  void try_start(const Component& start) {
    if (start.support.empty()) {
      return;
    }
    Iterate found = power_.run(start, k_, options_.refit);
    if (found.value > best_.value) {
      best_ = std::move(found);
    }
  }
  void try_named(const std::vector<std::string>& names) {
    // Both would start at a column, too.
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
  /// After all other starts.
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
  TruncatedPower power_;
  Starts starts_;
  Iterate best_;
};

/// The variables of the block, or none if there is no block.
Support block_variables(const Covariance& covariance, Index k) {
  Support support = heavy_variables(covariance, std::max(kLeastBlock, kBlockOverK * k));
  return std::ssize(support) > kPathFactor * k ? support : Support{};
}

/// Whether a step on S would also keep no variable outside of the block. By Cauchy and Schwarz,
/// |S_j v|^2 <= (S_jj + sigma) (v'Sv + sigma) for j outside of the support of v.
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

/// The answer of all starts on S of the block. Empty if there is no block, or if it misses
/// variables that matter.
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
  if (!(covariance.diagonal().maxCoeff() > 0)) {
    return skipped("no variable with positive variance is left");
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
  // If S is rounding, all starts may be empty.
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
