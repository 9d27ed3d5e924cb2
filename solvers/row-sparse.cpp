/// Several components on one common support.
///
/// Problem  maximise Tr(V'SV) s.t. V'V = I, V (p x r) has at most k nonzero rows, k the least of
///          the k_j: f(I) = the sum of the r largest eigenvalues of S_II over |I| = k
/// Step     ascent: with S_II V = V L for the r leading pairs and U = X V L^-1/2, f of any support
///          is at least the sum of its weights w_i = ||U'x_i||^2 = sum_j (S v_j)_i^2 / L_j, with
///          equality for I. The k largest w_i are the next support, until f stays. Then one
///          variable is swapped for another as long as that raises f. For each variable that may
///          leave, swaps are ranked by the bound for I without it; the best `tried` are computed
/// Start    the weights of the r leading eigenvectors of S; the largest variances; greedy growth by
///          weights; and S e_j for the `starts` variables of largest variance
/// Stops    if no swap that is tried raises f
/// Cost     an ascent step takes k columns of S, O(p k r) and an eigenproblem of k x k; the search
///          for a swap k columns of S, O(p k^2 r) and k (1 + `tried`) eigenproblems of at most
///          k x k. S is not formed, only columns of it
/// Source   Bertsimas, Kitane, Sparse PCA: a geometric approach, JMLR 23, 2023: the problem with
///          a common support, and the projection of the columns of X on the span of U
/// Differs  the paper's GeoSPCA searches for the support by integer linear programs with cuts.
///          Ascent and swaps on the same bound are this project's. They give no optimality bound

#include <algorithm>
#include <cmath>
#include <limits>

#include "spca/dense/dense_decompositions.h"
#include "spca/dense/dense_products.h"
#include "spca/dense/sparsify.h"
#include "spca/methods/ascent/support_exchange.h"
#include "spca/solving/solver.h"
#include "spca/spectrum/eigenpairs.h"
#include "spca/spectrum/remaining_variance.h"

namespace spca::solver_row_sparse {
namespace {

struct RowSparseOptions {
  Index starts = 32;
  Index tried = 8;

  void describe(OptionVisitor& visit) {
    visit("starts", starts, "variables of largest variance from which an ascent begins",
          at_least(0));
    visit("tried", tried, "number of swaps computed for each variable of the support", at_least(1));
  }
};

// An eigenvalue below this share of the largest is zero to rounding.
constexpr double kZeroEigenvalue = 1e-12;

struct CommonSupport {
  Support support;
  double value = -std::numeric_limits<double>::infinity();  // f
  Matrix loadings;                                          // |I| x r, orthonormal
  Vector eigenvalues;                                       // r, descending
};

class RowSparseSearch {
 public:
  RowSparseSearch(const Problem& problem, Index k, const RowSparseOptions& options, Budget& budget)
      : covariance_(problem.covariance),
        r_(problem.components),
        k_(k),
        options_(options),
        budget_(budget) {}

  void start();
  /// Makes one swap. Returns false if none is found.
  bool swap();
  const CommonSupport& best() const { return best_; }

 private:
  CommonSupport evaluate(Support support) const;
  /// Returns w_i of every variable. `columns`: those of S on the support, p x |I|.
  Vector weights(const CommonSupport& state, const Matrix& columns) const;
  void ascend(Support support);
  Support grown() const;

