/// The linear encoder of least loss on k common rows, or on the fewest rows, with a certificate.
///
/// Problem  maximise ||XH(XH)^+X||_F^2  s.t. H has r columns and k nonzero rows; with `epsilon` > 0
///          the least k for which ||X - XH(XH)^+X||_F^2 <= (1 + epsilon) ||X - X_r||_F^2, at most
///          the cardinality of the problem
/// Step     branch and bound on the row of largest worth. The part that rows may capture is
///          bounded from above by the pigeonhole principle (exact_rows.h). With `epsilon` the
///          search decides for r, r + 1, ... rows whether any capture enough
/// Start    one column after the other, then exchanges of single columns (encoder_search.h)
/// Stops    if no open subtree can be better; anytime before. If rounding of nearly dependent
///          columns keeps a gap between bound and value, the status is iteration_limit
/// Cost     S and S^2 are stored, p <= 64. A node takes about 2 k values of the loss, O(p^3) each;
///          the number of nodes is exponential at worst
/// Bound    captured_bound: no encoder on k rows captures more; gap: the possible reduction of
///          X's lost variance, as a share. rows_bound: fewer rows do not reach the loss. They are
///          facts. The metric information_loss_bound recomputes the bound from S
/// Source   Magdon-Ismail, Boutsidis, Optimal sparse linear encoders and sparse PCA, NIPS 2016,
///          Problem 1, with rows in place of the nonzeros of one column; the search is this
///          project's
/// Order    among rows of equal loss up to rounding it keeps any
/// Differs  the rows are common to all components, as in the paper's algorithm

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "spca/methods/encoders/column_factor.h"
#include "spca/methods/encoders/encoder_problem.h"
#include "spca/methods/encoders/encoder_search.h"
#include "spca/methods/encoders/exact_rows.h"

namespace spca::solver_encoder_exact {
namespace {

// Rows are certified if no other rows have a loss smaller by more than this share.
constexpr double kCertified = 1e-5;

struct EncoderExactOptions {
  double epsilon = 0;

  void describe(OptionVisitor& visit) {
    visit("epsilon", epsilon,
          "0: the least loss on k rows. Otherwise the fewest rows, at most k, on which the loss "
          "exceeds that of PCA by at most this share",
          at_least(0));
  }
};

/// The rows after column choice and exchanges: k rows, or fewer if those capture `enough`.
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

/// Marks a search that ended by itself, but with a gap that is due to rounding.
void refuse_certificate(Solution& solution, std::string message) {
  if (solution.status == Status::kConverged) {
    solution.status = Status::kIterationLimit;
    solution.message = std::move(message);
  }
}

constexpr const char* kTooDependent = "columns of X depend on one another up to rounding";

Solution least_loss(const Problem& problem, const Eigenpairs& leading, Budget& budget) {
  constexpr double kNever = std::numeric_limits<double>::infinity();
  const Index r = problem.components;
  const Index k = problem.cardinality[0];
  const ExactRowsProblem rows{.factor = column_factor(problem.covariance), .r = r, .k = k};
  Support start = first_rows(problem, leading, k, kNever, budget);
  budget.phases().finish("start");
  budget.begin_loop();
  const double total = problem.covariance.total_variance();
  const ExactRows answer = exact_rows(rows, start, kNever, 0, [&](double loss) {
    return budget.next(total - std::min(loss, total));
  });
  budget.phases().finish("search");
  if (answer.rows.empty() || std::ssize(answer.rows) < r) {
    return make_solution({}, budget);
  }
  Solution solution = make_solution(encoder_on_rows(rows.factor, answer.rows, r), budget);
  const LossInterval loss = encoder_loss(rows.factor, solution.components);
  const LossInterval principal = principal_loss(rows.factor, r);
  // No improvement is possible if neither this loss nor that of principal components exceeds
  // rounding.
  const bool loses_nothing =
      principal.least == 0 && loss.most <= std::numeric_limits<double>::epsilon() * total;
  const bool is_certified = loses_nothing || answer.others >= loss.most * (1 - kCertified);
  const double bound = std::min(answer.bound, loss.value);
  solution.facts = {{"captured", total - loss.value},
                    {"captured_bound", total - bound},
                    {"gap", loss.value > 0 && !loses_nothing ? 1 - bound / loss.value : 0.0},
                    {"certified", is_certified ? 1.0 : 0.0},
                    {"nodes", static_cast<double>(answer.nodes)}};
  if (!is_certified) {
    refuse_certificate(
        solution, fmt::format("the loss found is {:.10g}, the certified lower bound {:.10g}: {}",
                              loss.value, bound, kTooDependent));
  }
  return solution;
}

Solution fewest_rows(const Problem& problem, const Eigenpairs& leading, double epsilon,
                     Budget& budget) {
  const Index r = problem.components;
  const Index most = problem.cardinality[0];
  ExactRowsProblem rows{.factor = column_factor(problem.covariance), .r = r, .k = most};
  const LossInterval principal = principal_loss(rows.factor, r);
  const double enough = (1 + epsilon) * principal.value;
  // Rows whose loss is at least this do not suffice, whatever the rounding.
  const double too_much = (1 + epsilon) * principal.most;
  const double total = problem.covariance.total_variance();
  Support best = first_rows(problem, leading, r, total - enough, budget);
  bool serves = std::ssize(best) >= r && loss_on(rows, best).value <= enough;
  budget.phases().finish("start");
  // In increasing order, because few rows are soon proven too few.
  Index fewest = r;
  double nodes = 0;
  bool is_undecided = false;
  while (fewest < (serves ? std::ssize(best) : most + 1)) {
    budget.begin_loop();
    rows.k = fewest;
    const ExactRows answer = exact_rows(rows, {}, too_much, enough, [&](double loss) {
      return budget.next(total - std::min(loss, total));
    });
    nodes += static_cast<double>(answer.nodes);
    if (answer.loss.value <= enough) {
      best = answer.rows;
      serves = true;
    } else if (answer.is_finished && answer.bound >= too_much) {
      ++fewest;
    } else {
      is_undecided = answer.is_finished;
      break;
    }
  }
  budget.phases().finish("search");
  if (!serves) {
    if (fewest > most) {
      return skipped(
          fmt::format("certified: no {} rows have a loss within 1 + {} times that of PCA; "
                      "accepted: a larger cardinality or epsilon",
                      most, epsilon));
    }
    if (is_undecided) {
      return skipped(
          fmt::format("no {} rows with a loss within 1 + {} times that of PCA were found, and it "
                      "is not certified that there are none: {}; accepted: a larger cardinality "
                      "or epsilon",
                      most, epsilon, kTooDependent));
    }
    return make_solution({}, budget);
  }
  Solution solution = make_solution(encoder_on_rows(rows.factor, best, r), budget);
  const bool is_certified = std::ssize(best) == fewest;
  solution.facts = {{"rows", static_cast<double>(best.size())},
                    {"rows_bound", static_cast<double>(fewest)},
                    {"certified", is_certified ? 1.0 : 0.0},
                    {"nodes", nodes}};
  if (!is_certified && is_undecided) {
    refuse_certificate(solution,
                       fmt::format("{} rows suffice; it is not certified whether {} rows do: {}",
                                   std::ssize(best), fewest, kTooDependent));
  }
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
