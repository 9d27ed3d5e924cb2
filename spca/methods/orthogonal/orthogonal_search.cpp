#include "spca/methods/orthogonal/orthogonal_search.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "spca/base/error.h"
#include "spca/dense/dense_decompositions.h"
#include "spca/dense/dense_products.h"
#include "spca/dense/dense_selections.h"
#include "spca/dense/leading_eigenpair.h"
#include "spca/dense/sparsify.h"
#include "spca/dense/tridiagonal_form.h"
#include "spca/methods/ascent/support_ascent.h"

namespace spca {
namespace {

// Components of a unit vector below this are rounding. Constraints hold up to the same size.
constexpr double kRoundingOfDirection = 1e-13;

// The limits of effort below were chosen by trial, not measured.

// A start of which less than this length is on the support and satisfies the constraints is
// replaced by the leading eigenvector.
constexpr double kStartKept = 0.3;
// Steps that gain less than this share of the value end the ascent.
constexpr double kSmallestGain = 1e-12;
constexpr int kMostSweeps = 20;
constexpr int kMostNewtonSteps = 30;
// Coupled components with more variables than this take gradient steps: the eigenvalues of their
// Hessian would take most of the time.
constexpr Index kLargestHessian = 240;
// An eigenvalue of the Hessian counts as at least this share of the largest variance.
constexpr double kLeastHessianShare = 1e-3;
constexpr int kMostStepHalvings = 8;
constexpr int kMostRestoringSteps = 8;
// Constraints are dependent below this eigenvalue of JJ', whose rows have length about 1.
constexpr double kDependentConstraints = 1e-10;
// An exchange is abandoned if updating the blocks gives less than this share of the value.
constexpr double kWorthClimbing = 0.98;
constexpr double kNoFloor = -std::numeric_limits<double>::infinity();
constexpr int kMostPowerSteps = 20;
// At most this number of exchanges are tried in a round.
constexpr std::size_t kMostTried = 16;
// Up to this number of variables a dense eigensolver is as fast as iterations.
constexpr Index kSmallSupport = 24;

/// Makes columns orthonormal by Gram-Schmidt with two passes, and drops dependent columns. `images`
/// holds the images of the columns under a linear map; it receives the same operations, so that it
/// then holds the images of the result.
void make_orthonormal(Matrix& columns, Matrix* images) {
  Index kept = 0;
  for (Index j = 0; j < columns.cols(); ++j) {
    Vector column = columns.col(j);
    if (column.norm() <= kRoundingOfDirection) {
      continue;
    }
    Vector image;
    if (images != nullptr) {
      image = images->col(j);
    }
    for (int time = 0; time < 2; ++time) {
      const Vector along = transposed_times_vector(columns.leftCols(kept), column);
      column -= times_vector(columns.leftCols(kept), along);
      if (images != nullptr) {
        image -= times_vector(images->leftCols(kept), along);
      }
    }
    const double length = column.norm();
    if (length > kRoundingOfDirection) {
      if (images != nullptr) {
        images->col(kept) = image / length;
      }
      columns.col(kept++) = column / length;
    }
  }
  columns.conservativeResize(Eigen::NoChange, kept);
  if (images != nullptr) {
    images->conservativeResize(Eigen::NoChange, kept);
  }
}

/// Returns orthonormal columns with the span of the given columns.
Matrix basis_of(Matrix columns) {
  make_orthonormal(columns, nullptr);
  return columns;
}

void project_off(const Matrix& basis, Vector& v) {
  for (int time = 0; time < 2 && basis.cols() > 0; ++time) {
    subtract_projection(v, basis);
  }
}

/// Returns A - (I - QQ')A(I - QQ') = BQ' + QB' with B = AQ - QQ'AQ / 2.
Matrix part_on_span(const Matrix& a, const Matrix& q) {
  const Matrix product = matrix_product(a, q);
  const Matrix half = product - 0.5 * matrix_product(q, transposed_product(q, product));
  Matrix part = product_transposed(half, q);
  add_product_transposed(part, q, half);
  return part;
}

bool overlap(const Support& a, const Support& b) {
  for (auto i = a.begin(), j = b.begin(); i != a.end() && j != b.end();) {
    if (*i == *j) {
      return true;
    }
    *i < *j ? ++i : ++j;
  }
  return false;
}

std::vector<Index> all_but(Index r, Index t) {
  std::vector<Index> others;
  for (Index s = 0; s < r; ++s) {
    if (s != t) {
      others.push_back(s);
    }
  }
  return others;
}

}  // namespace

/// (I - QQ')S(I - QQ') as an operator.
struct OrthogonalSearch::Surrogate {
  const Matrix& matrix;
  Matrix basis = {};    // Q
  Matrix product = {};  // SQ - QQ'SQ / 2

