/// Greedy path: every cardinality from 1 to k in one run.
///
/// Problem  maximise v'Sv  s.t. ||v||_2 = 1, ||v||_0 <= j, for j = 1..k
/// Step     with I the support so far, v its leading eigenvector (v'Sv = lambda) and s_i = S_ii:
///          approximate  I += argmax (S_{i,I} v_I)^2, which is lambda (a_i'x)^2 of the paper with
///                       x = X_I v_I / ||X_I v_I||, so that S alone suffices
///          exact        I += argmax lambda_max(S_{I+i})
///          backward     I -= argmin v_i^2 (lambda - s_i) / (1 - v_i^2): lambda less this is the
///                       value that v without its entry i, made unit again, has on S: a lower bound
///                       of lambda_max(S_{I-i})
///          `variables`: only this number of variables, those of largest variance, may enter
/// Start    the variable of largest variance; backward: all variables. If several tie with it,
///          there is a path from each of these: for m = 2, 4, 8, ..., m <= 2k, the variable j that
///          maximises ||S_{I,j}||, I = I_m(S e_j) (column_starts.h). For m = 2 it is one of the
///          best pair. At cardinality j the best of the paths for m <= 2j is kept, so that the
///          answers do not depend on k
/// Stops    at cardinality k (backward: at 1, so that the path is complete)
/// Cost     approximate: two products with S a step (a j-sparse vector and one variable), and some
///          products with the j x j matrix S_II for its eigenvector. exact: the same, and that
///          matrix once more for each candidate that bounds do not rule out. backward: S whole,
///          and some products with S_II a step, O(p^3) in all
/// Source   d'Aspremont, Bach, El Ghaoui, Full regularization path for sparse principal component
///          analysis, ICML 2007, and Optimal solutions for sparse PCA, JMLR 2008 (its greedy and
///          approximate greedy search); backward: Moghaddam, Weiss, Avidan, NIPS 2006
/// Order    variables that tie in every respect: the lower index
/// Differs  the authors' code (FullPathCov and FullPathData of PathSPCA) starts at the first
///          variable of largest variance, even if others tie with it: `start` largest-variance. On
///          48 problems with correlation matrices (bench/README.md) that reaches .74 of the
///          optimum, the best pair .90 on 33 of them. The eigenvectors are warm-started, the
///          submatrix grows by one column a step, and `exact` bounds a candidate before it solves
///          its eigenproblem. None of this changes a choice. Backward uses the first-order bound
///          above; Moghaddam et al. solve one eigenproblem for each variable. Variables of variance
///          zero are never added

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>

#include "spca/dense/dense_decompositions.h"
#include "spca/dense/leading_eigenpair.h"
#include "spca/dense/sparsify.h"
#include "spca/methods/ascent/column_starts.h"
#include "spca/solving/solver.h"
#include "spca/spectrum/remaining_variance.h"

namespace spca::solver_fullpath {
namespace {

struct FullpathOptions {
  std::string variant = "approximate";
  std::string start = "columns";
  Index variables = 0;

