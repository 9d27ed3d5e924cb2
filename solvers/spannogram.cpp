/// Sparse PCA of a low-rank approximation by the spannogram: every support that is optimal
/// somewhere in the span of its d eigenvectors.
///
/// Problem  maximise v'Sv  s.t. ||v||_2 = 1, support(v) among the candidates. These contain the
///          best support of S_d = V V', rank d
/// Step     for every d of the p variables and every sequence of signs b: c with
///          V_{i_1} c = b_1 V_{i_2} c = ... = b_{d-1} V_{i_d} c. The candidates are I_k(V c), and
///          if the tied variables straddle the k-th place, every choice among them. If S has no
///          negative entry (line 2 of Algorithm 1): signs all +1, the k largest entries of V c and
///          of -V c instead of |V c|, and a zero row that variables may tie with
/// Start    ascents on S_d from its d eigenvectors, whose best value drives the elimination
/// Stops    after the last of the C(p, d) 2^(d-1) directions; p counts the remaining variables.
///          Without negative entries there are C(p + 1, d)
/// Cost     O(d^3 + p) a direction
/// Source   D. Papailiopoulos, A. Dimakis, S. Korokythakis, Sparse PCA through low-rank
///          approximations, ICML 2013, Algorithms 1 and 2
/// Differs  the paper assumes general position. Here variables within rounding of a tie are tied as
///          well, and all their subsets are tried; of equal rows only the first ones. Directions at
///          which d - 1 rows vanish are visited too if enough rows can vanish at once to make the
///          k-th largest entry zero: their supports touch no other intersection. Elimination is by
///          boxes (elimination_by_boxes.h), and keeps every variable of a candidate that may be
///          best on S: the paper's keeps those of the best on S_d. The test for negative entries of
///          S covers the remaining variables. A support is scored on S only if its value on S_d and
///          lambda_{d+1} allow it to be the best

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <optional>

#include "spca/dense/sparsify.h"
#include "spca/methods/spannogram/elimination_by_boxes.h"
#include "spca/methods/spannogram/support_search.h"
#include "spca/solving/solver.h"
#include "spca/spectrum/remaining_variance.h"

namespace spca::solver_spannogram {
namespace {

struct SpannogramOptions {
  Index rank = 2;
  bool nonnegative = false;
  bool detect = true;
  bool eliminate = true;
  std::string score = "covariance";