  /// S~ = S - product Q' - Q product'.
  Matrix columns(const Support& support) const {
    Matrix result = selected_columns(matrix, support);
    if (basis.cols() > 0) {
      subtract_product_transposed(result, product, selected_rows(basis, support));
      subtract_product_transposed(result, basis, selected_rows(product, support));
    }
    return result;
  }
  Vector diagonal() const {
    Vector result = matrix.diagonal();
    if (basis.cols() > 0) {
      result -= 2 * product.cwiseProduct(basis).rowwise().sum();
    }
    return result;
  }
  Matrix dense() const {
    Matrix result = matrix;
    if (basis.cols() > 0) {
      subtract_product_transposed(result, product, basis);
      subtract_product_transposed(result, basis, product);
      result = symmetric_part(result);
    }
    return result;
  }
};

/// The constraints of some components, whose loadings are stacked, and their gradients.
struct OrthogonalSearch::Constraints {
  struct Pair {
    Index s = 0;
    Index t = 0;
    bool of_scores = false;
  };
  std::vector<Index> offset = {};  // by index in `which`; one more entry at the end
  std::vector<Pair> pairs = {};    // indices in `which`; s = t: the length
  Matrix jacobian = {};            // a row for each pair
  Vector values = {};
};

OrthogonalComponents moved(const OrthogonalComponents& state, const Support& before,
                           const Support& after) {
  OrthogonalComponents result = state;
  result.loadings = Matrix::Zero(std::ssize(after), state.loadings.cols());
  for (std::size_t t = 0; t < state.supports.size(); ++t) {
    const auto column = static_cast<Index>(t);
    result.supports[t] = positions_among(after, members_at(before, state.supports[t]));
    result.loadings(result.supports[t], column) = state.loadings(state.supports[t], column);
  }
  return result;
}

OrthogonalSearch::OrthogonalSearch(const Matrix& matrix, std::vector<Index> cardinality,
                                   Orthogonality asked)
    : matrix_(matrix), cardinality_(std::move(cardinality)), asked_(asked) {
  SPCA_CHECK(components() <= matrix.rows(), "more components than variables");
  const double largest = matrix.diagonal().cwiseAbs().maxCoeff();
  scale_ = largest > 0 ? largest : 1;
  for (Index t = 0; t < components(); ++t) {
    const auto position =
        std::upper_bound(order_.begin(), order_.end(), t, [this](Index a, Index b) {
          return cardinality_[static_cast<std::size_t>(a)] <
                 cardinality_[static_cast<std::size_t>(b)];
        });
    order_.insert(position, t);
  }
}

/// Returns the columns (C u_s)_{I_t} that u_t has to be orthogonal to, with C = I, S / scale_ or
/// both.
Matrix OrthogonalSearch::restrictions(const OrthogonalComponents& state, Index t,
                                      const std::vector<Index>& others) const {
  const Support& support = state.supports[static_cast<std::size_t>(t)];
  const Index kinds = Index{asked_.of_loadings} + Index{asked_.of_scores};
  Matrix columns(std::ssize(support), kinds * std::ssize(others));
  Index next = 0;
  for (const Index s : others) {
    const Support& other = state.supports[static_cast<std::size_t>(s)];
    if (asked_.of_loadings) {
      columns.col(next++) = selected_entries(state.loadings.col(s), support);
    }
    if (asked_.of_scores) {
      columns.col(next++) = times_vector(selected(matrix_, support, other),
                                         selected_entries(state.loadings.col(s), other)) /
                            scale_;
    }
  }
  return columns;
}

OrthogonalSearch::Surrogate OrthogonalSearch::surrogate(const Matrix& loadings, Index t) const {
  const std::vector<Index> others = all_but(components(), t);
  const Index r = std::ssize(others);
  const Matrix rest = selected_columns(loadings, others);
  Matrix products(matrix_.rows(), r);  // S u_s
  for (Index s = 0; s < r; ++s) {
    const Component u = from_dense(rest.col(s));
    products.col(s) = times_vector(selected_columns(matrix_, u.support), u.values);
  }
  const Index kinds = Index{asked_.of_loadings} + Index{asked_.of_scores};
  Matrix basis(matrix_.rows(), kinds * r);
  Matrix images(matrix_.rows(), kinds * r);  // S times the columns of `basis`
  if (asked_.of_loadings) {
    basis.leftCols(r) = rest;
    images.leftCols(r) = products;
  }
  if (asked_.of_scores) {
    basis.rightCols(r) = products / scale_;
    images.rightCols(r) = matrix_product(matrix_, products) / scale_;
  }
  make_orthonormal(basis, &images);
  Surrogate result{.matrix = matrix_, .basis = std::move(basis), .product = std::move(images)};
  const Matrix inner = transposed_product(result.basis, result.product);
  result.product -= 0.5 * matrix_product(result.basis, inner);
  return result;
}

void OrthogonalSearch::measure(OrthogonalComponents& state) const {
  state.value = 0;
  for (Index t = 0; t < components(); ++t) {
    const Support& support = state.supports[static_cast<std::size_t>(t)];
    const Vector u = selected_entries(state.loadings.col(t), support);
    state.value += u.dot(times_vector(selected(matrix_, support, support), u));
  }
}

/// Returns the leading eigenvector of S on the support among the vectors orthogonal to the basis.
/// Empty if the basis spans the whole support.
Vector OrthogonalSearch::leading_on(const Support& support, const Matrix& basis) const {
  const Index k = std::ssize(support);
  if (basis.cols() >= k) {
    return {};
  }
  Matrix on = selected(matrix_, support, support);
  if (basis.cols() > 0) {
    // The span of the basis gets an eigenvalue below all others.
    on -= part_on_span(on, basis) + scale_ * product_transposed(basis, basis);
    on = symmetric_part(on);
  }
  Vector v;
  if (k <= kSmallSupport) {
    v = leading_symmetric_eigenpairs(on, [](const Vector&) { return Index{1}; }).vectors;
  } else {
    v = leading_eigenpair(on).vector;
  }
  project_off(basis, v);
  const double length = v.norm();
  // The eigenvector is orthogonal to the basis, up to rounding.
  return length > 0.5 ? Vector(v / length) : Vector();
}

/// Projects each component off the restrictions of those before it in `order`. Returns false if the
/// restrictions leave nothing of some component.
bool OrthogonalSearch::make_feasible(OrthogonalComponents& state,
                                     const std::vector<Index>& order) const {
  std::vector<Index> before;
  for (const Index t : order) {
    const Support& support = state.supports[static_cast<std::size_t>(t)];
    const Matrix basis = basis_of(restrictions(state, t, before));
    if (basis.cols() >= std::ssize(support)) {
      return false;
    }
    Vector v = selected_entries(state.loadings.col(t), support);
    project_off(basis, v);
    if (v.norm() < kStartKept) {
      v = leading_on(support, basis);
    }
    const double length = v.size() > 0 ? v.norm() : 0;
    if (!(length > 0)) {
      return false;
    }
    v /= length;
    project_off(basis, v);
    state.loadings.col(t).setZero();
    set_entries(state.loadings.col(t), support, v / v.norm());
    before.push_back(t);
  }
  return true;
}

/// Updates the blocks in turn, until a round gains less than 1e-4 of the value; at most kMostSweeps
/// rounds.
void OrthogonalSearch::sweep(OrthogonalComponents& state) const {
  for (int time = 0; time < kMostSweeps; ++time) {
    const double before = state.value;
    for (Index t = 0; t < components(); ++t) {
      const Support& support = state.supports[static_cast<std::size_t>(t)];
      const Matrix basis = basis_of(restrictions(state, t, all_but(components(), t)));
      const Vector v = leading_on(support, basis);
      if (v.size() > 0) {
        const Vector old = selected_entries(state.loadings.col(t), support);
        const Matrix on = selected(matrix_, support, support);
        const double gain = v.dot(times_vector(on, v)) - old.dot(times_vector(on, old));
        if (gain > 0) {
          set_entries(state.loadings.col(t), support, v);
          state.value += gain;
        }
      }
    }
    // Blocks without common constraints converge at once.
    if (!(state.value > before * (1 + 1e-4)) || coupled(state).empty()) {
      return;
    }
  }
}

/// Returns the components that share a constraint with another component.
std::vector<Index> OrthogonalSearch::coupled(const OrthogonalComponents& state) const {
  std::vector<Index> which;
  for (Index t = 0; t < components(); ++t) {
    const std::vector<Index> others = all_but(components(), t);
    const bool meets = std::any_of(others.begin(), others.end(), [&](Index s) {
      return asked_.of_scores || overlap(state.supports[static_cast<std::size_t>(s)],
                                         state.supports[static_cast<std::size_t>(t)]);
    });
    if (meets) {
      which.push_back(t);
    }
  }
  return which;
}

OrthogonalSearch::Constraints OrthogonalSearch::constraints(const OrthogonalComponents& state,
                                                            const std::vector<Index>& which) const {
  Constraints result;
  const auto support = [&](std::size_t position) -> const Support& {
    return state.supports[static_cast<std::size_t>(which[position])];
  };
  result.offset.push_back(0);
  for (std::size_t a = 0; a < which.size(); ++a) {
    result.offset.push_back(result.offset.back() + std::ssize(support(a)));
    const auto position = static_cast<Index>(a);
    result.pairs.push_back({.s = position, .t = position});
    for (std::size_t b = 0; b < a; ++b) {
      if (asked_.of_loadings && overlap(support(a), support(b))) {
        result.pairs.push_back({.s = static_cast<Index>(b), .t = position});
      }
      if (asked_.of_scores) {
        result.pairs.push_back({.s = static_cast<Index>(b), .t = position, .of_scores = true});
      }
    }
  }
  const Index count = std::ssize(result.pairs);
  result.jacobian = Matrix::Zero(count, result.offset.back());
  result.values.resize(count);
  for (Index row = 0; row < count; ++row) {
    const auto& [s, t, of_scores] = result.pairs[static_cast<std::size_t>(row)];
    const auto a = static_cast<std::size_t>(s);
    const auto b = static_cast<std::size_t>(t);
    const auto u = state.loadings.col(which[a]);
    const auto v = state.loadings.col(which[b]);
    const auto fill = [&](std::size_t position, const Vector& entries) {
      result.jacobian.row(row).segment(result.offset[position], entries.size()) =
          entries.transpose();
    };
    if (of_scores) {
      const Matrix on = selected(matrix_, support(a), support(b)) / scale_;
      const Vector product = times_vector(on, selected_entries(v, support(b)));
      result.values[row] = product.dot(selected_entries(u, support(a)));
      fill(a, product);
      fill(b, transposed_times_vector(on, selected_entries(u, support(a))));
    } else if (s == t) {
      result.values[row] = 0.5 * (u.squaredNorm() - 1);
      fill(a, selected_entries(u, support(a)));
    } else {
      result.values[row] = u.dot(v);
      fill(a, selected_entries(v, support(a)));
      fill(b, selected_entries(u, support(b)));
    }
  }
  return result;
}

/// Takes Newton steps back to the constraints, then projects one component after the other. Returns
/// false if that fails.
bool OrthogonalSearch::restore(OrthogonalComponents& state, const std::vector<Index>& which) const {
  for (int step = 0; step < kMostRestoringSteps; ++step) {
    const Constraints now = constraints(state, which);
    if (now.values.cwiseAbs().maxCoeff() < kRoundingOfDirection) {
      break;
    }
    const SymmetricEigenpairs pairs =
        symmetric_eigenpairs(product_transposed(now.jacobian, now.jacobian));
    Vector weights = transposed_times_vector(pairs.vectors, now.values);
    for (Index i = 0; i < weights.size(); ++i) {
      weights[i] = pairs.values[i] > kDependentConstraints ? weights[i] / pairs.values[i] : 0;
    }
    const Vector change =
        -transposed_times_vector(now.jacobian, times_vector(pairs.vectors, weights));
    for (std::size_t a = 0; a < which.size(); ++a) {
      const Support& support = state.supports[static_cast<std::size_t>(which[a])];
      add_entries(state.loadings.col(which[a]), support,
                  change.segment(now.offset[a], std::ssize(support)));
    }
  }
  for (const Index t : which) {
    const double length = state.loadings.col(t).norm();
    if (!(length > 0.1 && length < 10)) {
      return false;
    }
    state.loadings.col(t) /= length;
  }
  if (!make_feasible(state, order_)) {
    return false;
  }
  measure(state);
  return true;
}

/// Takes one step on the manifold of the constraints. Returns whether the value rose.
bool OrthogonalSearch::newton_step(OrthogonalComponents& state,
                                   const std::vector<Index>& which) const {
  const Constraints now = constraints(state, which);
  const Index n = now.offset.back();
  const auto support = [&](std::size_t position) -> const Support& {
    return state.supports[static_cast<std::size_t>(which[position])];
  };
  Vector gradient(n);
  for (std::size_t a = 0; a < which.size(); ++a) {
    gradient.segment(now.offset[a], std::ssize(support(a))) =
        times_vector(selected(matrix_, support(a), support(a)),
                     selected_entries(state.loadings.col(which[a]), support(a)));
  }
  const SymmetricEigenpairs pairs =
      symmetric_eigenpairs(product_transposed(now.jacobian, now.jacobian));
  Index first = 0;
  while (first < pairs.values.size() && pairs.values[first] <= kDependentConstraints) {
    ++first;
  }
  const Index rank = pairs.values.size() - first;
  const auto vectors = pairs.vectors.rightCols(rank);
  const Vector lengths = pairs.values.tail(rank).cwiseSqrt();
  const Matrix normals =
      scaled_columns(transposed_product(now.jacobian, vectors), lengths.cwiseInverse());
  const Vector along = transposed_times_vector(normals, gradient);
  const Vector multipliers = times_vector(vectors, along.cwiseQuotient(lengths));
  const Vector ascent = gradient - times_vector(normals, along);
  Vector direction = ascent / scale_;
  if (n <= kLargestHessian) {
    Matrix hessian = Matrix::Zero(n, n);
    for (std::size_t a = 0; a < which.size(); ++a) {
      const Index k = std::ssize(support(a));
      hessian.block(now.offset[a], now.offset[a], k, k) = selected(matrix_, support(a), support(a));
    }
    for (std::size_t row = 0; row < now.pairs.size(); ++row) {
      const auto& [s, t, of_scores] = now.pairs[row];
      const double multiplier = multipliers[static_cast<Index>(row)];
      const auto a = static_cast<std::size_t>(s);
      const auto b = static_cast<std::size_t>(t);
      for (Index i = 0; i < std::ssize(support(a)); ++i) {
        for (Index j = 0; j < std::ssize(support(b)); ++j) {
          const Index variable_i = support(a)[static_cast<std::size_t>(i)];
          const Index variable_j = support(b)[static_cast<std::size_t>(j)];
          const double entry = of_scores ? matrix_(variable_i, variable_j) / scale_
                                         : (variable_i == variable_j ? 1.0 : 0.0);
          hessian(now.offset[a] + i, now.offset[b] + j) -= multiplier * entry;
          if (s != t) {
            hessian(now.offset[b] + j, now.offset[a] + i) -= multiplier * entry;
          }
        }
      }
    }
    hessian -= part_on_span(hessian, normals);
    const SymmetricEigenpairs curvature = symmetric_eigenpairs(hessian);
    Vector weights = transposed_times_vector(curvature.vectors, ascent);
    weights.array() /= curvature.values.array().abs().max(kLeastHessianShare * scale_);
    direction = times_vector(curvature.vectors, weights);
    subtract_projection(direction, normals);
  }
  const double length = direction.norm();
  // A longer step leaves the neighbourhood that the Hessian describes.
  double step = length > 1 ? 1 / length : 1;
  for (int halving = 0; halving < kMostStepHalvings; ++halving, step *= 0.5) {
    OrthogonalComponents next = state;
    for (std::size_t a = 0; a < which.size(); ++a) {
      add_entries(next.loadings.col(which[a]), support(a),
                  step * direction.segment(now.offset[a], std::ssize(support(a))));
    }
    if (restore(next, which) && next.value > state.value + kSmallestGain * std::abs(state.value)) {
      state = std::move(next);
      return true;
    }
    if (ascent.norm() * step * length < kSmallestGain * std::abs(state.value)) {
      break;
    }
  }
  return false;
}

/// Ascends on fixed supports: updates the blocks, then takes Newton steps if the value has reached
/// `floor` and components are coupled.
void OrthogonalSearch::climb(OrthogonalComponents& state, double floor) const {
  measure(state);
  sweep(state);
  const std::vector<Index> which = coupled(state);
  if (which.empty() || state.value < floor) {
    return;
  }
  for (int step = 0; step < kMostNewtonSteps; ++step) {
    const double before = state.value;
    if (!newton_step(state, which)) {
      break;
    }
    if (state.value - before < 1e-3 * std::abs(before)) {
      continue;
    }
    sweep(state);
  }
}

void OrthogonalSearch::fill_up(Support& support, const Vector& near, Index k) const {
  if (std::ssize(support) >= k) {
    return;
  }
  Vector score = matrix_.diagonal();
  if (near.squaredNorm() > 0) {
    score = times_vector(matrix_, near);
  }
  score = score.cwiseAbs();
  for (const Index i : support) {
    score[i] = std::numeric_limits<double>::max();
  }
  support = top_k(score, k);
}

OrthogonalComponents OrthogonalSearch::evaluate(std::vector<Support> supports, const Matrix& near,
                                                Index last, double floor) const {
  OrthogonalComponents state;
  state.supports = std::move(supports);
  for (Index t = 0; t < components(); ++t) {
    fill_up(state.supports[static_cast<std::size_t>(t)], near.col(t),
            cardinality_[static_cast<std::size_t>(t)]);
  }
  state.loadings = near;
  std::vector<Index> order = order_;
  if (last >= 0) {
    std::erase(order, last);
    order.push_back(last);
  }
  if (!make_feasible(state, order)) {
    state.loadings = near;
    if (last < 0 || !make_feasible(state, order_)) {
      return {};
    }
  }
  climb(state, floor);
  return state;
}

OrthogonalComponents OrthogonalSearch::evaluate(std::vector<Support> supports,
                                                const Matrix& near) const {
  return evaluate(std::move(supports), near, -1, kNoFloor);
}

void OrthogonalSearch::exchange(OrthogonalComponents& state,
                                const std::function<bool(double value)>& keep_going) const {
  struct Tried {
    Index t = 0;
    SupportExchange exchange;
    double gain = 0;
  };
  const auto has_larger_gain = [](const Tried& a, const Tried& b) { return a.gain > b.gain; };
  bool has_risen = !state.is_empty();
  while (has_risen && keep_going(state.value)) {
    has_risen = false;
    std::vector<Tried> all;  // in descending order of gain
    for (Index t = 0; t < components(); ++t) {
      const Support& support = state.supports[static_cast<std::size_t>(t)];
      const Surrogate other = surrogate(state.loadings, t);
      const Matrix columns = other.columns(support);
      const Vector v = selected_entries(state.loadings.col(t), support);
      const Vector product = times_vector(columns, v);
      const Vector variances = other.diagonal();
      const double value = v.dot(selected_entries(product, support));
      for (Index position = 0; position < std::ssize(support); ++position) {
        const Index i = support[static_cast<std::size_t>(position)];
        const double loading = v[position];
        const double rest = 1 - loading * loading;
        const double without =
            rest > kSmallestRise
                ? (value - 2 * loading * product[i] + loading * loading * variances[i]) / rest
                : 0;
        const SupportExchange best = best_partner(support, position, without, loading, product,
                                                  columns.col(position), variances);
        if (best.in >= 0) {
          const Tried one{.t = t, .exchange = best, .gain = best.value - value};
          all.insert(std::upper_bound(all.begin(), all.end(), one, has_larger_gain), one);
        }
      }
    }
    all.resize(std::min(all.size(), kMostTried));
    for (const Tried& one : all) {
      std::vector<Support> supports = state.supports;
      Support& changed = supports[static_cast<std::size_t>(one.t)];
      Matrix near = state.loadings;
      near(changed[static_cast<std::size_t>(one.exchange.out)], one.t) = 0;
      near.col(one.t).setZero();
      changed[static_cast<std::size_t>(one.exchange.out)] = one.exchange.in;
      std::sort(changed.begin(), changed.end());
      OrthogonalComponents next =
          evaluate(std::move(supports), near, one.t, kWorthClimbing * state.value);
      if (!next.is_empty() && next.value > state.value * (1 + 1e-10)) {
        state = std::move(next);
        has_risen = true;
        break;
      }
    }
  }
}

bool OrthogonalSearch::restart(OrthogonalComponents& state, Index t) const {
  const Matrix dense = surrogate(state.loadings, t).dense();
  SupportAscent ascent(dense, cardinality_[static_cast<std::size_t>(t)]);
  ascent.search([](double) { return true; });
  if (ascent.support().empty()) {
    return false;
  }
  std::vector<Support> supports = state.supports;
  supports[static_cast<std::size_t>(t)] = ascent.support();
  Matrix near = state.loadings;
  near.col(t).setZero();
  OrthogonalComponents next = evaluate(std::move(supports), near, t, kNoFloor);
  if (next.is_empty() || !(next.value > state.value * (1 + 1e-10))) {
    return false;
  }
  state = std::move(next);
  return true;
}

OrthogonalComponents OrthogonalSearch::by_deflation() const {
  std::vector<Support> supports(cardinality_.size());
  Matrix near = Matrix::Zero(matrix_.rows(), components());
  for (Index t = 0; t < components(); ++t) {
    const Matrix dense = surrogate(near, t).dense();
    const Index k = cardinality_[static_cast<std::size_t>(t)];
    SupportAscent ascent(dense, k);
    ascent.search([](double) { return true; });
    Support& support = supports[static_cast<std::size_t>(t)];
    support = ascent.support().empty() ? top_k(matrix_.diagonal(), k) : ascent.support();
    set_entries(near.col(t), support, leading_eigenpair(selected(dense, support, support)).vector);
  }
  return evaluate(std::move(supports), near);
}

/// Returns the support that truncated power steps on the surrogate reach, from a random vector on a
/// random half of the variables.
Support OrthogonalSearch::sought(const Surrogate& surrogate, Index t, Random& random) const {
  const Index k = cardinality_[static_cast<std::size_t>(t)];
  Vector w(matrix_.rows());
  for (double& entry : w) {
    const double value = random.normal();
    entry = random.uniform() < 0.5 ? value : 0;
  }
  Support support = top_k(w, k);
  Vector v = selected_entries(w, support);
  for (int step = 0; step < kMostPowerSteps; ++step) {
    if (!(v.norm() > 0)) {
      break;
    }
    v.normalize();
    const Vector product = times_vector(surrogate.columns(support), v);
    Support next = top_k(product, k);
    v = selected_entries(product, next);
    const bool is_settled = next == support;
    support = std::move(next);
    if (is_settled) {
      break;
    }
  }
  return support;
}

OrthogonalComponents OrthogonalSearch::drawn(Random& random) const {
  std::vector<Support> supports(cardinality_.size());
  Matrix near = Matrix::Zero(matrix_.rows(), components());
  for (Index t = 0; t < components(); ++t) {
    const Surrogate left = surrogate(near, t);
    Support& support = supports[static_cast<std::size_t>(t)];
    support = sought(left, t, random);
    set_entries(near.col(t), support,
                leading_eigenpair(selected_rows(left.columns(support), support)).vector);
  }
  return evaluate(std::move(supports), near);
}

OrthogonalComponents OrthogonalSearch::perturbed(const OrthogonalComponents& state,
                                                 Random& random) const {
  std::vector<Support> supports = state.supports;
  Matrix near = state.loadings;
  const auto any = [&](Index count) {
    return static_cast<Index>(random.below(static_cast<std::uint64_t>(count)));
  };
  const auto kind = any(3);
  if (kind == 2) {
    const Index changes = 1 + any(3);
    for (Index change = 0; change < changes; ++change) {
      const Index t = any(components());
      Support& support = supports[static_cast<std::size_t>(t)];
      const Index position = any(std::ssize(support));
      const Index in = any(matrix_.rows());
      if (!std::binary_search(support.begin(), support.end(), in)) {
        near(support[static_cast<std::size_t>(position)], t) = 0;
        support[static_cast<std::size_t>(position)] = in;
        std::sort(support.begin(), support.end());
      }
    }
    return evaluate(std::move(supports), near);
  }
  std::vector<Index> rebuilt = {any(components())};
  if (kind == 1) {
    const Index other = any(components());
    if (other != rebuilt[0]) {
      rebuilt.push_back(other);
    }
  }
  for (const Index t : rebuilt) {
    near.col(t).setZero();
  }
  for (const Index t : rebuilt) {
    const Surrogate left = surrogate(near, t);
    Support& support = supports[static_cast<std::size_t>(t)];
    support = sought(left, t, random);
    set_entries(near.col(t), support,
                leading_eigenpair(selected_rows(left.columns(support), support)).vector);
  }
  return evaluate(std::move(supports), near);
}

}  // namespace spca