  void describe(OptionVisitor& visit) {
    visit("variant", variant, "rule for the next variable", {"approximate", "exact", "backward"});
    visit("start", start,
          "if several variables have the largest variance: those of the best columns of S, or the "
          "first variable",
          {"columns", "largest-variance"});
    visit("variables", variables, "number of variables of largest variance to consider; 0: all",
          at_least(0));
  }
};

using Flags = Eigen::Array<bool, Eigen::Dynamic, 1>;

/// The variables of positive variance; if `count` > 0, the `count` largest of them. Among equals
/// the lower index.
Flags variables_to_try(const Covariance& covariance, Index count) {
  Flags flags = covariance.diagonal().array() > 0;
  if (count > 0) {
    const Support largest = top_k(covariance.diagonal(), std::min(count, covariance.variables()));
    Flags chosen = Flags::Constant(flags.size(), false);
    for (const Index i : largest) {
      chosen[i] = flags[i];
    }
    flags = chosen;
  }
  return flags;
}

// At most this number of variables: backward needs the whole of S and p eigenvectors, half a
// minute.
constexpr Index kLargestBackward = 2000;
// The bounds that rule candidates out may be off by this share, and ties up to rounding must not be
// ruled out.
constexpr double kBoundSlack = 2 * kTiedByRounding;
// Slopes below this share of the largest possible slope are rounding.
constexpr double kNoSlope = 1e-12;

/// Returns the component with these loadings on the variables `order`. Exact zeros are left out.
Component ascending(const std::vector<Index>& order, const Vector& loadings) {
  std::vector<Index> position(order.size());
  std::iota(position.begin(), position.end(), Index{0});
  const auto variable = [&](Index i) { return order[static_cast<std::size_t>(i)]; };
  std::sort(position.begin(), position.end(),
            [&](Index a, Index b) { return variable(a) < variable(b); });
  Component component;
  component.values.resize(loadings.size());
  for (const Index i : position) {
    if (loadings(i) != 0) {
      component.values(component.cardinality()) = loadings(i);
      component.support.push_back(variable(i));
    }
  }
  component.values.conservativeResize(component.cardinality());
  return component;
}

/// The variable of each true entry.
std::vector<Index> indices_of(const Flags& flags) {
  std::vector<Index> indices;
  for (Index i = 0; i < flags.size(); ++i) {
    if (flags(i)) {
      indices.push_back(i);
    }
  }
  return indices;
}

/// A growing support I in the order in which its variables were added. It stores S_II, its leading
/// eigenpair and the data for the choice of the next variable.
class GrowingSupport {
 public:
  /// Starts with the variable `first`; others come from `candidates`. grow_exactly() requires
  /// `keep_columns`.
  GrowingSupport(const Covariance& covariance, const Flags& candidates, Index first, Index capacity,
                 bool keep_columns)
      : covariance_(covariance),
        matrix_(capacity, capacity),
        columns_(keep_columns ? capacity : 0, covariance.variables()),
        candidate_(candidates),
        squared_norms_(Vector::Zero(covariance.variables())) {
    append(first, column_of(first),
           {.value = covariance.diagonal()[first], .vector = Vector::Ones(1)});
  }

  Component component() const { return ascending(order_, pair_.vector); }
  double value() const { return pair_.value; }
  bool has_candidates() const { return candidate_.any(); }

  void grow_approximately() {
    const Vector& variances = covariance_.diagonal();
    const Vector slopes = candidate_.select(product_.cwiseAbs().array(), 0.0);
    // A slope is at most the root of the product of variance and value.
    const double rounding = kNoSlope * std::sqrt(variances.maxCoeff() * std::max(value(), 0.0));
    // If no candidate is correlated with v, the candidate of largest variance is taken.
    const Index best = slopes.maxCoeff() > rounding
                           ? first_of_largest(slopes)
                           : first_of_largest(candidate_.select(variances.array(), 0.0));
    const Vector column = column_of(best);
    append(best, column, extended(bordered(best, column(order_))));
  }

  void grow_exactly() {
    // The bounds need lambda_2 of S_II from above. Both the trace and the Frobenius norm, less the
    // part of lambda_1, bound it.
    const auto m = static_cast<Index>(order_.size());
    const auto matrix = matrix_.topLeftCorner(m, m);
    const double rest =
        std::min(matrix.trace() - value(),
                 std::sqrt(std::max(matrix.squaredNorm() - value() * value(), 0.0)));
    const Bounds bounds = bounds_of_candidates(std::max(rest, 0.0));
    std::vector<Index> candidates = indices_of(candidate_);
    std::stable_sort(candidates.begin(), candidates.end(),
                     [&](Index a, Index b) { return bounds.upper(a) > bounds.upper(b); });
    Index best = -1;
    LeadingEigenpair best_pair{.value = -1, .vector = {}};
    // By falling upper bound: after the first candidate whose bound is below the best value, none
    // can win. Ties go to the lower index, as in a search without bounds.
    for (const Index i : candidates) {
      if (bounds.upper(i) * (1 + kBoundSlack) < std::max(best_pair.value, bounds.largest_lower)) {
        break;
      }
      LeadingEigenpair pair = extended(bordered(i, columns_.col(i).head(m)));
      if (pair.value * (1 - kTiedByRounding) > best_pair.value ||
          (pair.value >= best_pair.value * (1 - kTiedByRounding) && i < best)) {
        best = i;
        best_pair = std::move(pair);
      }
    }
    append(best, column_of(best), std::move(best_pair));
  }

