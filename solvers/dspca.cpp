/// Sparse PCA by the semidefinite relaxation with an l1 penalty.
///
/// Problem  max Tr(SZ) - rho sum_ij |Z_ij| s.t. Tr Z = 1, Z positive semidefinite,
///          rho = penalty * max_i S_ii. Dual: min lambda_max(S + U) s.t. |U_ij| <= rho
/// Step     method block-coordinate: one row and column of X at a time in
///            max Tr(SX) - rho sum |X_ij| - (Tr X)^2 / 2 + beta log det X,
///          Z = X / Tr X; beta falls from sweep to sweep (box_relaxation.h)
///          method admm: by turns Z is projected to the feasible set, and a copy of Z is shrunk
/// Start    X = I, or Z = 0
/// Stops    if (dual - primal) / dual is within `gap`
/// Answer   the leading eigenvector of Z, cut at `threshold` times its largest entry or to the
///          `round_to` largest
/// Cost     with m remaining variables: for block-coordinate, a sweep over all rows takes O(m^3)
///          times a few passes, and an iteration is one row; for admm, an iteration is a step with
///          an eigendecomposition of m x m
/// Order    rows are updated in descending order of the sums of |S_ij|, so that the order of the
///          variables matters only by rounding, which may decide a loading near `threshold`
/// Bound    v'Sv <= lambda_max(S + U) + rho ||v||_1^2 <= lambda_max(S + U) + rho k
/// Source   A. d'Aspremont, L. El Ghaoui, M. Jordan, G. Lanckriet, SIAM Review 49:434, 2007; rows
///          and elimination: Y. Zhang, L. El Ghaoui, NIPS 2011; S. Boyd et al., Foundations and
///          Trends in Machine Learning 3:1, 2011 (ADMM)
/// Differs  variables with S_ii <= rho are eliminated, which is safe for max v'Sv - rho ||v||_0 and
///          so for the bound, but not for the relaxation itself: its optimum can be larger if the
///          covariance of such a variable with a remaining one exceeds rho

#include <algorithm>
#include <cmath>

#include "spca/dense/dense_selections.h"
#include "spca/dense/leading_eigenpair.h"
#include "spca/dense/sparsify.h"
#include "spca/methods/ascent/support_ascent.h"
#include "spca/methods/ascent/thresholded_power.h"
#include "spca/methods/relaxations/box_relaxation.h"
#include "spca/solving/solver.h"

namespace spca::solver_dspca {
namespace {

struct DspcaOptions {
  double penalty = 0.1;
  std::string method = "block-coordinate";
  double gap = 1e-3;
  double threshold = 1e-2;
  Index round_to = 0;
  bool refit = true;

  void describe(OptionVisitor& visit) {
    visit("penalty", penalty,
          "rho relative to the largest variance; 1 eliminates all variables, 0 keeps all of them",
          between(0, 1));
    visit("method", method, "how the relaxation is solved", {"block-coordinate", "admm"});
    visit("gap", gap, "relative distance of primal and dual that ends the iteration",
          between(1e-8, 1));
    visit("threshold", threshold, "loadings below this share of the largest are cut",
          between(0, 1));
    visit("round_to", round_to, "number of largest loadings to keep; 0: cut by `threshold`",
          at_least(0));
    visit("refit", refit, "replace the loadings by the leading eigenvector on their support");
  }
};

// At most this number of variables remain for a solve: a sweep over the rows, or a step of admm,
// takes O(m^3) and more, and each of S, U and Z takes 8 m^2 bytes.
constexpr Index kMostVariablesSolved = 2000;

/// The leading eigenvector of Z without negligible loadings, on the variables of S.
Component rounded(const Matrix& z, const Support& variables, const DspcaOptions& options) {
  const Vector loadings = leading_eigenpair(z).vector;
  Support kept;
  if (options.round_to > 0) {
    kept = top_k(loadings, std::min(options.round_to, loadings.size()));
  } else {
    const double level = options.threshold * loadings.cwiseAbs().maxCoeff();
    for (Index i = 0; i < loadings.size(); ++i) {
      if (std::abs(loadings[i]) >= level) {
        kept.push_back(i);
      }
    }
  }
  Component component = normalized(restrict_to(loadings, kept));
  component.support = members_at(variables, component.support);
  return component;
}

/// The positions of the variables, those with the largest sums of |S_ij| first. The rows of the
/// relaxation are updated in this order, so that the answer does not depend on the original order
/// of the variables, except by rounding.
std::vector<Index> order_of_rows(const Matrix& covariance) {
  const Vector sums = covariance.cwiseAbs().colwise().sum();
  std::vector<Index> order = all_variables(sums.size());
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return sums[a] > sums[b]; });
  return order;
}

/// Undoes `ordered` = matrix(order, order).
Matrix in_given_order(const Matrix& ordered, const std::vector<Index>& order) {
  Matrix matrix(ordered.rows(), ordered.cols());
  matrix(order, order) = ordered;
  return matrix;
}

Solution solve_dspca(const Problem& problem, const DspcaOptions& options, Budget& budget) {
  const Covariance& covariance = problem.covariance;
  const double unit = std::pow(longest_column(covariance), 2);
  const double rho = options.penalty * unit;
  const Support variables = worth_their_price(covariance, rho);
  if (variables.empty()) {
    return make_solution({Component{}}, budget);
  }
  if (std::ssize(variables) > kMostVariablesSolved) {
    return skipped(fmt::format("the penalty leaves {} variables; accepted: at most {}",
                               variables.size(), kMostVariablesSolved));
  }
  const Matrix s = covariance.submatrix(variables) / unit;
  const std::vector<Index> order = order_of_rows(s);
  BoxRelaxation relaxation(selected(s, order, order), options.penalty);
  if (options.method == "admm") {
    relaxation.solve_by_admm(options.gap, unit, budget);
  } else {
    relaxation.solve_by_rows(options.gap, unit, budget);
  }
  const Component component = rounded(in_given_order(relaxation.z(), order), variables, options);
  Solution solution =
      make_solution({options.refit ? refitted(covariance, component) : component}, budget);
  if (solution.status == Status::kConverged && !relaxation.has_closed(options.gap)) {
    solution.status = Status::kIterationLimit;
  }
  solution.facts = {{"rho", rho},
                    {"variables", static_cast<double>(variables.size())},
                    {"primal", unit * relaxation.primal_value()},
                    {"dual", unit * relaxation.dual_value()}};
  solution.certificate =
      std::make_shared<BoxCertificate>(rho, unit * in_given_order(relaxation.dual(), order));
  return solution;
}

SPCA_SOLVER("dspca", solve_dspca,
            (Traits{.summary = "semidefinite relaxation with an l1 penalty",
                    .problem = "max Tr(SZ) - rho sum |Z_ij| s.t. Tr Z = 1, Z psd",
                    .source = "d'Aspremont, El Ghaoui, Jordan, Lanckriet, SIAM Review 2007",
                    .rule = SparsityRule::kPenalty,
                    .tuning = {.option = "penalty", .minimum = 0, .maximum = 1}}));

}  // namespace
}  // namespace spca::solver_dspca
