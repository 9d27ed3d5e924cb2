/// Sparse PCA of a low-rank approximation by the spannogram: every support that is optimal
/// somewhere in the span of its d eigenvectors.
///
/// Problem  maximise v'Sv  s.t. ||v||_2 = 1, support(v) among the candidates. These contain the
///          best support of S_d = V V', rank d
/// Step     for every d of the p variables and every sequence of signs b: c with
///          V_{i_1} c = b_1 V_{i_2} c = ... = b_{d-1} V_{i_d} c. The candidates are I_k(V c), and
///          if the tied variables straddle the k-th place, every choice among them (spannogram.h).
///          If S has no negative entry (line 2 of Algorithm 1): signs all +1, the k largest entries
///          of V c and of -V c, and a zero row that variables may tie with
/// Start    ascents on S_d from its d eigenvectors, whose best value drives the elimination
/// Stops    after the last of the C(p, d) 2^(d-1) directions; p counts the remaining variables.
///          Without negative entries there are C(p + 1, d)
/// Cost     O(d^3 + p) a direction
/// Source   D. Papailiopoulos, A. Dimakis, S. Korokythakis, Sparse PCA through low-rank
///          approximations, ICML 2013, Algorithms 1 and 2
/// Differs  the paper assumes general position; here ties are resolved, and directions at which
///          d - 1 rows vanish are visited if their supports touch no other intersection.
///          Elimination is by boxes (elimination_by_boxes.h), and keeps every variable of a
///          candidate that may be best on S: the paper's keeps those of the best on S_d. The test
///          for negative entries of S covers the remaining variables. A support is scored on S only
///          if its value on S_d and lambda_{d+1} allow it to be the best

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "spca/base/tolerances.h"
#include "spca/methods/spannogram/elimination_by_boxes.h"
#include "spca/methods/spannogram/spannogram.h"
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

// A covariance below this share of the product of the two standard deviations is rounding.
constexpr double kNoCovariance = 1e-12;

// The limits of effort below were chosen by trial, not measured.

// At most this number of variables have their signs in S read from one submatrix.
constexpr std::size_t kMostVariablesOfSubmatrix = 500;
// Number of columns of S that are stored at once while its signs are read.
constexpr std::size_t kColumnsOfSigns = 64;

struct Entry {
  int row = 0, column = 0;
  double value = 0;
};

/// A negative entry of the rows and columns `variables` of S: the first in order of columns.
std::optional<Entry> negative_entry(const Covariance& s, const std::vector<int>& variables) {
  const Vector deviations = s.diagonal().cwiseMax(0).cwiseSqrt();
  if (variables.size() <= kMostVariablesOfSubmatrix) {
    // The submatrix leaves out the other rows of S, of which large data have many.
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
  for (std::size_t begin = 0; begin < variables.size(); begin += kColumnsOfSigns) {
    const std::size_t end = std::min(begin + kColumnsOfSigns, variables.size());
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

/// Returns true if S_d = V V' has a negative entry in these rows and columns. S_d counts if the
/// answer is not scored on S.
bool has_negative_entry(const Matrix& factor, const std::vector<int>& variables) {
  return std::any_of(variables.begin(), variables.end(), [&](int i) {
    return std::any_of(variables.begin(), variables.end(), [&](int j) {
      return factor.row(i).dot(factor.row(j)) <
             -kNoCovariance * factor.row(i).norm() * factor.row(j).norm();
    });
  });
}

Solution solve_spannogram(const Problem& problem, const SpannogramOptions& options,
                          Budget& budget) {
  const LowRank low_rank = low_rank_approximation(problem.covariance, options.rank, Copies::kAny);
  budget.phases().finish("eigenpairs");
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
