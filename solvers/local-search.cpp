/// Greedy growth of one support, then swaps of two variables.
///
/// Problem  maximise v'Sv  s.t. ||v||_2 = 1, ||v||_0 <= k
/// Step     greedy: add the variable j with the largest lambda_max(S_JJ), J = I + j. Then swap a
///          variable i of the support for one j outside of it if that raises lambda_max. `rule`:
///          first   the first swap that does. Members come by rising |v_i|, and for each of them
///                  others by falling |(Sv)_j|
///          best    the swap that raises it most
/// Start    the variable of largest variance. If several tie, as in a correlation matrix, growth
///          starts, and the best result is kept, from the best pair with one of them, and for
///          m = 2, 4, 8, ..., m <= 2k from the tied variable whose column of S has the best score
///          for m variables (column_starts.h)
/// Stops    if no swap of two variables raises lambda_max
/// Cost     with t members a greedy step, and a member i in the search of a swap, takes one
///          eigenproblem of t x t and O(p t^2): of S_II = UDU' and b = S_Ij, lambda_max of
///          [[S_II, b], [b', S_jj]] exceeds L >= lambda_max(S_II) if and only if
///          L - S_jj < sum_t (U'b)_t^2 / (L - D_t). S is not formed, only its columns of I
/// Bound    at least 1/k of the optimum (the paper's theorem, greedy alone and swaps alike)
/// Source   Li, Xie, Exact and approximation algorithms for sparse principal component analysis,
///          INFORMS Journal on Computing 2024: greedy and local search algorithms
/// Differs  the paper does not specify the order of swaps and the treatment of ties. On
///          correlation matrices (bench/README.md) the best pair alone is a bad start: two nearly
///          identical variables may fit no other

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>

#include "spca/dense/dense_decompositions.h"
#include "spca/dense/dense_products.h"
#include "spca/dense/dense_selections.h"
#include "spca/dense/leading_eigenpair.h"
#include "spca/dense/sparsify.h"
#include "spca/methods/ascent/column_starts.h"
#include "spca/methods/ascent/support_ascent.h"
#include "spca/solving/solver.h"
#include "spca/spectrum/eigenpairs.h"
#include "spca/spectrum/remaining_variance.h"

namespace spca::solver_local_search {
namespace {

struct LocalSearchOptions {
  std::string rule = "first";
  bool swaps = true;

  void describe(OptionVisitor& visit) {
    visit("rule", rule, "the swap to make: the first or the best that helps", {"first", "best"});
    visit("swaps", swaps, "false for the greedy support alone");
  }
};

// A swap must raise the value by more than rounding, so that ties go to the first.
constexpr double kSmallestGain = kTiedByRounding;
// Variances within this share of the largest are equal to it: correlations carry rounding.
constexpr double kEqualVariance = 1e-9;

class LocalSearch {
 public:
  LocalSearch(const Problem& problem, const LocalSearchOptions& options, Budget& budget)
      : covariance_(problem.covariance),
        variances_(problem.covariance.diagonal()),
        k_(problem.cardinality[0]),
        takes_best_(options.rule == "best"),
        budget_(budget) {}

  /// The supports from which growth starts; all are different.
  std::vector<Support> starts() const;
  void grow(const Support& start);
  /// Makes one swap. Returns false if none helps, or if the budget ends.
  bool swap();
  const Support& support() const { return support_; }
  double value() const { return value_; }

 private:
  /// Entry j is true if lambda_max of `base` with j exceeds `level`. Members of support_ are
  /// excluded. `level` >= lambda_max of base.
  std::vector<bool> exceeding(const Support& base, double level) const;
  double value_with(const Support& base, Index j) const;
  /// The best variable to add to `base`, or -1 if none exceeds `level`, which is raised to its
  /// value.
  Index best_addition(const Support& base, double& level) const;
  void set(Support support);
  std::pair<Index, Index> largest_pair() const;
  Matrix rows_of(const Support& base) const;

