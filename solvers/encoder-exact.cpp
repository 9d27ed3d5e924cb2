/// The linear encoder that loses least on k common rows, or on the fewest, with a certificate.
///
/// Problem  maximise ||XH(XH)^+X||_F^2  s.t. H has r columns and k nonzero rows; with `epsilon` > 0
///          the least k for which ||X - XH(XH)^+X||_F^2 <= (1 + epsilon) ||X - X_r||_F^2, at most the
///          cardinality of the problem
/// Step     branch and bound: the row that is missed most is taken or not. What rows may capture is
///          bounded from above by the pigeonhole principle (exact_rows.h). With `epsilon` this asks
///          of r, r + 1, ... rows whether any capture enough
/// Start    one column after the other, then exchanges of single columns (encoder_search.h)
/// Stops    if no open subtree can be better; anytime before
/// Cost     S and S^2 are held, p <= 64. A node takes some 2 k values of the loss, O(p^3) each; the
///          number of nodes is exponential at worst
/// Bound    captured_bound: no encoder on k rows captures more; gap: how much less of X's variance
///          could be lost, as a share. rows_bound: the loss is not to be had on fewer rows. They are
///          facts. The metric information_loss_bound computes the bound anew from S
/// Source   Magdon-Ismail, Boutsidis, Optimal sparse linear encoders and sparse PCA, NIPS 2016,
///          Problem 1, with rows in place of the nonzeros of one column; the search is this project's
/// Order    of rows that lose the same but for rounding it keeps any
/// Differs  the rows are common to all components, as those of the paper's algorithm are

#include <fmt/format.h>

#include <limits>
#include <numeric>

#include "spca/algebra/dense_products.h"
#include "spca/methods/encoders/encoder_problem.h"
#include "spca/methods/encoders/encoder_search.h"
#include "spca/methods/encoders/exact_rows.h"
#include "spca/methods/encoders/linear_encoder.h"

namespace spca::solver_encoder_exact {
namespace {

// Rounding of what rows capture, as a share of the variance: subtrees that fall short of what is
// needed by less are searched.
constexpr double kRounding = 1e-10;

struct EncoderExactOptions {
  double epsilon = 0;

