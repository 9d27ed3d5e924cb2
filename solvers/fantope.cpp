/// Fantope projection and selection: a convex relaxation for r components at once.
///
/// Problem  max Tr(SH) - rho sum_ij |H_ij|  s.t. H in the Fantope: 0 <= H <= I, Tr H = r,
///          rho = penalty * max_i S_ii. Dual: min (sum of the r largest eigenvalues of S + U)
///          s.t. |U_ij| <= rho
/// Step     ADMM between H in the Fantope and its soft threshold Z (box_admm.h)
/// Start    Z = Y = 0
/// Stops    if (dual - primal) / dual is within `gap`
/// Answer   the r leading eigenvectors of Z, each within one block of Z, where entries up to
///          `threshold` times the largest do not connect variables. Those of a block are rotated to
///          its principal components, and cut at `threshold` times their largest loading. If
///          `refit` is set and the supports share no variable, the leading eigenvector of S on each
/// Cost     with m remaining variables, an eigendecomposition of m x m an iteration
/// Bound    one component: v'Sv <= lambda_max(S + U) + rho k, as for dspca
/// Source   Vu, Cho, Lei, Rohe, Fantope projection and selection, NIPS 2013: (1), Lemma 1 for the
///          projection, Algorithm 1
/// Differs  the step adapts and the stop is a certified gap; the paper stops by residuals.
///          Variables j with |S_ij| <= rho for all i, including j, are excluded unless fewer than r
///          would remain. H is zero there if the r-th eigenvalue of S + U is not negative. The
///          paper takes H itself as its estimate

#include <algorithm>
#include <cmath>

#include "spca/dense/dense_decompositions.h"
#include "spca/dense/dense_products.h"
#include "spca/dense/sparsify.h"
#include "spca/methods/ascent/support_ascent.h"
#include "spca/methods/ascent/thresholded_power.h"
#include "spca/methods/relaxations/fantope_relaxation.h"
#include "spca/solving/solver.h"
#include "spca/spectrum/eigenpairs.h"

namespace spca::solver_fantope {
namespace {

struct FantopeOptions {
  double penalty = 0.1;
  double gap = 1e-3;
  double threshold = 1e-2;
  bool refit = true;

  void describe(OptionVisitor& visit) {
    visit("penalty", penalty, "rho relative to the largest variance; 0 keeps all variables",
          between(0, 1));
    visit("gap", gap, "relative distance of primal and dual that ends the iteration",
          between(1e-8, 1));
    visit("threshold", threshold, "loadings below this share of the largest are cut",
          between(0, 1));
    visit("refit", refit,
          "replace the loadings by the leading eigenvector on their support, unless supports "
          "overlap");
  }
};

// At most this number of variables: S, Z, H and Y take 8 p^2 bytes each, an eigendecomposition
// seconds.
constexpr Index kMostVariablesDecomposed = 2000;
/// The eigenvector without negligible loadings, on the variables of S.
Component cut(const Vector& loadings, const Support& variables, double threshold) {
  const double level = threshold * loadings.cwiseAbs().maxCoeff();
  Support kept;
  for (Index i = 0; i < loadings.size(); ++i) {
    if (std::abs(loadings[i]) >= level && loadings[i] != 0) {
      kept.push_back(i);
    }
  }
  Component component = normalized(restrict_to(loadings, kept));
  component.support = members_at(variables, component.support);
  return component;
}

/// The connected components of the entries |Z_ij| > level.
std::vector<Support> blocks_of(const Matrix& z, double level) {
  std::vector<Support> blocks;
  std::vector<bool> seen(static_cast<std::size_t>(z.rows()), false);
  for (Index first = 0; first < z.rows(); ++first) {
    if (seen[static_cast<std::size_t>(first)]) {
      continue;
    }
    Support block = {first};
    seen[static_cast<std::size_t>(first)] = true;
    for (std::size_t next = 0; next < block.size(); ++next) {
      for (Index i = 0; i < z.rows(); ++i) {
        if (!seen[static_cast<std::size_t>(i)] && std::abs(z(i, block[next])) > level) {
          seen[static_cast<std::size_t>(i)] = true;
          block.push_back(i);
        }
      }
    }
    std::sort(block.begin(), block.end());
    blocks.push_back(std::move(block));
  }
  return blocks;
}

/// The r leading eigenvectors of Z, each within a block of it, in descending order of variance. H
/// is near a projection: its eigenvalues are near one and do not separate its eigenvectors. So
/// those of one block are rotated to its principal components.
Matrix principal_basis(const Matrix& z, const Matrix& covariance, Index r, double threshold) {
  struct Direction {
    double weight = 0;
    std::size_t block = 0;
    Vector vector;
  };
  const std::vector<Support> blocks = blocks_of(z, threshold * z.cwiseAbs().maxCoeff());
  std::vector<Direction> directions;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    const SymmetricEigenpairs pairs = symmetric_eigenpairs(z(blocks[b], blocks[b]));
    for (Index i = 0; i < pairs.values.size(); ++i) {
      directions.push_back({.weight = pairs.values[i], .block = b, .vector = pairs.vectors.col(i)});
    }
  }
  std::stable_sort(directions.begin(), directions.end(),
                   [](const Direction& x, const Direction& y) { return x.weight > y.weight; });
  directions.resize(static_cast<std::size_t>(r));
  std::vector<std::pair<double, Vector>> found;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    Matrix span(std::ssize(blocks[b]), 0);
    for (const Direction& direction : directions) {
      if (direction.block == b) {
        span.conservativeResize(Eigen::NoChange, span.cols() + 1);
        span.col(span.cols() - 1) = direction.vector;
      }
    }
    if (span.cols() == 0) {
      continue;
    }
    const Matrix products = transposed_product(span, covariance(blocks[b], blocks[b]));
    const SymmetricEigenpairs turn = symmetric_eigenpairs(matrix_product(products, span));
    for (Index i = 0; i < span.cols(); ++i) {
      Vector vector = Vector::Zero(z.rows());
      vector(blocks[b]) = times_vector(span, turn.vectors.col(i));
      found.emplace_back(turn.values[i], std::move(vector));
    }
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& x, const auto& y) { return x.first > y.first; });
  Matrix basis(z.rows(), r);
  for (Index j = 0; j < r; ++j) {
    basis.col(j) = found[static_cast<std::size_t>(j)].second;
  }
  return basis;
}

