/// The fewest rows on which a linear encoder is within (1 + epsilon) of PCA in loss.
///
/// Problem  minimise the number k of nonzero rows of H  s.t. ||X - XH(XH)^+X||_F^2 <= (1 + epsilon)
///          ||X - X_r||_F^2, H with r columns; k at most the cardinality of the problem
/// Step     k = r, r + 1, ...: one more column, the best, then exchanges of single columns
///          (encoder_search.h), until the loss is small enough. With `certify`, all supports of k -
///          1 rows are then tried; if one suffices, it is the answer, and those of one row less are
///          tried
/// Start    no column
/// Stops    at the first sufficient k; with `certify`, if no support of k - 1 rows suffices
/// Cost     that of encoder-refine on common rows from the start greedy, for each k; C(p, k - 1)
///          eigenproblems of k x k to certify
/// Source   Magdon-Ismail, Boutsidis, Optimal sparse linear encoders and sparse PCA, NIPS 2016,
///          Problem 1, with rows in place of the nonzeros of one column; their Theorem 7 answers
///          with O(r / epsilon) rows
/// Differs  the search is this project's. The rows are common to all components, as in the
///          paper's algorithm

#include <fmt/format.h>

#include <limits>
#include <numeric>

#include "spca/base/binomial.h"
#include "spca/methods/encoders/encoder_problem.h"
#include "spca/methods/encoders/encoder_search.h"
#include "spca/methods/encoders/exact_rows.h"
#include "spca/methods/encoders/linear_encoder.h"

namespace spca::solver_encoder_fewest_rows {
namespace {

// At most this number of supports are enumerated: about a minute. Chosen by trial, not measured.
constexpr Index kMostSupports = 5000000;

struct FewestRowsOptions {
  double epsilon = 0.1;
  bool certify = false;

  void describe(OptionVisitor& visit) {
    visit("epsilon", epsilon, "the loss may exceed that of PCA by this share", above(0));
    visit("certify", certify, "try all supports of one row less; up to 64 variables");
  }
};

/// Goes to the next support of the same size below p, in lexicographic order. Returns false after
/// the last.
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

/// The result of enumerating the supports of k rows.
struct Enumerated {
  Support serving;          // empty if no rows have a loss of at most `enough`
  bool is_certain = false;  // all supports were tried, and rounding hides no sufficient one
};

Enumerated find_support(const ExactRowsProblem& problem, double enough, double too_much,
                        Budget& budget) {
  Support support(static_cast<std::size_t>(problem.k));
  std::iota(support.begin(), support.end(), Index{0});
  bool hides_none = true;
  bool is_left = true;
  while (is_left && !budget.out_of_time()) {
    const LossInterval loss = loss_on(problem, support);
    if (loss.value <= enough) {
      return {.serving = support, .is_certain = true};
    }
    hides_none = hides_none && loss.least > too_much;
    is_left = advance(support, problem.factor.lengths.size());
  }
  return {.serving = {}, .is_certain = hides_none && !is_left};
}

/// Returns a skipped solution if there are too many supports of k rows to try.
std::optional<Solution> refuse_to_certify(Index p, Index k) {
  const Index count = binomial(p, k);
  if (p <= kMostRowsSearched && count <= kMostSupports) {
    return std::nullopt;
  }
  return skipped(
      fmt::format("{}{:.3g} supports of {} rows among {} variables are to be tried; accepted: up "
                  "to {:.3g}, and {} variables",
                  count == kLargestBinomial ? "more than " : "", static_cast<double>(count), k, p,
                  static_cast<double>(kMostSupports), kMostRowsSearched));
}

/// Returns the given rows, or fewer that suffice: enumerates all supports of one row less for as
/// long as one suffices. `is_certain` receives whether fewer rows are proven insufficient.
Support fewest_rows(const Covariance& covariance, Support rows, Index r, double epsilon,
                    bool& is_certain, Budget& budget) {
  ExactRowsProblem problem{.factor = column_factor(covariance), .r = r, .k = 0};
  const LossInterval principal = principal_loss(problem.factor, r);
  is_certain = loss_on(problem, rows).value <= (1 + epsilon) * principal.most;
  while (is_certain && std::ssize(rows) > r) {
    problem.k = std::ssize(rows) - 1;
    // Below p / 2 rows there are fewer supports at each step, above it more.
    if (binomial(covariance.variables(), problem.k) > kMostSupports) {
      is_certain = false;
      break;
    }
    Enumerated fewer = find_support(problem, (1 + epsilon) * principal.value,
                                    (1 + epsilon) * principal.most, budget);
    is_certain = fewer.is_certain;
    if (fewer.serving.empty()) {
      break;
    }
    rows = std::move(fewer.serving);
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
    return budget.out_of_time() ? make_solution({}, budget)
                                : skipped(fmt::format("no {} rows with a loss within 1 + {} times "
                                                      "that of PCA were found; accepted: a "
                                                      "larger cardinality or epsilon",
                                                      problem.cardinality[0], options.epsilon));
  }
  Support rows = sorted(columns);
  double certified = 0;
  if (options.certify) {
    if (std::optional<Solution> refusal = refuse_to_certify(p, std::ssize(rows) - 1)) {
      return *std::move(refusal);
    }
    bool is_certain = false;
    rows = fewest_rows(covariance, std::move(rows), r, options.epsilon, is_certain, budget);
    certified = is_certain ? 1 : 0;
  }
  Solution solution =
      make_solution(options.certify ? encoder_on_rows(column_factor(covariance), rows, r)
                                    : linear_encoder(covariance, rows, r).components,
                    budget);
  solution.facts = {{"rows", static_cast<double>(rows.size())}, {"certified", certified}};
  if (options.certify && certified == 0 && solution.status == Status::kConverged) {
    solution.status = Status::kIterationLimit;
    solution.message =
        "it is not certified whether fewer rows suffice: columns of X depend on one another up to "
        "rounding";
  }
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
