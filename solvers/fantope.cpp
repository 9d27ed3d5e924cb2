/// Fantope projection and selection: a convex relaxation for r components at once.
///
/// Problem  max Tr(SH) - rho sum_ij |H_ij|  s.t. H in the Fantope: 0 <= H <= I, Tr H = r,
///          rho = penalty * max_i S_ii. Dual: min (sum of the r largest eigenvalues of S + U)
///          s.t. |U_ij| <= rho
/// Step     ADMM: H <- projection of Z - Y + S / step to the Fantope; Z <- soft threshold of H + Y
///          at rho / step; Y <- Y + H - Z. The step is doubled or halved if one residual exceeds
///          ten times the other
/// Start    Z = Y = 0
/// Stops    if (dual - primal) / dual is within `gap`
/// Answer   the r leading eigenvectors of Z, each within one of the blocks of Z without entries
///          below `threshold` times its largest. Those of a block are rotated to its principal
///          components, and cut at `threshold` times their largest loading. If `refit` is set and
///          the supports share no variable, the leading eigenvector of S on each
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
constexpr Index kLargestP = 2000;
constexpr Index kIterations = 20'000;
// The dual value takes another eigendecomposition, and so it is computed every kCheck iterations.
constexpr Index kCheck = 10;
constexpr double kUnbalanced = 10;  // of the two residuals

double sum_of_largest(const Matrix& matrix, Index r) {
  return symmetric_eigenvalues(matrix).tail(r).sum();
}

/// theta with sum_i clamp(values_i - theta, 0, 1) = r; `values` ascend, 1 <= r <= their number. The
/// sum is piecewise linear and falls with theta: its kinks are searched, then a line is solved.
double fantope_shift(const Vector& values, Index r) {
  const auto sum_at = [&](double theta) {
    return (values.array() - theta).max(0.0).min(1.0).sum();
  };
  std::vector<double> kinks;
  for (const double value : values) {
    kinks.push_back(value);
    kinks.push_back(value - 1);
  }
  std::sort(kinks.begin(), kinks.end());
  const auto wanted = static_cast<double>(r);
  // The first kink at which the sum is at most r; at the least kink it is p.
  const auto above = std::partition_point(kinks.begin(), kinks.end(),
                                          [&](double theta) { return sum_at(theta) > wanted; });
  if (above == kinks.begin()) {
    return *above;
  }
  const double low = *(above - 1);
  const double high = *above;
  const double fall = sum_at(low) - sum_at(high);
  return fall > 0 ? low + (high - low) * (sum_at(low) - wanted) / fall : high;
}

/// The nearest matrix with eigenvalues in [0, 1] and trace r.
Matrix project_to_fantope(const Matrix& matrix, Index r) {
  const SymmetricEigenpairs pairs = symmetric_eigenpairs(matrix);
  const double theta = fantope_shift(pairs.values, r);
  const Vector values = (pairs.values.array() - theta).max(0.0).min(1.0);
  return product_transposed(scaled_columns(pairs.vectors, values), pairs.vectors);
}

/// The relaxation, in units of the largest variance.
class FantopeRelaxation {
 public:
  FantopeRelaxation(Matrix covariance, double rho, Index r)
      : covariance_(std::move(covariance)),
        rho_(rho),
        r_(r),
        h_(Matrix::Identity(size(), size()) *
           (static_cast<double>(r) / static_cast<double>(size()))),
        z_(h_),
        dual_((-covariance_).cwiseMax(-rho).cwiseMin(rho)) {
    dual_value_ = sum_of_largest(covariance_ + dual_, r_);
  }

  void solve(double gap, double unit, Budget& budget);
  Index size() const { return covariance_.rows(); }
  /// Sparse, and near the Fantope.
  const Matrix& sparse() const { return z_; }
  const Matrix& dual() const { return dual_; }
  const Matrix& covariance() const { return covariance_; }
  /// The value of H, which is in the Fantope.
  double primal_value() const {
    return inner_product(covariance_, h_) - rho_ * h_.cwiseAbs().sum();
  }
  double dual_value() const { return dual_value_; }
  bool has_closed(double gap) const {
    return dual_value_ - primal_value() <= gap * std::abs(dual_value_);
  }

 private:
  Matrix covariance_;
  double rho_;
  Index r_;
  Matrix h_;
  Matrix z_;
  Matrix dual_;
  double dual_value_ = 0;
};

