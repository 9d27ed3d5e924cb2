/// The fewest rows on which a linear encoder is within (1 + epsilon) of PCA in loss.
///
/// Problem  minimise the number k of nonzero rows of H  s.t. ||X - XH(XH)^+X||_F^2 <= (1 + epsilon)
///          ||X - X_r||_F^2, H with r columns; k at most the cardinality of the problem
/// Step     k = r, r + 1, ...: one more column, the best, then exchanges of single columns
///          (encoder_search.h), until the loss is small enough. With `certify`, all supports of k - 1
///          rows are then tried; if one serves, it is the answer, and those of one row less are
///          tried
/// Start    no column
/// Stops    at the first k that serves; with `certify`, if no support of k - 1 rows does
/// Cost     that of encoder-refine on common rows from the start greedy, for each k; C(p, k - 1)
///          eigenproblems of k x k to certify
/// Source   Magdon-Ismail, Boutsidis, Optimal sparse linear encoders and sparse PCA, NIPS 2016,
///          Problem 1, with rows in place of the nonzeros of one column; their Theorem 7 answers
///          with O(r / epsilon) rows
/// Differs  the search is this project's. The rows are common to all components, as those of the
///          paper's algorithm are

#include <fmt/format.h>

#include <limits>
#include <numeric>

#include "spca/algebra/dense_products.h"
#include "spca/algebra/dense_selections.h"
#include "spca/base/binomial.h"
#include "spca/methods/encoders/encoder_problem.h"
#include "spca/methods/encoders/encoder_search.h"
#include "spca/methods/encoders/linear_encoder.h"

namespace spca::solver_encoder_fewest_rows {
namespace {

// So many supports take about a minute.
constexpr Index kMostSupports = 5000000;
constexpr Index kLargestCertified = 64;  // variables: S and S^2 are held

struct FewestRowsOptions {
  double epsilon = 0.1;
  bool certify = false;

  void describe(OptionVisitor& visit) {
    visit("epsilon", epsilon, "the loss may exceed that of PCA by this share", above(0));
    visit("certify", certify, "try all supports of one row less; up to 64 variables");
  }
};

/// Goes to the next support of as many indices below p, in lexicographic order.
bool advance(Support& support, Index p) {
  const auto size = std::ssize(support);
  for (Index i = size - 1; i >= 0; --i) {
    const auto at = static_cast<std::size_t>(i);
    if (support[at] < p - size + i) {
      std::iota(support.begin() + i, support.end(), support[at] + 1);
      return true;
    }
  }
  return false;
}

/// Some support of k rows that captures `needed`; empty if there is none.
Support find_support(const Matrix& s, const Matrix& squared, Index k, Index r, double needed,
                     Budget& budget) {
  Support support(static_cast<std::size_t>(k));
  std::iota(support.begin(), support.end(), Index{0});
  do {
    if (column_span(selected(s, support, support), selected(squared, support, support))
            .captured_by(r) >= needed) {
      return support;
    }
  } while (!budget.out_of_time() && advance(support, s.rows()));
  return {};
}

/// Returns a skipped solution if there are too many supports of k rows to try.
std::optional<Solution> refuse_to_certify(Index p, Index k) {
  const Index count = binomial(p, k);
  if (p <= kLargestCertified && count <= kMostSupports) {
    return std::nullopt;
  }
  return skipped(
      fmt::format("{}{:.3g} supports of {} rows among {} variables are to be tried; accepted: up "
                  "to {:.3g}, and {} variables",
                  count == kLargestBinomial ? "more than " : "", static_cast<double>(count), k, p,
                  static_cast<double>(kMostSupports), kLargestCertified));
}

/// The rows, or fewer that serve: enumerates all supports of one row less for as long as one does.
Support fewest_rows(const Covariance& covariance, Support rows, Index r, double needed,
                    Budget& budget) {
  Support all(static_cast<std::size_t>(covariance.variables()));
  std::iota(all.begin(), all.end(), Index{0});
  const Matrix s = covariance.submatrix(all);
  const Matrix squared = matrix_product(s, s);
  while (std::ssize(rows) > r) {
    Support fewer = find_support(s, squared, std::ssize(rows) - 1, r, needed, budget);
    if (fewer.empty()) {
      break;
    }
    rows = std::move(fewer);
  }
  return rows;
}

Solution solve_fewest_rows(const Problem& problem, const FewestRowsOptions& options,
                           Budget& budget) {
  const Covariance& covariance = problem.covariance;
  if (std::optional<Solution> refusal = refuse_common_rows(problem)) {
    return *std::move(refusal);
  }
  const Eigenpairs leading = encoder_eigenpairs(problem, budget);
  if (std::optional<Solution> refusal = refuse_rank(leading)) {
    return *std::move(refusal);
  }
  const Index p = covariance.variables();
  const Index r = problem.components;
  const double total = covariance.total_variance();
  const double needed = total - (1 + options.epsilon) * (total - leading.values.sum());
  ColumnStore store(covariance, leading);
  EncoderSearch search(store, r, problem.threads);
  std::vector<Index> columns;
  bool serves = false;
  for (Index k = r; k <= problem.cardinality[0] && !serves && budget.next(); ++k) {
    columns = search.exchange(search.grow(std::move(columns), k, budget), budget);
    // If time ran out, there may be fewer columns than components.
    serves = std::ssize(columns) >= r && search.captured(columns) >= needed;
  }
  if (!serves) {
    return budget.out_of_time()
               ? make_solution({}, budget)
               : skipped(fmt::format("{} rows do not bring the loss within 1 + {}; accepted: a "
                                     "larger cardinality or epsilon",
                                     problem.cardinality[0], options.epsilon));
  }
  Support rows = sorted(columns);
  double certified = 0;
  if (options.certify) {
    if (std::optional<Solution> refusal = refuse_to_certify(p, std::ssize(rows) - 1)) {
      return *std::move(refusal);
    }
    rows = fewest_rows(covariance, std::move(rows), r, needed, budget);
    certified = budget.out_of_time() ? 0 : 1;
  }
  Solution solution = make_solution(linear_encoder(covariance, rows, r).components, budget);
  solution.facts = {{"rows", static_cast<double>(rows.size())}, {"certified", certified}};
  return solution;
}

SPCA_SOLVER("encoder-fewest-rows", solve_fewest_rows,
            (Traits{.summary = "sparse linear encoder on the fewest rows for a given loss",
                    .problem = "min rows of H  s.t. ||X - XH(XH)^+X||_F^2 <= (1 + eps) "
                               "||X - X_r||_F^2",
                    .source = "Magdon-Ismail, Boutsidis, NIPS 2016, Problem 1; the search is this "
                              "project's",
                    .multiple_components = true,
                    .laws = {"theorem5_slack", "eckart_young_slack"},
                    .semidefinite = kEncodersNeedData}));

}  // namespace
}  // namespace spca::solver_encoder_fewest_rows