 private:
  struct Bounds {
    Vector upper;  // bounds on lambda_max(S_{I+i})
    double largest_lower = 0;
  };

  /// Bounds lambda_max(S_{I+i}) for every candidate i. Let b = S_{I,i}, alpha = v'b and
  /// beta^2 = ||b||^2 - alpha^2.
  ///
  ///   lower  mu, the larger eigenvalue of [[lambda_1, alpha], [alpha, s_i]]
  ///   upper  the same with s_i + beta^2 / (mu - lambda_2) in place of s_i
  ///
  /// The upper bound is the root of the secular equation with all of b off v moved to lambda_2.
  Bounds bounds_of_candidates(double second) const {
    Bounds bounds{.upper = Vector::Zero(covariance_.variables())};
    for (Index i = 0; i < covariance_.variables(); ++i) {
      if (!candidate_(i)) {
        continue;
      }
      const double slope = product_(i);
      const double variance = covariance_.diagonal()(i);
      const double lower = larger_eigenvalue(value(), slope, variance);
      const double off = std::max(squared_norms_(i) - slope * slope, 0.0);
      bounds.largest_lower = std::max(bounds.largest_lower, lower);
      bounds.upper(i) = lower > second
                            ? larger_eigenvalue(value(), slope, variance + off / (lower - second))
                            : std::numeric_limits<double>::infinity();
    }
    return bounds;
  }

  Vector column_of(Index i) const {
    Vector column;
    covariance_.multiply(Component{.support = {i}, .values = Vector::Ones(1)}, column);
    return column;
  }

  /// Returns S_{I+i}; `border` is S_{I,i}.
  Matrix bordered(Index i, const Vector& border) const {
    const Index m = border.size();
    Matrix matrix(m + 1, m + 1);
    matrix.topLeftCorner(m, m) = matrix_.topLeftCorner(m, m);
    matrix.col(m).head(m) = border;
    matrix.row(m).head(m) = border.transpose();
    matrix(m, m) = covariance_.diagonal()(i);
    return matrix;
  }

  /// Returns the leading eigenpair of a bordered S_II, started from the best combination of v and
  /// e_i.
  LeadingEigenpair extended(const Matrix& matrix) const {
    const Index m = matrix.cols() - 1;
    const double slope = matrix.col(m).head(m).dot(pair_.vector);
    if (slope == 0) {
      // v remains an eigenvector, but perhaps not the leading one
      return leading_eigenpair(matrix);
    }
    const double extended_value = larger_eigenvalue(value(), slope, matrix(m, m));
    Vector start(m + 1);  // the eigenvector of the 2 x 2 problem
    start << (extended_value - matrix(m, m)) * pair_.vector, slope;
    return leading_eigenpair(matrix, start / start.norm());
  }

  void append(Index i, const Vector& column, LeadingEigenpair pair) {
    const auto m = static_cast<Index>(order_.size());
    matrix_.col(m).head(m) = column(order_);
    matrix_.row(m).head(m) = matrix_.col(m).head(m).transpose();
    matrix_(m, m) = covariance_.diagonal()(i);
    order_.push_back(i);
    candidate_(i) = false;
    if (columns_.rows() > 0) {
      columns_.row(m) = column.transpose();
    }
    squared_norms_ += column.cwiseAbs2();
    pair_ = std::move(pair);
    covariance_.multiply(component(), product_);
  }