  void describe(OptionVisitor& visit) {
    visit("rank", rank, "d, the rank of the approximation", between(1, 16));
    visit("nonnegative", nonnegative,
          "loadings of one sign: 2^(d-1) times fewer directions; an S with a negative entry is "
          "refused");
    visit("detect", detect,
          "use `nonnegative` automatically if the remaining variables have no negative entry");
    visit("eliminate", eliminate,
          "exclude variables that are provably in no candidate that may be best");
    visit("score", score, "the matrix on which the answer is best", {"covariance", "low-rank"});
  }
};

// Differences of entries of V c that are rounding, relative to the largest row of V.
constexpr double kTie = 1e-10;
// Relative loss of value that may be due to rounding.
constexpr double kRoundingLoss = 1e-9;
// At most this number of subsets of tied variables is tried at one direction; general position
// needs 2^d.
constexpr int kMostSubsets = 1 << 16;
// A covariance is rounding below this share of the two standard deviations multiplied.
constexpr double kNoCovariance = 1e-12;
// Up to this number of variables their signs in S are read from one submatrix.
constexpr std::size_t kFewVariables = 500;
// Number of columns of S that are stored at once while its signs are read.
constexpr std::size_t kColumns = 64;

struct Entry {
  int row = 0, column = 0;
  double value = 0;
};

/// A negative entry of the rows and columns `variables` of S: the first in order of columns.
std::optional<Entry> negative_entry(const Covariance& s, const std::vector<int>& variables) {
  const Vector deviations = s.diagonal().cwiseMax(0).cwiseSqrt();
  if (variables.size() <= kFewVariables) {
    // Without the other rows, of which large data have many.
    const Support all(variables.begin(), variables.end());
    const Matrix matrix = s.submatrix(all);
    for (Index j = 0; j < matrix.cols(); ++j) {
      for (Index i = 0; i < matrix.rows(); ++i) {
        const auto row = variables[static_cast<std::size_t>(i)];
        const auto column = variables[static_cast<std::size_t>(j)];
        if (matrix(i, j) < -kNoCovariance * deviations[row] * deviations[column]) {
          return Entry{.row = row, .column = column, .value = matrix(i, j)};
        }
      }
    }
    return std::nullopt;
  }
  for (std::size_t begin = 0; begin < variables.size(); begin += kColumns) {
    const std::size_t end = std::min(begin + kColumns, variables.size());
    const Support some(variables.begin() + static_cast<std::ptrdiff_t>(begin),
                       variables.begin() + static_cast<std::ptrdiff_t>(end));
    const Matrix columns = s.columns(some);
    for (Index j = 0; j < columns.cols(); ++j) {
      const auto column = static_cast<int>(some[static_cast<std::size_t>(j)]);
      for (const int row : variables) {
        if (columns(row, j) < -kNoCovariance * deviations[row] * deviations[column]) {
          return Entry{.row = row, .column = column, .value = columns(row, j)};
        }
      }
    }
  }
  return std::nullopt;
}

/// The same as negative_entry(), for S_d = V V', on which the answer is best if it is not scored on
/// S.
bool has_negative_entry(const Matrix& factor, const std::vector<int>& variables) {
  return std::any_of(variables.begin(), variables.end(), [&](int i) {
    return std::any_of(variables.begin(), variables.end(), [&](int j) {
      return factor.row(i).dot(factor.row(j)) <
             -kNoCovariance * factor.row(i).norm() * factor.row(j).norm();
    });
  });
}

/// The unit null vector of the (d-1) x d matrix, by elimination with full pivots; empty if its rank
/// is less than d - 1.
Vector null_vector(Matrix rows) {
  const Index d = rows.cols();
  std::vector<Index> order(static_cast<std::size_t>(d));
  std::iota(order.begin(), order.end(), Index{0});
  const double largest = rows.size() == 0 ? 1.0 : rows.cwiseAbs().maxCoeff();
  for (Index step = 0; step < d - 1; ++step) {
    Index row = 0;
    Index column = 0;
    const double pivot =
        rows.bottomRightCorner(d - 1 - step, d - step).cwiseAbs().maxCoeff(&row, &column);
    if (!(pivot > kTie * largest)) {
      return {};
    }
    rows.row(step).swap(rows.row(step + row));
    rows.col(step).swap(rows.col(step + column));
    std::swap(order[static_cast<std::size_t>(step)],
              order[static_cast<std::size_t>(step + column)]);
    for (Index below = step + 1; below < d - 1; ++below) {
      const double ratio = rows(below, step) / rows(step, step);
      rows.row(below).tail(d - step) -= ratio * rows.row(step).tail(d - step);
    }
  }
  Vector solution(d);
  solution[d - 1] = 1;
  for (Index step = d - 2; step >= 0; --step) {
    solution[step] =
        -rows.row(step).tail(d - 1 - step).dot(solution.tail(d - 1 - step)) / rows(step, step);
  }
  Vector c(d);
  for (Index m = 0; m < d; ++m) {
    c[order[static_cast<std::size_t>(m)]] = solution[m];
  }
  return c.normalized();
}

/// Calls `use` with every `count`-subset of 0 ... n - 1 until it returns false.
bool for_each_subset(Index n, Index count, const std::function<bool(const Support&)>& use) {
  Support subset(static_cast<std::size_t>(count));
  std::iota(subset.begin(), subset.end(), Index{0});
  if (count > n) {
    return true;
  }
  while (use(subset)) {
    Index last = count - 1;
    while (last >= 0 && subset[static_cast<std::size_t>(last)] == n - count + last) {
      --last;
    }
    if (last < 0) {
      return true;
    }
    ++subset[static_cast<std::size_t>(last)];
    for (Index i = last + 1; i < count; ++i) {
      subset[static_cast<std::size_t>(i)] = subset[static_cast<std::size_t>(i - 1)] + 1;
    }
  }
  return false;
}

/// Algorithm 2. The support I_k(V c) changes only where two of the |V_i c| are equal, and every
/// region of directions with one support touches a direction at which d of them are. So these are
/// visited, and each gives the supports of all regions that touch it.
class Spannogram {
 public:
  Spannogram(const Matrix& factor, Index k, const std::vector<int>& variables, bool nonnegative,
             SupportSearch& supports);
  /// Returns false if the budget ran out.
  bool run(Budget& budget);
  double directions() const { return directions_; }
  double candidates() const { return candidates_; }
  /// The directions at which only kMostSubsets of the tied variables' subsets were tried.
  double directions_cut_short() const { return directions_cut_short_; }

