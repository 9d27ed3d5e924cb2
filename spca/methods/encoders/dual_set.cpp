#include "spca/methods/encoders/dual_set.h"

#include <cmath>

#include "spca/base/error.h"
#include "spca/dense/dense_decompositions.h"
#include "spca/dense/dense_products.h"

namespace spca {
namespace {

/// Returns L_i of all columns. With A = E diag(lambda) E', L_i = sum_j (E'v_i)_j^2 m_j, and m
/// depends on lambda alone: one eigenproblem of r x r instead of p inverses.
Vector lower_values(const Matrix& rows, const Matrix& accumulated, double barrier) {
  const SymmetricEigenpairs eigen = symmetric_eigenpairs(accumulated);
  // The diagonals of (A - lI)^{-1} and (A - (l+1)I)^{-1} in the eigenbasis of A. phi(l) is the
  // trace of the first, and squares of the second give (A - (l+1)I)^{-2}.
  const Vector now = (eigen.values.array() - barrier).inverse();
  const Vector next = (eigen.values.array() - (barrier + 1)).inverse();
  const Vector middle = next.array().square() / (next - now).sum() - next.array();
  const Matrix rotated = matrix_product(rows, eigen.vectors);
  return rotated.cwiseAbs2() * middle;
}

/// Returns true if a has the larger L / U. Compares products, because U may be zero; among equals
/// the larger L wins.
bool is_better(const Vector& lower, const Vector& upper, Index a, Index b) {
  const double left = lower[a] * upper[b];
  const double right = lower[b] * upper[a];
  return left != right ? left > right : lower[a] > lower[b];
}

/// Returns the best admissible column without weight or, if there is none, the best with weight.
Index choose(const Vector& lower, const Vector& upper, const Vector& weights) {
  Index fresh = -1;
  Index any = -1;
  // The lemma guarantees an admissible column. If rounding leaves none, the nearest is taken.
  Index nearest = 0;
  for (Index i = 0; i < lower.size(); ++i) {
    if (lower[i] - upper[i] > lower[nearest] - upper[nearest]) {
      nearest = i;
    }
    if (!(lower[i] > 0 && lower[i] >= upper[i])) {
      continue;
    }
    Index& best = weights[i] == 0 ? fresh : any;
    if (best < 0 || is_better(lower, upper, i, best)) {
      best = i;
    }
  }
  return fresh >= 0 ? fresh : any >= 0 ? any : nearest;
}

}  // namespace

WeightedColumns dual_set_sparsification(const Matrix& rows, const Vector& squared_norms, Index k,
                                        Budget& budget) {
  const Index r = rows.cols();
  SPCA_CHECK(r >= 1 && r < k, "dual-set sparsification needs more columns than components");
  // U_i depends on neither A nor t, so it is computed once. If all a_i are zero, every column
  // costs nothing.
  const double share = 1 - std::sqrt(static_cast<double>(r) / static_cast<double>(k));
  const double shift = std::sqrt(static_cast<double>(r) * static_cast<double>(k));
  const double total = squared_norms.sum();
  const Vector upper =
      total > 0 ? Vector(squared_norms * (share / total)) : Vector::Zero(rows.rows());

  WeightedColumns chosen{.columns = {}, .weights = Vector::Zero(rows.rows())};
  Matrix accumulated = Matrix::Zero(r, r);
  for (Index t = 0; t < k && budget.next(); ++t) {
    const Vector lower = lower_values(rows, accumulated, static_cast<double>(t) - shift);
    const Index pick = choose(lower, upper, chosen.weights);
    // 1/w is halfway between U and L: the lemma requires U <= 1/w <= L.
    const double weight = 2 / (upper[pick] + lower[pick]);
    if (!(weight > 0 && std::isfinite(weight))) {
      break;  // the remaining rows are zero
    }
    if (chosen.weights[pick] == 0) {
      chosen.columns.push_back(pick);
    }
    chosen.weights[pick] += weight;
    accumulated += weight * rows.row(pick).transpose() * rows.row(pick);
  }
  chosen.weights *= share / static_cast<double>(k);
  return chosen;
}

}  // namespace spca