  const Covariance& covariance_;
  std::vector<Index> order_;
  Matrix matrix_;   // its leading |I| x |I| corner is S_II
  Matrix columns_;  // S_{I,:}, its leading |I| rows
  LeadingEigenpair pair_;
  Vector product_;  // S v
  Eigen::Array<bool, Eigen::Dynamic, 1> candidate_;
  Vector squared_norms_;  // ||S_{I,i}||^2 of every i
};

/// The first variable of a path, and the least cardinality at which the path counts.
struct Start {
  Index variable = 0;
  Index cardinality = 1;
};

/// Only variables that `may_enter` are starts; the first one of largest variance always may.
std::vector<Start> starts(const Covariance& covariance, const Flags& may_enter,
                          const std::string& start, Index k) {
  const std::vector<Start> largest = {
      {.variable = first_of_largest(covariance.diagonal().cwiseMax(0.0))}};
  const Support tied = variables_of_largest_variance(covariance);
  if (tied.size() == 1 || start == "largest-variance") {
    return largest;
  }
  const Support tried = start_variables(covariance);
  Support candidates;
  std::set_intersection(tied.begin(), tied.end(), tried.begin(), tried.end(),
                        std::back_inserter(candidates));
  std::erase_if(candidates, [&](Index i) { return !may_enter[i]; });
  if (candidates.empty()) {
    return largest;
  }
  std::vector<Start> starts;
  for (Index m = 2; m <= 2 * k; m *= 2) {
    const Index size = std::min(m, covariance.variables());
    const Index variable = best_columns(covariance, candidates, size, 1).at(0).variable;
    if (std::none_of(starts.begin(), starts.end(),
                     [&](const Start& other) { return other.variable == variable; })) {
      starts.push_back({.variable = variable, .cardinality = m / 2});
    }
  }
  return starts;
}

struct Path {
  std::vector<PathPoint> points;  // for 1, 2, ... variables
  std::vector<double> values;
  bool is_complete = false;  // there are k variables, or no further one adds anything
};

Path grow_from(const Covariance& covariance, const Flags& candidates, Index first, Index k,
               bool exact, Budget& budget) {
  GrowingSupport support(covariance, candidates, first, k, exact);
  Path path;
  const auto keep = [&] {
    path.points.push_back({.component = support.component(), .seconds = budget.elapsed_seconds()});
    path.values.push_back(support.value());
  };
  keep();
  while (std::ssize(path.points) < k && support.has_candidates() && budget.next(support.value())) {
    exact ? support.grow_exactly() : support.grow_approximately();
    keep();
  }
  path.is_complete = std::ssize(path.points) == k || !support.has_candidates();
  return path;
}

/// Takes the better components of `other` from `cardinality` on.
void improve(Path& path, const Path& other, Index cardinality) {
  for (std::size_t j = static_cast<std::size_t>(cardinality - 1);
       j < std::min(path.points.size(), other.points.size()); ++j) {
    if (other.values[j] * (1 - kTiedByRounding) > path.values[j]) {
      path.points[j] = other.points[j];
      path.values[j] = other.values[j];
    }
  }
}

Solution grow(const Problem& problem, const FullpathOptions& options, Budget& budget) {
  const Index k = problem.cardinality[0];
  const bool exact = options.variant == "exact";
  const Flags candidates = variables_to_try(problem.covariance, options.variables);
  Path path;
  for (const Start& start : starts(problem.covariance, candidates, options.start, k)) {
    if (budget.out_of_time() && !path.points.empty()) {
      break;
    }
    budget.begin_loop();
    Path found = grow_from(problem.covariance, candidates, start.variable, k, exact, budget);
    if (path.points.empty()) {
      path = std::move(found);
    } else {
      improve(path, found, start.cardinality);
    }
  }
  Solution solution = make_solution({path.points.back().component}, budget);
  if (path.is_complete) {
    path.points.resize(static_cast<std::size_t>(k), path.points.back());
  }
  solution.path = std::move(path.points);
  return solution;
}

/// Updates S_II and its leading eigenpair while variables leave I.
class ShrinkingSupport {
 public:
  ShrinkingSupport(const Covariance& covariance, std::vector<Index> variables)
      : order_(std::move(variables)),
        matrix_(covariance.submatrix(order_)),
        pair_(leading_eigenpair(matrix_)) {}