 private:
  bool visit_ties(const Support& rows, Budget& budget);
  void visit(const Vector& c);
  void offer_top(const Vector& magnitude);
  void choose(const std::vector<Index>& tied, std::size_t next, Index wanted, Support& chosen);
  void offer(const Support& rows);

  Matrix rows_;  // V of the remaining variables, and a zero row if nonnegative
  std::vector<int> variables_;
  std::vector<Index> same_as_;  // the first row that equals this one up to sign
  Index k_;
  bool nonnegative_;
  SupportSearch& supports_;
  double tie_;
  double directions_ = 0;
  double candidates_ = 0;
  double directions_cut_short_ = 0;
  int subsets_ = 0;
  bool is_cut_short_ = false;
};

Spannogram::Spannogram(const Matrix& factor, Index k, const std::vector<int>& variables,
                       bool nonnegative, SupportSearch& supports)
    : variables_(variables), k_(k), nonnegative_(nonnegative), supports_(supports) {
  const Index count = static_cast<Index>(variables.size());
  rows_ = Matrix::Zero(count + (nonnegative ? 1 : 0), factor.cols());
  for (Index i = 0; i < count; ++i) {
    rows_.row(i) = factor.row(variables[static_cast<std::size_t>(i)]);
  }
  tie_ = kTie * rows_.rowwise().norm().maxCoeff();
  for (Index i = 0; i < rows_.rows(); ++i) {
    Index first = 0;
    while ((rows_.row(i) - rows_.row(first)).norm() > tie_ &&
           (rows_.row(i) + rows_.row(first)).norm() > tie_) {
      ++first;
    }
    same_as_.push_back(first);
  }
}

bool Spannogram::run(Budget& budget) {
  const Index d = rows_.cols();
  bool goes_on = for_each_subset(rows_.rows(), d,
                                 [&](const Support& subset) { return visit_ties(subset, budget); });
  // d - 1 rows or more vanish at one direction. Only if fewer than k other rows remain there is the
  // k-th largest zero, so that they are tied with it.
  if (goes_on && k_ + d >= rows_.rows() + 2) {
    goes_on = for_each_subset(rows_.rows(), d - 1, [&](const Support& subset) {
      Matrix vanishing(d - 1, d);
      for (Index m = 0; m + 1 < d; ++m) {
        vanishing.row(m) = rows_.row(subset[static_cast<std::size_t>(m)]);
      }
      visit(null_vector(vanishing));
      return budget.next(supports_.best_value());
    });
  }
  return goes_on;
}

bool Spannogram::visit_ties(const Support& rows, Budget& budget) {
  const Index d = rows_.cols();
  const unsigned sequences = nonnegative_ ? 1U : 1U << (d - 1);
  for (unsigned signs = 0; signs < sequences; ++signs) {
    Matrix differences(d - 1, d);
    for (Index m = 1; m < d; ++m) {
      const double sign = (signs >> (m - 1) & 1U) == 0 ? 1.0 : -1.0;
      differences.row(m - 1) =
          rows_.row(rows[0]) - sign * rows_.row(rows[static_cast<std::size_t>(m)]);
    }
    visit(null_vector(differences));
  }
  return budget.next(supports_.best_value());
}

void Spannogram::visit(const Vector& c) {
  if (c.size() == 0) {
    return;
  }
  ++directions_;
  is_cut_short_ = false;
  const Vector values = rows_ * c;
  if (nonnegative_) {
    offer_top(values);
    offer_top(-values);
  } else {
    offer_top(values.cwiseAbs());
  }
  directions_cut_short_ += is_cut_short_ ? 1 : 0;
}

/// The k largest; if others tie with the k-th, every choice among the tied.
void Spannogram::offer_top(const Vector& magnitude) {
  std::vector<double> sorted(magnitude.begin(), magnitude.end());
  const Index k = std::min(k_, magnitude.size());
  std::nth_element(sorted.begin(), sorted.begin() + (k - 1), sorted.end(), std::greater<>());
  const double last = sorted[static_cast<std::size_t>(k - 1)];
  Support chosen;
  std::vector<Index> tied;
  for (Index i = 0; i < magnitude.size(); ++i) {
    if (magnitude[i] > last + tie_) {
      chosen.push_back(i);
    } else if (magnitude[i] >= last - tie_) {
      tied.push_back(i);
    }
  }
  subsets_ = 0;
  choose(tied, 0, k - static_cast<Index>(chosen.size()), chosen);
}

void Spannogram::choose(const std::vector<Index>& tied, std::size_t next, Index wanted,
                        Support& chosen) {
  if (wanted == 0) {
    offer(chosen);
    ++subsets_;
    return;
  }
  if (static_cast<Index>(tied.size() - next) < wanted) {
    return;
  }
  if (subsets_ >= kMostSubsets) {
    is_cut_short_ = true;
    return;
  }
  chosen.push_back(tied[next]);
  choose(tied, next + 1, wanted - 1, chosen);
  chosen.pop_back();
  // Without this row: then also without those equal to it, since the first of them are equivalent.
  std::size_t other = next + 1;
  std::vector<Index> rest;
  for (; other < tied.size(); ++other) {
    if (same_as_[static_cast<std::size_t>(tied[other])] !=
        same_as_[static_cast<std::size_t>(tied[next])]) {
      rest.push_back(tied[other]);
    }
  }
  choose(rest, 0, wanted, chosen);
}

void Spannogram::offer(const Support& rows) {
  Support support;
  for (const Index row : rows) {
    if (row < static_cast<Index>(variables_.size())) {
      support.push_back(variables_[static_cast<std::size_t>(row)]);
    }
  }
  std::sort(support.begin(), support.end());
  ++candidates_;
  supports_.consider(support);
}

Solution solve_spannogram(const Problem& problem, const SpannogramOptions& options,
                          Budget& budget) {
  const LowRank low_rank = low_rank_approximation(problem.covariance, options.rank, Copies::kAny);
  budget.finish_phase("eigenpairs");
  std::vector<int> variables = nonzero_rows(low_rank.factor);
  if (variables.empty()) {
    return skipped(kNoVariance);
  }
  const Index k = std::min(problem.cardinality[0], static_cast<Index>(variables.size()));
  if (options.nonnegative) {
    if (const auto entry = negative_entry(problem.covariance, variables)) {
      return skipped(fmt::format(
          "nonnegative: S has the entry {:.6g} at variables {} and {}; accepted: an S without "
          "negative entries, or nonnegative=false",
          entry->value, entry->row + 1, entry->column + 1));
    }
  }
  const bool on_covariance = options.score == "covariance";
  if (options.nonnegative && !on_covariance && has_negative_entry(low_rank.factor, variables)) {
    return skipped(fmt::format(
        "nonnegative: S_d of rank {} has a negative entry, and score=low-rank asks for the best on "
        "S_d; accepted: score=covariance, or nonnegative=false",
        low_rank.rank()));
  }
  SupportSearch supports(problem.covariance, low_rank, on_covariance);
  supports.consider_ascents(k);
  const std::size_t all = variables.size();
  if (options.eliminate) {
    // On S a support of value w on S_d has at most w + lambda_{d+1}.
    const double best = supports.best_low_rank_value();
    const double floor =
        on_covariance ? std::min(best, supports.best_value() - low_rank.residual) : best;
    variables =
        eliminate_by_boxes(low_rank.factor, k, variables, floor - kRoundingLoss * best,
                           on_covariance ? Keep::kEveryCandidate : Keep::kTopAtOwnDirection);
  }
  const bool nonnegative =
      options.nonnegative ||
      (options.detect && !(on_covariance ? negative_entry(problem.covariance, variables).has_value()
                                         : has_negative_entry(low_rank.factor, variables)));
  Spannogram spannogram(low_rank.factor, k, variables, nonnegative, supports);
  spannogram.run(budget);
  Component answer = supports.best();
  if (answer.support.empty() && !budget.out_of_time()) {
    return skipped(no_positive_support(k));
  }
  Solution solution = make_solution({std::move(answer)}, budget);
  solution.facts = {{"rank", low_rank.rank()},
                    {"variables", static_cast<double>(all)},
                    {"variables_left", static_cast<double>(variables.size())},
                    {"directions", spannogram.directions()},
                    {"candidates", spannogram.candidates()},
                    {"directions_cut_short", spannogram.directions_cut_short()},
                    {"nonnegative", nonnegative ? 1.0 : 0.0},
                    {"supports_scored", static_cast<double>(supports.scored())},
                    {"low_rank_value", supports.best_low_rank_value()}};
  return solution;
}

SPCA_SOLVER("spannogram", solve_spannogram,
            (Traits{.summary = "every support that is optimal in the span of d eigenvectors",
                    .problem = "max v'Sv  s.t. ||v|| = 1, support(v) a candidate of cardinality k",
                    .source = "Papailiopoulos, Dimakis, Korokythakis, ICML 2013, Algorithms 1, 2",
                    .rank = kRankOption}));

}  // namespace
}  // namespace spca::solver_spannogram