  const Covariance& covariance_;
  const Vector& variances_;
  Index k_;
  bool takes_best_;
  Budget& budget_;
  Support support_;  // ascending
  Vector vector_;    // the leading eigenvector there
  Matrix columns_;   // S of the support: p x |I|
  double value_ = 0;
};

/// Whether |a| is above |b|, beyond rounding.
bool is_above(double a, double b) { return std::abs(a) * (1 - kTiedByRounding) > std::abs(b); }

Support with(const Support& base, Index j) {
  Support support = base;
  support.insert(std::lower_bound(support.begin(), support.end(), j), j);
  return support;
}

void LocalSearch::set(Support support) {
  LeadingEigenpair pair = leading_eigenpair(covariance_.submatrix(support));
  value_ = pair.value;
  vector_ = std::move(pair.vector);
  columns_ = covariance_.columns(support);
  support_ = std::move(support);
}

/// S_Ij for all j, |base| x p; base is within the support.
Matrix LocalSearch::rows_of(const Support& base) const {
  const Support places = positions_among(support_, base);
  return selected_columns(columns_, places).transpose();
}

std::vector<bool> LocalSearch::exceeding(const Support& base, double level) const {
  const Index p = covariance_.variables();
  std::vector<bool> result(static_cast<std::size_t>(p), false);
  const SymmetricEigenpairs pairs = symmetric_eigenpairs(covariance_.submatrix(base));
  // If a D_t equals the level, any b along its eigenvector lifts lambda_max above it.
  const double tiny = std::numeric_limits<double>::epsilon() * std::abs(level);
  const Vector weights = (level - pairs.values.array()).max(tiny).inverse();
  const Matrix shares = transposed_product(pairs.vectors, rows_of(base));
  for (Index j = 0; j < p; ++j) {
    result[static_cast<std::size_t>(j)] =
        level - variances_[j] < shares.col(j).cwiseAbs2().dot(weights);
  }
  for (const Index i : support_) {
    result[static_cast<std::size_t>(i)] = false;
  }
  return result;
}

double LocalSearch::value_with(const Support& base, Index j) const {
  return symmetric_eigenvalues(covariance_.submatrix(with(base, j)))[std::ssize(base)];
}

Index LocalSearch::best_addition(const Support& base, double& level) const {
  Index best = -1;
  // Each pass keeps the variables that exceed the best so far. The one of largest |(Sv)_j| is
  // mostly near the best, so that few passes are needed.
  const Vector product = columns_ * vector_;
  std::vector<bool> open(static_cast<std::size_t>(covariance_.variables()), true);
  for (;;) {
    const std::vector<bool> above = exceeding(base, level + kSmallestGain * std::abs(level));
    Index next = -1;
    for (Index j = 0; j < covariance_.variables(); ++j) {
      if (above[static_cast<std::size_t>(j)] && open[static_cast<std::size_t>(j)] &&
          (next < 0 || is_above(product[j], product[next]))) {
        next = j;
      }
    }
    if (next < 0) {
      return best;
    }
    open[static_cast<std::size_t>(next)] = false;
    if (const double value = value_with(base, next); value * (1 - kSmallestGain) > level) {
      level = value;
      best = next;
    }
  }
}

/// The pair of largest lambda_max with a variable of largest variance; the second is -1 if only one
/// variable has that variance.
std::pair<Index, Index> LocalSearch::largest_pair() const {
  Index first = 0;
  const double largest = variances_.maxCoeff(&first);
  std::pair<Index, Index> best(first, -1);
  if ((variances_.array() >= largest * (1 - kEqualVariance)).count() < 2) {
    return best;
  }
  double value = largest;
  for (Index i = 0; i < variances_.size(); ++i) {
    if (variances_[i] < largest * (1 - kEqualVariance) || !budget_.next(value)) {
      continue;
    }
    const Vector column = covariance_.columns({i}).col(0);
    for (Index j = 0; j < variances_.size(); ++j) {
      const double pair = larger_eigenvalue(variances_[i], column[j], variances_[j]);
      if (j != i && pair > value * (1 + kSmallestGain)) {
        value = pair;
        best = {i, j};
      }
    }
  }
  return best;
}

std::vector<Support> LocalSearch::starts() const {
  const auto [first, second] = k_ > 1 ? largest_pair() : std::pair<Index, Index>(-1, -1);
  if (second < 0) {
    return {{first < 0 ? first_of_largest(variances_.cwiseMax(0.0)) : first}};
  }
  std::vector<Support> starts = {with({first}, second)};
  const Support tied = variables_of_largest_variance(covariance_);
  const Support tried = start_variables(covariance_);
  Support candidates;
  std::set_intersection(tied.begin(), tied.end(), tried.begin(), tried.end(),
                        std::back_inserter(candidates));
  for (Index m = 2; m <= 2 * k_; m *= 2) {
    for (const ColumnStart& best :
         best_columns(covariance_, candidates, std::min(m, covariance_.variables()), 1)) {
      const Support start = {best.variable};
      if (std::find(starts.begin(), starts.end(), start) == starts.end()) {
        starts.push_back(start);
      }
    }
  }
  return starts;
}

void LocalSearch::grow(const Support& start) {
  set(start);
  while (std::ssize(support_) < k_ && budget_.next(value_)) {
    double level = value_;
    const Index added = best_addition(support_, level);
    if (added < 0) {
      return;  // no variable raises the value; more of them would be zeros
    }
    set(with(support_, added));
  }
}

bool LocalSearch::swap() {
  if (support_.size() < 2) {
    return false;  // the largest variance is the best
  }
  const Vector product = columns_ * vector_;
  std::vector<Index> order(support_.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return std::abs(vector_[a]) < std::abs(vector_[b]); });
  double level = value_;
  Support best;
  for (const Index place : order) {
    if (!budget_.next(value_)) {
      return false;
    }
    Support base = support_;
    base.erase(base.begin() + place);
    const Index added = takes_best_ ? best_addition(base, level) : [&] {
      const std::vector<bool> above = exceeding(base, level + kSmallestGain * std::abs(level));
      Index next = -1;
      for (Index j = 0; j < covariance_.variables(); ++j) {
        if (above[static_cast<std::size_t>(j)] &&
            (next < 0 || is_above(product[j], product[next]))) {
          next = j;
        }
      }
      return next;
    }();
    if (added >= 0) {
      best = with(base, added);
      if (!takes_best_) {
        break;
      }
    }
  }
  if (best.empty()) {
    return false;
  }
  const double before = value_;
  const Support support = support_;
  set(std::move(best));
  if (value_ > before) {
    return true;
  }
  set(support);  // the gain was rounding
  return false;
}

Solution solve_local_search(const Problem& problem, const LocalSearchOptions& options,
                            Budget& budget) {
  if (!(problem.covariance.diagonal().maxCoeff() > 0)) {
    return skipped(kNoVariance);
  }
  LocalSearch search(problem, options, budget);
  double greedy = 0;
  double swaps = 0;
  double value = 0;
  Support best;
  for (const Support& start : search.starts()) {
    if (!best.empty() && budget.out_of_time()) {
      break;
    }
    budget.begin_loop();
    search.grow(start);
    greedy = std::max(greedy, search.value());
    budget.finish_phase("greedy");
    while (options.swaps && search.swap()) {
      ++swaps;
    }
    budget.finish_phase("swaps");
    if (search.value() * (1 - kSmallestGain) > value) {
      value = search.value();
      best = search.support();
    }
  }
  Solution solution = make_solution({best_on_support(problem.covariance, best).component}, budget);
  solution.facts = {{"greedy_value", greedy}, {"swaps", swaps}};
  return solution;
}

SPCA_SOLVER("local-search", solve_local_search,
            (Traits{.summary = "greedy growth of a support, then swaps of two variables",
                    .problem = "max v'Sv  s.t. ||v|| = 1, ||v||_0 <= k",
                    .source = "Li, Xie, INFORMS Journal on Computing 2024"}));

}  // namespace
}  // namespace spca::solver_local_search