  Component component() const { return ascending(order_, pair_.vector); }
  double value() const { return pair_.value; }
  Index size() const { return matrix_.cols(); }

  void shrink() {
    const Eigen::ArrayXd squares = pair_.vector.array().square();
    // v without entry i has v'Sv = lambda - 2 lambda v_i^2 + v_i^2 s_i and squared length
    // 1 - v_i^2. Their ratio is lambda - v_i^2 (lambda - s_i) / (1 - v_i^2).
    const Eigen::ArrayXd loss = squares * (pair_.value - matrix_.diagonal().array()) /
                                (1 - squares).max(std::numeric_limits<double>::min());
    Index removed = 0;
    loss.minCoeff(&removed);
    // The last variable moves to the place of the one that leaves, so that only one row and column
    // move.
    const Index last = size() - 1;
    matrix_.col(removed) = matrix_.col(last).eval();
    matrix_.row(removed) = matrix_.row(last).eval();
    matrix_.conservativeResize(last, last);
    Vector start = pair_.vector.head(last);
    if (removed < last) {
      start(removed) = pair_.vector(last);
      order_[static_cast<std::size_t>(removed)] = order_.back();
    }
    order_.pop_back();
    pair_ = leading_eigenpair(matrix_, start.normalized());
  }

 private:
  std::vector<Index> order_;
  Matrix matrix_;
  LeadingEigenpair pair_;
};

Solution shrink(const Problem& problem, const FullpathOptions& options, Budget& budget) {
  std::vector<Index> variables =
      indices_of(variables_to_try(problem.covariance, options.variables));
  if (std::ssize(variables) > kLargestBackward) {
    return skipped(fmt::format("variant backward takes at most {} variables; here are {}",
                               kLargestBackward, variables.size()));
  }
  const Index k = problem.cardinality[0];
  ShrinkingSupport support(problem.covariance, std::move(variables));
  while (support.size() > k && budget.next(support.value())) {
    support.shrink();
  }
  if (support.size() > k) {
    return make_solution({}, budget);  // out of time before there was an answer
  }
  const Component answer = support.component();
  std::vector<PathPoint> path(static_cast<std::size_t>(k),
                              {.component = answer, .seconds = budget.elapsed_seconds()});
  while (support.size() > 1 && budget.next(support.value())) {
    support.shrink();
    path[static_cast<std::size_t>(support.size() - 1)] = {.component = support.component(),
                                                          .seconds = budget.elapsed_seconds()};
  }
  Solution solution = make_solution({answer}, budget);
  if (support.size() == 1) {
    solution.path = std::move(path);
  }
  return solution;
}

Solution solve_fullpath(const Problem& problem, const FullpathOptions& options, Budget& budget) {
  if (!(problem.covariance.diagonal().maxCoeff() > 0)) {
    return skipped(kNoVariance);
  }
  return options.variant == "backward" ? shrink(problem, options, budget)
                                       : grow(problem, options, budget);
}

SPCA_SOLVER("fullpath", solve_fullpath,
            (Traits{.summary = "greedy path of all cardinalities up to k",
                    .problem = "max v'Sv  s.t. ||v|| = 1, ||v||_0 <= j, j = 1..k",
                    .source = "d'Aspremont, Bach, El Ghaoui, ICML 2007 and JMLR 2008",
                    .path = true}));

}  // namespace
}  // namespace spca::solver_fullpath