  void describe(OptionVisitor& visit) {
    visit("epsilon", epsilon,
          "0: the least loss on k rows. Otherwise the fewest rows, at most k, on which the loss "
          "exceeds that of PCA by at most this share",
          at_least(0));
  }
};

ExactRowsProblem rows_problem(const Covariance& covariance, Index r, Index k) {
  Support all(static_cast<std::size_t>(covariance.variables()));
  std::iota(all.begin(), all.end(), Index{0});
  const Matrix s = covariance.submatrix(all);
  return {.s = s, .squared = matrix_product(s, s), .r = r, .k = k};
}

/// What the first columns and exchanges of them lead to: k rows, or fewer if those capture `enough`.
Support first_rows(const Problem& problem, const Eigenpairs& leading, Index first, double enough,
                   Budget& budget) {
  ColumnStore store(problem.covariance, leading);
  EncoderSearch search(store, problem.components, problem.threads);
  std::vector<Index> columns;
  for (Index k = first; k <= problem.cardinality[0] && budget.next(); ++k) {
    columns = search.exchange(search.grow(std::move(columns), k, budget), budget);
    if (search.captured(columns) >= enough) {
      break;
    }
  }
  return sorted(columns);
}

Solution encoder_on(const Problem& problem, const Support& rows, Budget& budget) {
  return make_solution(linear_encoder(problem.covariance, rows, problem.components).components,
                       budget);
}

Solution least_loss(const Problem& problem, const Eigenpairs& leading, Budget& budget) {
  constexpr double kNever = std::numeric_limits<double>::infinity();
  const Index k = problem.cardinality[0];
  const ExactRowsProblem rows = rows_problem(problem.covariance, problem.components, k);
  Support start = first_rows(problem, leading, k, kNever, budget);
  budget.finish_phase("start");
  budget.begin_loop();
  const ExactRows answer =
      exact_rows(rows, start, 0, kNever, [&](double value) { return budget.next(value); });
  budget.finish_phase("search");
  const double total = problem.covariance.total_variance();
  const double least = total - answer.bound;
  Solution solution = answer.rows.empty() || std::ssize(answer.rows) < problem.components
                          ? make_solution({}, budget)
                          : encoder_on(problem, answer.rows, budget);
  solution.facts = {
      {"captured", answer.captured},
      {"captured_bound", answer.bound},
      {"gap", answer.bound > answer.captured && least > 0 ? (answer.bound - answer.captured) / least
                                                          : 0.0},
      {"certified", answer.is_finished ? 1.0 : 0.0},
      {"nodes", static_cast<double>(answer.nodes)}};
  return solution;
}

Solution fewest_rows(const Problem& problem, const Eigenpairs& leading, double epsilon,
                     Budget& budget) {
  const Index r = problem.components;
  const Index most = problem.cardinality[0];
  const double total = problem.covariance.total_variance();
  const double needed = total - (1 + epsilon) * (total - leading.values.sum());
  const double floor = needed - kRounding * total;
  ExactRowsProblem rows = rows_problem(problem.covariance, r, most);
  Support best = first_rows(problem, leading, r, needed, budget);
  bool serves = std::ssize(best) >= r && captured_on(rows, best) >= needed;
  budget.finish_phase("start");
  // Upwards, because few rows are soon shown to be too few.
  Index fewest = r;
  double nodes = 0;
  while (fewest < (serves ? std::ssize(best) : most + 1)) {
    budget.begin_loop();
    rows.k = fewest;
    const ExactRows answer =
        exact_rows(rows, {}, floor, needed, [&](double value) { return budget.next(value); });
    nodes += static_cast<double>(answer.nodes);
    if (answer.captured >= needed) {
      best = answer.rows;
      serves = true;
    } else if (answer.is_finished) {
      ++fewest;
    } else {
      break;
    }
  }
  budget.finish_phase("search");
  if (!serves) {
    return fewest > most ? skipped(fmt::format("{} rows do not bring the loss within 1 + {}, which "
                                               "is certified; accepted: a larger cardinality or "
                                               "epsilon",
                                               most, epsilon))
                         : make_solution({}, budget);
  }
  Solution solution = encoder_on(problem, best, budget);
  solution.facts = {{"rows", static_cast<double>(best.size())},
                    {"rows_bound", static_cast<double>(fewest)},
                    {"certified", std::ssize(best) == fewest ? 1.0 : 0.0},
                    {"nodes", nodes}};
  return solution;
}

Solution solve_encoder_exact(const Problem& problem, const EncoderExactOptions& options,
                             Budget& budget) {
  if (std::optional<Solution> refusal = refuse_common_rows(problem)) {
    return *std::move(refusal);
  }
  const Eigenpairs leading = encoder_eigenpairs(problem, budget);
  if (std::optional<Solution> refusal = refuse_rank(leading)) {
    return *std::move(refusal);
  }
  return options.epsilon > 0 ? fewest_rows(problem, leading, options.epsilon, budget)
                             : least_loss(problem, leading, budget);
}

SPCA_SOLVER("encoder-exact", solve_encoder_exact,
            (Traits{.summary = "linear encoder of least loss on k common rows, or on the fewest; "
                               "certified",
                    .problem = "min ||X - XH(XH)^+X||_F^2  s.t. H has k nonzero rows; or the least "
                               "k for a loss",
                    .source = "Magdon-Ismail, Boutsidis, NIPS 2016, Problem 1; the search is this "
                              "project's",
                    .multiple_components = true,
                    .laws = {"theorem5_slack", "eckart_young_slack"},
                    .semidefinite = kEncodersNeedData,
                    .largest_p = kMostRowsSearched}));

}  // namespace
}  // namespace spca::solver_encoder_exact