  const Covariance& covariance_;
  Index r_;
  Index k_;
  const RowSparseOptions& options_;
  Budget& budget_;
  CommonSupport best_;
};

CommonSupport RowSparseSearch::evaluate(Support support) const {
  const SymmetricEigenpairs pairs = symmetric_eigenpairs(covariance_.submatrix(support));
  const Index count = std::min(r_, std::ssize(support));
  CommonSupport state{.support = std::move(support),
                      .loadings = reversed_columns(pairs.vectors.rightCols(count)),
                      .eigenvalues = pairs.values.tail(count).reverse()};
  state.value = state.eigenvalues.sum();
  return state;
}

Vector RowSparseSearch::weights(const CommonSupport& state, const Matrix& columns) const {
  Vector result = Vector::Zero(columns.rows());
  const double zero = kZeroEigenvalue * state.eigenvalues[0];
  for (Index j = 0; j < state.eigenvalues.size(); ++j) {
    if (state.eigenvalues[j] > zero) {
      result += (columns * state.loadings.col(j)).cwiseAbs2() / state.eigenvalues[j];
    }
  }
  return result;
}

/// Ascends from a support of k variables and keeps the best.
void RowSparseSearch::ascend(Support support) {
  CommonSupport state = evaluate(std::move(support));
  while (budget_.next(std::max(best_.value, state.value))) {
    Support next = top_k(weights(state, covariance_.columns(state.support)), k_);
    if (next == state.support) {
      break;
    }
    CommonSupport found = evaluate(std::move(next));
    if (!(found.value > state.value * (1 + kSmallestRise))) {
      break;
    }
    state = std::move(found);
  }
  if (state.value > best_.value * (1 + kSmallestRise) || best_.support.empty()) {
    best_ = std::move(state);
  }
}

/// Grows from the largest variance: each step adds the variable that adds most to f by the bound,
/// or, while there are fewer than r, the one with the most variance outside the span.
Support RowSparseSearch::grown() const {
  const Vector& variances = covariance_.diagonal();
  CommonSupport state = evaluate(top_k(variances.cwiseMax(0.0), 1));
  while (std::ssize(state.support) < k_ && budget_.next(best_.value)) {
    Vector worth = weights(state, covariance_.columns(state.support));
    if (std::ssize(state.support) < r_) {
      worth = (variances - worth).cwiseMax(0.0);
    }
    worth(state.support).setConstant(-1);
    Support support = state.support;
    const Support added = top_k_signed(worth, 1);
    support.insert(std::lower_bound(support.begin(), support.end(), added[0]), added[0]);
    state = evaluate(std::move(support));
  }
  return state.support;
}

void RowSparseSearch::start() {
  const Vector variances = covariance_.diagonal().cwiseMax(0.0);
  ascend(top_k(variances, k_));
  if (Support support = grown(); std::ssize(support) == k_) {
    ascend(std::move(support));
  }
  if (budget_.out_of_time()) {
    return;
  }
  const Eigenpairs pairs = leading_eigenpairs(covariance_, r_, Exact::kPairs, Copies::kAny);
  // For the whole of S, (S v_j)_i^2 / L_j = L_j v_ij^2.
  ascend(top_k(pairs.vectors.cwiseAbs2() * pairs.values.cwiseMax(0.0), k_));
  const Index count = std::min(options_.starts, variances.size());
  if (count == 0) {
    return;
  }
  for (const Index j : top_k(variances, count)) {
    if (!budget_.next(best_.value)) {
      return;
    }
    ascend(top_k(covariance_.columns({j}).col(0), k_));
  }
}

bool RowSparseSearch::swap() {
  const Index p = covariance_.variables();
  const Matrix columns = covariance_.columns(best_.support);
  CommonSupport found;
  for (Index out = 0; out < k_ && k_ > 1; ++out) {
    if (!budget_.next(best_.value)) {
      return false;
    }
    Support rest = best_.support;
    rest.erase(rest.begin() + out);
    Matrix rest_columns(p, k_ - 1);
    rest_columns << columns.leftCols(out), columns.rightCols(k_ - 1 - out);
    const CommonSupport without = evaluate(rest);
    Vector worth = weights(without, rest_columns);
    if (k_ - 1 < r_) {
      worth = covariance_.diagonal();  // k = r: f(I) is the trace of S_II
    }
    // Members rank below all others, also if variances are negative.
    worth(best_.support).setConstant(-std::numeric_limits<double>::infinity());
    for (const Index in : top_k_signed(worth, std::min(options_.tried, p - k_))) {
      Support next = rest;
      next.insert(std::lower_bound(next.begin(), next.end(), in), in);
      CommonSupport state = evaluate(std::move(next));
      if (state.value > std::max(found.value, best_.value * (1 + kSmallestRise))) {
        found = std::move(state);
      }
    }
  }
  if (found.support.empty()) {
    return false;
  }
  ascend(std::move(found.support));
  return true;
}

Solution solve_row_sparse(const Problem& problem, const RowSparseOptions& options, Budget& budget) {
  if (!has_positive_variance(problem.covariance)) {
    return skipped(kNoVariance);
  }
  const Index k = *std::min_element(problem.cardinality.begin(), problem.cardinality.end());
  if (k < problem.components) {
    return skipped(
        fmt::format("{} orthogonal components do not fit on a common support of {} "
                    "variables; accepted: at least as many",
                    problem.components, k));
  }
  RowSparseSearch search(problem, k, options, budget);
  search.start();
  budget.phases().finish("starts");
  double swaps = 0;
  while (k < problem.covariance.variables() && !budget.out_of_time() && search.swap()) {
    ++swaps;
  }
  budget.phases().finish("swaps");
  std::vector<Component> components;
  const CommonSupport& best = search.best();
  for (Index j = 0; j < problem.components; ++j) {
    Vector loadings = Vector::Zero(problem.covariance.variables());
    loadings(best.support) = best.loadings.col(j);
    components.push_back(from_dense(loadings));
  }
  Solution solution = make_solution(std::move(components), budget);
  solution.facts = {{"rows", static_cast<double>(best.support.size())}, {"swaps", swaps}};
  return solution;
}

SPCA_SOLVER("row-sparse", solve_row_sparse,
            (Traits{.summary = "orthogonal components on one common support",
                    .problem = "max Tr(V'SV)  s.t. V'V = I, at most k nonzero rows",
                    .source = "Bertsimas, Kitane, JMLR 2023",
                    .multiple_components = true}));

}  // namespace
}  // namespace spca::solver_row_sparse
