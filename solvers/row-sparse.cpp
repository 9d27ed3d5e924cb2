/// Several components on one common support.
///
/// Problem  maximise Tr(V'SV) s.t. V'V = I, V (p x r) has at most k nonzero rows, k the least of
///          the k_j: f(I) = the sum of the r largest eigenvalues of S_II over |I| = k
/// Step     ascent: with S_II V = V L for the r leading pairs and U = X V L^-1/2, f of any support
///          is at least the sum of its weights w_i = ||U'x_i||^2 = sum_j (S v_j)_i^2 / L_j, with
///          equality for I. The k largest w_i are the next support, until f stays. Then one
///          variable is swapped for another as long as that raises f. The swaps of a variable that
///          may leave are ranked by the bound for I without it; the best `tried` are computed.
///          A hop replaces a random part of the best support, by the variables of largest weight
///          for the rest or of largest covariance with a random variable, and swaps from there
/// Start    the weights of the r leading eigenvectors of S; the largest variances; greedy growth by
///          weights; and S e_j for the `starts` variables of largest variance
/// Stops    after `patience` hops in a row without a better support
/// Cost     an ascent step takes k columns of S, O(p k r) and an eigenproblem of k x k; the search
///          for a swap k columns of S, O(p k^2 r) and k (1 + `tried`) eigenproblems of at most
///          k x k. A hop takes some swaps. S is not formed, only columns of it
/// Source   Bertsimas, Kitane, Sparse PCA: a geometric approach, JMLR 23, 2023: the problem with
///          a common support, and the projection of the columns of X on the span of U
/// Differs  the paper's GeoSPCA searches for the support by integer linear programs with cuts.
///          Ascent, swaps and hops on the same bound are this project's. They give no optimality
///          bound

#include <algorithm>
#include <cmath>
#include <limits>

#include "spca/base/random.h"
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
  Index patience = 100;

  void describe(OptionVisitor& visit) {
    visit("starts", starts, "variables of largest variance from which an ascent begins",
          at_least(0));
    visit("tried", tried, "number of swaps computed for each variable of the support", at_least(1));
    visit("patience", patience,
          "hops in a row without a better support that end the search; 0: no hops", at_least(0));
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
        budget_(budget),
        random_(problem.seed) {}

  void start();
  /// Makes swaps until none raises f.
  void swap();
  /// Makes hops until `patience` of them in a row do not raise f.
  void hop();
  const CommonSupport& best() const { return best_; }
  Index swaps() const { return swaps_; }
  Index hops() const { return hops_; }

 private:
  CommonSupport evaluate(Support support) const;
  /// Returns w_i of every variable. `columns`: those of S on the support, p x |I|.
  Vector weights(const CommonSupport& state, const Matrix& columns) const;
  CommonSupport ascended(Support support);
  /// Keeps the state if it is the best. Returns whether it is.
  bool keep(CommonSupport state);
  Support grown() const;
  Support hopped();
  CommonSupport swapped(CommonSupport state);
  static std::vector<Index> order_of_members(const CommonSupport& state);
  bool make_swap(CommonSupport& state);

  const Covariance& covariance_;
  Index r_;
  Index k_;
  const RowSparseOptions& options_;
  Budget& budget_;
  Random random_;
  CommonSupport best_;
  Index swaps_ = 0;
  Index hops_ = 0;
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

/// Ascends from a support of k variables.
CommonSupport RowSparseSearch::ascended(Support support) {
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
  return state;
}

bool RowSparseSearch::keep(CommonSupport state) {
  const bool is_better = state.value > best_.value * (1 + kSmallestRise) || best_.support.empty();
  if (is_better) {
    best_ = std::move(state);
  }
  return is_better;
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
  keep(ascended(top_k(variances, k_)));
  if (Support support = grown(); std::ssize(support) == k_) {
    keep(ascended(std::move(support)));
  }
  if (budget_.out_of_time()) {
    return;
  }
  const Eigenpairs pairs = leading_eigenpairs(covariance_, r_, Exact::kPairs, Copies::kAny);
  // For the whole of S, (S v_j)_i^2 / L_j = L_j v_ij^2.
  keep(ascended(top_k(pairs.vectors.cwiseAbs2() * pairs.values.cwiseMax(0.0), k_)));
  const Index count = std::min(options_.starts, variances.size());
  if (count == 0) {
    return;
  }
  for (const Index j : top_k(variances, count)) {
    if (!budget_.next(best_.value)) {
      return;
    }
    keep(ascended(top_k(covariance_.columns({j}).col(0), k_)));
  }
}

/// The members in ascending order of their weights: those first that are most likely to leave.
std::vector<Index> RowSparseSearch::order_of_members(const CommonSupport& state) {
  const Vector own = state.loadings.cwiseAbs2() * state.eigenvalues;
  std::vector<Index> order = all_variables(own.size());
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return own[a] < own[b]; });
  return order;
}

