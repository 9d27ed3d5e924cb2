/// Loadings are sparse, so V'SV needs only S on the union of their supports. If that union is
/// large, r products with S are cheaper.

#include "spca/spectrum/joint_loadings.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "spca/dense/dense_decompositions.h"
#include "spca/dense/dense_products.h"
#include "spca/dense/sparsify.h"
#include "spca/spectrum/heavy_variables.h"

namespace spca {
namespace {

/// S_UU (32 KB) is formed for a union of at most this size, even if r products would write less.
constexpr Index kSmallUnion = 64;

Index size_of(const std::vector<Component>& components) {
  return static_cast<Index>(components.size());
}

Support union_of_supports(const std::vector<Component>& components) {
  Support all;
  Support before;
  for (const Component& component : components) {
    before.swap(all);
    all.clear();
    std::set_union(before.begin(), before.end(), component.support.begin(), component.support.end(),
                   std::back_inserter(all));
  }
  return all;
}

/// Returns true if at least half of the loadings are not zero.
bool are_dense(const std::vector<Component>& components, Index p) {
  Index nonzeros = 0;
  for (const Component& component : components) {
    nonzeros += component.cardinality();
  }
  return 2 * nonzeros >= size_of(components) * p;
}

}  // namespace

JointLoadings join_supports(const std::vector<Component>& components) {
  JointLoadings joint{.support = union_of_supports(components), .loadings = {}};
  joint.loadings = Matrix::Zero(static_cast<Index>(joint.support.size()), size_of(components));
  for (Index j = 0; j < size_of(components); ++j) {
    const Component& component = components[static_cast<std::size_t>(j)];
    Index position = 0;  // both supports are ascending
    for (std::size_t i = 0; i < component.support.size(); ++i, ++position) {
      while (joint.support[static_cast<std::size_t>(position)] != component.support[i]) {
        ++position;
      }
      joint.loadings(position, j) = component.values[static_cast<Index>(i)];
    }
  }
  return joint;
}

Matrix loadings_gram(const std::vector<Component>& components) {
  const Matrix loadings = join_supports(components).loadings;
  return transposed_product(loadings, loadings);
}

Matrix variance_matrix(const Covariance& covariance, const std::vector<Component>& components) {
  const Index r = size_of(components);
  const Index union_size = static_cast<Index>(union_of_supports(components).size());
  // Compares the |U|^2 entries of S_UU with the r p entries that r products write.
  if (union_size <= kSmallUnion || union_size * union_size <= r * covariance.variables()) {
    const JointLoadings joint = join_supports(components);
    return matrix_product(transposed_product(joint.loadings, covariance.submatrix(joint.support)),
                          joint.loadings);
  }
  if (is_large(covariance) && are_dense(components, covariance.variables())) {
    Matrix loadings(covariance.variables(), r);
    for (Index j = 0; j < r; ++j) {
      loadings.col(j) = to_dense(components[static_cast<std::size_t>(j)], covariance.variables());
    }
    Matrix products;
    covariance.multiply_block(loadings, products);
    return symmetric_part(transposed_product(loadings, products));
  }
  Matrix variances(r, r);
  Vector product(covariance.variables());
  for (Index j = 0; j < r; ++j) {
    covariance.multiply(components[static_cast<std::size_t>(j)], product);
    for (Index i = 0; i < r; ++i) {
      variances(i, j) = sparse_dot(components[static_cast<std::size_t>(i)], product);
    }
  }
  // v_i'(S v_j) and v_j'(S v_i) differ by rounding; the eigensolvers expect an exactly symmetric
  // matrix.
  return symmetric_part(variances);
}

namespace {

/// If the smallest eigenvalue of the correlations of the columns exceeds this, the rounding of V'SV
/// is amplified to at most 1e-12.
constexpr double kWellConditioned = 1e-4;

Vector inverse_lengths(const Matrix& gram) {
  return gram.diagonal().unaryExpr(
      [](double square) { return square > 0 ? 1 / std::sqrt(square) : 0; });
}

}  // namespace

double trace_on_span(const Matrix& gram, const Matrix& matrix) {
  // Scales the columns to unit length, G -> DGD and M -> DMD. The span does not depend on their
  // lengths, but the test of rank would.
  const Vector scale = inverse_lengths(gram);
  const SymmetricEigenpairs eigen = symmetric_eigenpairs(scaled_both_sides(gram, scale));
  const Matrix scaled = scaled_both_sides(matrix, scale);
  double trace = 0;
  for (Index i = 0; i < gram.rows(); ++i) {
    const double eigenvalue = eigen.values[i];
    if (eigenvalue > kRankTolerance) {
      const auto direction = eigen.vectors.col(i);
      // With G = Q diag(lambda) Q': tr(G^+ M) = sum over lambda_i > 0 of q_i'M q_i / lambda_i.
      trace += direction.dot(scaled * direction) / eigenvalue;
    }
  }
  return trace;
}

double variance_of_span(const Covariance& covariance, const std::vector<Component>& components,
                        const Matrix& gram, const Matrix& variances) {
  const Vector correlations = symmetric_eigenvalues(scaled_both_sides(gram, inverse_lengths(gram)));
  if (correlations.size() == 0 || correlations[0] > kWellConditioned) {
    return trace_on_span(gram, variances);
  }
  JointLoadings joint = join_supports(components);
  for (auto column : joint.loadings.colwise()) {
    column.normalize();
  }
  const Matrix basis = orthonormal_basis(joint.loadings, std::sqrt(kRankTolerance));
  std::vector<Component> span;
  for (const auto& column : basis.colwise()) {
    span.push_back({.support = joint.support, .values = column});
  }
  return span.empty() ? 0 : variance_matrix(covariance, span).trace();
}

}  // namespace spca