bool are_disjoint(const std::vector<Component>& components) {
  Support all;
  for (const Component& component : components) {
    all.insert(all.end(), component.support.begin(), component.support.end());
  }
  std::sort(all.begin(), all.end());
  return std::adjacent_find(all.begin(), all.end()) == all.end();
}

Solution solve_fantope(const Problem& problem, const FantopeOptions& options, Budget& budget) {
  const Covariance& covariance = problem.covariance;
  const Index r = problem.components;
  const double unit = std::pow(longest_column(covariance), 2);
  const double rho = options.penalty * unit;
  const Support variables = worth_a_covariance(covariance, rho, r);
  FantopeRelaxation relaxation(covariance.submatrix(variables) / unit, options.penalty, r);
  relaxation.solve(options.gap, unit, budget);
  std::vector<Component> components;
  const Matrix basis =
      principal_basis(relaxation.sparse(), relaxation.covariance(), r, options.threshold);
  for (Index j = 0; j < r; ++j) {
    components.push_back(cut(basis.col(j), variables, options.threshold));
  }
  if (options.refit && are_disjoint(components)) {
    for (Component& component : components) {
      component = refitted(covariance, component);
    }
  }
  Solution solution = make_solution(std::move(components), budget);
  if (solution.status == Status::kConverged && !relaxation.has_closed(options.gap)) {
    solution.status = Status::kIterationLimit;
  }
  solution.facts = {{"rho", rho},
                    {"variables", static_cast<double>(variables.size())},
                    {"primal", unit * relaxation.primal_value()},
                    {"dual", unit * relaxation.dual_value()}};
  if (r == 1) {
    solution.certificate =
        std::make_shared<FantopeCertificate>(rho, variables, unit * relaxation.dual());
  }
  return solution;
}

SPCA_SOLVER("fantope", solve_fantope,
            (Traits{.summary = "convex relaxation over the Fantope, all components at once",
                    .problem = "max Tr(SH) - rho sum |H_ij| s.t. 0 <= H <= I, Tr H = r",
                    .source = "Vu, Cho, Lei, Rohe, NIPS 2013",
                    .rule = SparsityRule::kPenalty,
                    .multiple_components = true,
                    // Both the elimination of variables and the dual value require it.
                    .semidefinite = "the relaxation needs an A with A'A = S",
                    .largest_p = kMostVariablesDecomposed,
                    .tuning = {.option = "penalty", .minimum = 0, .maximum = 1}}));

}  // namespace
}  // namespace spca::solver_fantope