void FantopeRelaxation::solve(double gap, double unit, Budget& budget) {
  double step = 1;  // of the augmented term: variances are at most 1
  Matrix copy = Matrix::Zero(size(), size());
  Matrix multiplier = Matrix::Zero(size(), size());
  for (Index i = 0; i < kIterations && budget.next(unit * primal_value()); ++i) {
    h_ = project_to_fantope(copy - multiplier + covariance_ / step, r_);
    const Matrix before = std::move(copy);
    const Matrix sum = h_ + multiplier;
    copy = sum.unaryExpr([level = rho_ / step](double entry) {
      return std::copysign(std::max(std::abs(entry) - level, 0.0), entry);
    });
    multiplier = sum - copy;
    z_ = copy;
    if ((i + 1) % kCheck != 0) {
      continue;
    }
    Matrix dual = (-0.5 * step * (multiplier + multiplier.transpose())).eval();
    dual = dual.cwiseMax(-rho_).cwiseMin(rho_);
    if (const double value = sum_of_largest(covariance_ + dual, r_); value < dual_value_) {
      dual_value_ = value;
      dual_ = std::move(dual);
    }
    if (has_closed(gap)) {
      break;
    }
    const double primal_residual = (h_ - copy).norm();
    const double dual_residual = step * (copy - before).norm();
    const double factor = primal_residual > kUnbalanced * dual_residual   ? 2
                          : dual_residual > kUnbalanced * primal_residual ? 0.5
                                                                          : 1;
    step *= factor;
    multiplier /= factor;
  }
}

/// Variables that the penalty does not rule out: j remains if some |S_ij| exceeds rho. The others
/// have no covariance that is worth its penalty. At least r remain, those of largest variance
/// first.
Support remaining(const Covariance& covariance, double rho, Index r) {
  const Vector& variances = covariance.diagonal();
  const double shift = covariance.semidefinite_shift();
  const double largest = variances.maxCoeff() + shift;
  Support kept;
  Support open;
  for (Index j = 0; j < variances.size(); ++j) {
    if (variances[j] > rho) {
      kept.push_back(j);
    } else if ((variances[j] + shift) * largest > rho * rho) {
      open.push_back(j);  // |S_ij|^2 <= (S_ii + sigma) (S_jj + sigma)
    }
  }
  if (!open.empty()) {
    const Matrix columns = covariance.columns(open);
    for (std::size_t i = 0; i < open.size(); ++i) {
      if (columns.col(static_cast<Index>(i)).cwiseAbs().maxCoeff() > rho) {
        kept.push_back(open[i]);
      }
    }
  }
  if (std::ssize(kept) < r) {
    kept = top_k(variances.cwiseMax(0.0), r);
  }
  std::sort(kept.begin(), kept.end());
  return kept;
}

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

/// The r leading eigenvectors of Z, each within a block of it, by falling variance. H is near a
/// projection: its eigenvalues are near one and do not separate its eigenvectors. So those of one
/// block are rotated to its principal components.
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

/// The dual matrix U on `variables`. For unit v with k nonzeros v'Sv <= lambda_max(S + U) + rho
/// ||v||_1^2. Outside of the variables U is -S cut to the box, so that S + U is zero there if no
/// covariance there exceeds rho; check() verifies that.
class FantopeCertificate final : public BoundCertificate {
 public:
  FantopeCertificate(double rho, Support variables, Matrix dual)
      : rho_(rho), variables_(std::move(variables)), dual_(std::move(dual)) {}

 protected:
  double do_check(const Covariance& covariance, Index k, Budget& budget) const override {
    if (!budget.next() || std::ssize(variables_) != dual_.rows() || !dual_.allFinite() ||
        remaining(covariance, rho_, 1) != variables_) {
      return std::numeric_limits<double>::infinity();
    }
    const Matrix inside = symmetric_part(dual_).cwiseMax(-rho_).cwiseMin(rho_);
    const double largest =
        symmetric_eigenvalues(covariance.submatrix(variables_) + inside)[dual_.rows() - 1];
    return rho_ * static_cast<double>(k) + std::max(largest, 0.0);
  }

 private:
  double rho_;
  Support variables_;
  Matrix dual_;
};

Solution solve_fantope(const Problem& problem, const FantopeOptions& options, Budget& budget) {
  const Covariance& covariance = problem.covariance;
  const Index r = problem.components;
  const double unit = std::pow(longest_column(covariance), 2);
  const double rho = options.penalty * unit;
  const Support variables = remaining(covariance, rho, r);
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
                    .largest_p = kLargestP,
                    .tuning = {.option = "penalty", .minimum = 0, .maximum = 1}}));

}  // namespace
}  // namespace spca::solver_fantope
