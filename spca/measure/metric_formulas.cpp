#include "spca/measure/metric_formulas.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "spca/algebra/dense_decompositions.h"
#include "spca/base/error.h"
#include "spca/algebra/sparsify.h"

namespace spca {

MetricTraits seconds_traits(std::string formula, bool by_default) {
  return {.unit = "s",
          .direction = Direction::kLowerIsBetter,
          .formula = std::move(formula),
          .timing = true,
          .by_default = by_default,
          .absolute_tolerance = 0.05,
          .relative_tolerance = 0.5,
          .gate = Gate::kSameMachineOnly};
}

namespace {

/// Up to here S_UU is taken at once even where r products would read less: it is 32 KB.
constexpr Index kSmallUnion = 64;

Index position_in(const Support& support, Index variable) {
  return static_cast<Index>(std::lower_bound(support.begin(), support.end(), variable) -
                            support.begin());
}

Index size_of(const std::vector<Component>& components) {
  return static_cast<Index>(components.size());
}

Support union_of_supports(const std::vector<Component>& components) {
  Support all;
  for (const Component& component : components) {
    all.insert(all.end(), component.support.begin(), component.support.end());
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

Index common_count(const Support& a, const Support& b) {
  Index count = 0;
  auto other = b.begin();
  for (const Index variable : a) {
    other = std::lower_bound(other, b.end(), variable);
    count += other != b.end() && *other == variable ? 1 : 0;
  }
  return count;
}

/// Hungarian method by shortest augmenting paths on the costs -scores.
class Matching {
 public:
  explicit Matching(const Matrix& scores)
      : scores_(scores),
        start_(scores.cols()),
        row_potential_(Vector::Zero(scores.rows())),
        column_potential_(Vector::Zero(start_ + 1)),
        row_of_(static_cast<std::size_t>(start_ + 1), kFree) {}

  void add(Index row) {
    std::vector<bool> reached(row_of_.size(), false);
    Vector distance = Vector::Constant(start_, std::numeric_limits<double>::infinity());
    std::vector<Index> previous(row_of_.size(), start_);
    Index column = start_;
    at(row_of_, start_) = row;
    while (at(row_of_, column) != kFree) {
      at(reached, column) = true;
      const Index nearest = relax(column, reached, distance, previous);
      shift_potentials(distance[nearest], reached, distance);
      column = nearest;
    }
    while (column != start_) {
      const Index before = at(previous, column);
      at(row_of_, column) = at(row_of_, before);
      column = before;
    }
  }

  double score() const {
    double sum = 0;
    for (Index j = 0; j < start_; ++j) {
      const Index row = row_of_[static_cast<std::size_t>(j)];
      sum += row == kFree ? 0 : scores_(row, j);
    }
    return sum;
  }

 private:
  static constexpr Index kFree = -1;

  template <class T>
  static auto at(std::vector<T>& items, Index i) -> decltype(items[0]) {
    return items[static_cast<std::size_t>(i)];
  }

  /// Shortens the distances by the edges from `column`'s row; returns the nearest column that has
  /// not been reached.
  Index relax(Index column, std::vector<bool>& reached, Vector& distance,
              std::vector<Index>& previous) {
    const Index row = at(row_of_, column);
    Index nearest = kFree;
    for (Index j = 0; j < start_; ++j) {
      if (at(reached, j)) {
        continue;
      }
      const double cost = -scores_(row, j) - row_potential_[row] - column_potential_[j];
      if (cost < distance[j]) {
        distance[j] = cost;
        at(previous, j) = column;
      }
      nearest = nearest == kFree || distance[j] < distance[nearest] ? j : nearest;
    }
    return nearest;
  }

  void shift_potentials(double step, std::vector<bool>& reached, Vector& distance) {
    for (Index j = 0; j <= start_; ++j) {
      if (at(reached, j)) {
        row_potential_[at(row_of_, j)] += step;
        column_potential_[j] -= step;
      } else {
        distance[j] -= step;
      }
    }
  }

  const Matrix& scores_;
  Index start_;  // a virtual column in which every path starts
  Vector row_potential_;
  Vector column_potential_;
  std::vector<Index> row_of_;
};

/// Between the span of `smaller` and its nearest subspace in the span of `larger`.
double largest_angle(const Matrix& larger, const Matrix& smaller) {
  const Matrix cosines = larger.transpose() * smaller;
  const Matrix rest = smaller - larger * cosines;
  // The sine is accurate for small angles, the cosine for large ones.
  const double sine = singular_values(rest)[0];
  const double cosine = singular_values(cosines)[smaller.cols() - 1];
  return std::atan2(sine, cosine);
}

}  // namespace

JointLoadings join_supports(const std::vector<Component>& components) {
  JointLoadings joint{.support = union_of_supports(components), .loadings = {}};
  joint.loadings = Matrix::Zero(static_cast<Index>(joint.support.size()), size_of(components));
  for (Index j = 0; j < size_of(components); ++j) {
    const Component& component = components[static_cast<std::size_t>(j)];
    for (std::size_t i = 0; i < component.support.size(); ++i) {
      joint.loadings(position_in(joint.support, component.support[i]), j) =
          component.values[static_cast<Index>(i)];
    }
  }
  return joint;
}

Matrix loadings_gram(const std::vector<Component>& components) {
  const Matrix loadings = join_supports(components).loadings;
  return loadings.transpose() * loadings;
}

Matrix variance_matrix(const Covariance& covariance, const std::vector<Component>& components) {
  const Index r = size_of(components);
  const Index union_size = static_cast<Index>(union_of_supports(components).size());
  if (union_size <= kSmallUnion || union_size * union_size <= r * covariance.variables()) {
    const JointLoadings joint = join_supports(components);
    return joint.loadings.transpose() * covariance.submatrix(joint.support) * joint.loadings;
  }
  Matrix variances(r, r);
  Vector product(covariance.variables());
  for (Index j = 0; j < r; ++j) {
    covariance.multiply(components[static_cast<std::size_t>(j)], product);
    for (Index i = 0; i < r; ++i) {
      variances(i, j) = sparse_dot(components[static_cast<std::size_t>(i)], product);
    }
  }
  return 0.5 * (variances + variances.transpose());
}

double trace_on_span(const Matrix& gram, const Matrix& matrix) {
  // The span does not depend on the lengths of the columns, the test of rank would.
  const Vector scale = gram.diagonal().unaryExpr(
      [](double square) { return square > 0 ? 1 / std::sqrt(square) : 0; });
  const SymmetricEigenpairs eigen =
      symmetric_eigenpairs(scale.asDiagonal() * gram * scale.asDiagonal());
  const Matrix scaled = scale.asDiagonal() * matrix * scale.asDiagonal();
  double trace = 0;
  for (Index i = 0; i < gram.rows(); ++i) {
    const double eigenvalue = eigen.values[i];
    if (eigenvalue > kRankTolerance) {
      const auto direction = eigen.vectors.col(i);
      trace += direction.dot(scaled * direction) / eigenvalue;
    }
  }
  return trace;
}

double plain_variance(const MetricContext& context) {
  double sum = 0;
  for (const Component& component : context.components) {
    sum += context.covariance.quadratic_form(component);
  }
  return sum;
}

double adjusted_variance_sum(const MetricContext& context) {
  const Matrix variances = variance_matrix(context.covariance, context.components);
  // Right-looking Cholesky: what is left on the diagonal at step j is R_jj^2.
  Matrix rest = variances;
  double sum = 0;
  for (Index j = 0; j < rest.rows(); ++j) {
    const double pivot = rest(j, j);
    if (pivot > kRankTolerance * variances(j, j)) {
      sum += pivot;
      const Vector column = rest.col(j);
      rest -= column * column.transpose() / pivot;
    }
  }
  return sum;
}

double projected_variance_sum(const MetricContext& context) {
  return trace_on_span(loadings_gram(context.components),
                       variance_matrix(context.covariance, context.components));
}

double pca_variance(const MetricContext& context) {
  const Index count = std::min(size_of(context.components), context.covariance.variables());
  try {
    return context.spectrum.leading(count).head(count).sum();
  } catch (const NumericalError&) {
    return kNotMeasured;
  }
}

double largest_principal_angle(const std::vector<Component>& components,
                               const std::vector<Component>& truth) {
  std::vector<Component> all = components;
  all.insert(all.end(), truth.begin(), truth.end());
  const Matrix loadings = join_supports(all).loadings;
  const Matrix found =
      orthonormal_basis(loadings.leftCols(size_of(components)), std::sqrt(kRankTolerance));
  const Matrix wanted =
      orthonormal_basis(loadings.rightCols(size_of(truth)), std::sqrt(kRankTolerance));
  if (wanted.cols() == 0 || found.cols() < wanted.cols()) {
    return std::numbers::pi / 2;  // a direction of the truth is orthogonal to all that was found
  }
  return largest_angle(found, wanted);
}

Matrix support_f1_scores(const std::vector<Component>& components,
                         const std::vector<Component>& truth) {
  Matrix scores(size_of(components), size_of(truth));
  for (Index i = 0; i < scores.rows(); ++i) {
    for (Index j = 0; j < scores.cols(); ++j) {
      const Support& found = components[static_cast<std::size_t>(i)].support;
      const Support& wanted = truth[static_cast<std::size_t>(j)].support;
      const double sizes = static_cast<double>(found.size() + wanted.size());
      scores(i, j) = sizes > 0 ? 2 * static_cast<double>(common_count(found, wanted)) / sizes : 0;
    }
  }
  return scores;
}

double best_matching(const Matrix& scores) {
  SPCA_CHECK(scores.rows() <= scores.cols(), "a matching of all rows needs as many columns");
  Matching matching(scores);
  for (Index row = 0; row < scores.rows(); ++row) {
    matching.add(row);
  }
  return matching.score();
}

}  // namespace spca