/// Makes the best swap of the first member for which one raises f, and ascends from there. Returns
/// false if there is none.
bool RowSparseSearch::make_swap(CommonSupport& state) {
  const Index p = covariance_.variables();
  const Matrix columns = covariance_.columns(state.support);
  for (const Index out : order_of_members(state)) {
    if (!budget_.next(best_.value)) {
      return false;
    }
    Support rest = state.support;
    rest.erase(rest.begin() + out);
    Matrix rest_columns(p, k_ - 1);
    rest_columns << columns.leftCols(out), columns.rightCols(k_ - 1 - out);
    Vector worth = weights(evaluate(rest), rest_columns);
    if (k_ - 1 < r_) {
      worth = covariance_.diagonal();  // k = r: f(I) is the trace of S_II
    }
    // Members rank below all others, also if variances are negative.
    worth(state.support).setConstant(-std::numeric_limits<double>::infinity());
    CommonSupport found;
    for (const Index in : top_k_signed(worth, std::min(options_.tried, p - k_))) {
      Support next = rest;
      next.insert(std::lower_bound(next.begin(), next.end(), in), in);
      CommonSupport other = evaluate(std::move(next));
      if (other.value > std::max(found.value, state.value * (1 + kSmallestRise))) {
        found = std::move(other);
      }
    }
    if (!found.support.empty()) {
      state = ascended(std::move(found.support));
      ++swaps_;
      return true;
    }
  }
  return false;
}

CommonSupport RowSparseSearch::swapped(CommonSupport state) {
  while (!budget_.out_of_time() && make_swap(state)) {
  }
  return state;
}

void RowSparseSearch::swap() { keep(swapped(best_)); }

/// Returns the best support with a random part replaced.
Support RowSparseSearch::hopped() {
  const Index most = std::min(k_, covariance_.variables() - k_);
  const Index out = 1 + static_cast<Index>(random_.below(static_cast<std::uint64_t>(most)));
  Support rest = best_.support;
  for (Index i = 0; i < out; ++i) {
    rest.erase(rest.begin() + static_cast<Index>(random_.below(rest.size())));
  }
  const bool by_weights = random_.below(2) == 0 && std::ssize(rest) >= r_;
  const auto other =
      static_cast<Index>(random_.below(static_cast<std::uint64_t>(covariance_.variables())));
  Vector worth = by_weights ? weights(evaluate(rest), covariance_.columns(rest))
                            : Vector(covariance_.columns({other}).cwiseAbs());
  worth(best_.support).setConstant(-std::numeric_limits<double>::infinity());
  for (const Index in : top_k_signed(worth, out)) {
    rest.push_back(in);
  }
  std::sort(rest.begin(), rest.end());
  return rest;
}

void RowSparseSearch::hop() {
  Index idle = 0;
  while (idle < options_.patience && budget_.next(best_.value)) {
    idle = keep(swapped(ascended(hopped()))) ? 0 : idle + 1;
    ++hops_;
  }
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
  if (k < problem.covariance.variables() && k > 1) {
    search.swap();
    budget.phases().finish("swaps");
    search.hop();
    budget.phases().finish("hops");
  }
  std::vector<Component> components;
  const CommonSupport& best = search.best();
  for (Index j = 0; j < problem.components; ++j) {
    Vector loadings = Vector::Zero(problem.covariance.variables());
    loadings(best.support) = best.loadings.col(j);
    components.push_back(from_dense(loadings));
  }
  Solution solution = make_solution(std::move(components), budget);
  solution.facts = {{"rows", static_cast<double>(best.support.size())},
                    {"swaps", static_cast<double>(search.swaps())},
                    {"hops", static_cast<double>(search.hops())}};
  return solution;
}

SPCA_SOLVER("row-sparse", solve_row_sparse,
            (Traits{.summary = "orthogonal components on one common support",
                    .problem = "max Tr(V'SV)  s.t. V'V = I, at most k nonzero rows",
                    .source = "Bertsimas, Kitane, JMLR 2023",
                    .multiple_components = true,
                    .seeded = true}));

}  // namespace
}  // namespace spca::solver_row_sparse
