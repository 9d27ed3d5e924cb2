/// S_d = V V' on a support is V_I V_I', k x k. Values on supports are computed from the d x d
/// matrix V_I'V_I, which has the same nonzero eigenvalues.

#include "spca/spectrum/low_rank.h"

#include <algorithm>
#include <cmath>

#include "spca/dense/dense_decompositions.h"
#include "spca/dense/leading_eigenpair.h"
#include "spca/dense/sparsify.h"
#include "spca/spectrum/remaining_variance.h"

namespace spca {
namespace {

// Eigenvalues below this share of the largest are due to rounding.
constexpr double kNoRank = 1e-12;

/// V_I'V_I, d x d. S_d on I is V_I V_I', k x k, with the same nonzero eigenvalues; d is small. The
/// loops avoid a copy of the rows and the overhead of a product of such small matrices.
Matrix scatter(const Matrix& factor, const Support& support) {
  const Index d = factor.cols();
  Matrix sum = Matrix::Zero(d, d);
  for (const Index i : support) {
    for (Index b = 0; b < d; ++b) {
      for (Index a = b; a < d; ++a) {
        sum(a, b) += factor(i, a) * factor(i, b);
      }
    }
  }
  for (Index b = 0; b < d; ++b) {
    for (Index a = 0; a < b; ++a) {
      sum(a, b) = sum(b, a);
    }
  }
  return sum;
}

}  // namespace

LowRank low_rank_approximation(const Covariance& covariance, Index rank, Copies copies) {
  const Index p = covariance.variables();
  // One pair more than the rank: its eigenvalue gives the residual.
  const Index count = std::min(rank + 1, p);
  const Eigenpairs pairs = leading_eigenpairs(covariance, count, Exact::kNearly, copies);
  Index d = 0;
  // S may have a lower rank than was asked for. Directions due to rounding would only add
  // candidates.
  while (d < std::min(rank, p) && pairs.values[d] > kNoRank * pairs.values[0]) {
    ++d;
  }
  LowRank result;
  result.eigenvalues = pairs.values.head(d);
  result.error = pairs.residual;
  // On the complement of the first d vectors, S has the other computed values and, with
  // Copies::kAll, no further value above pairs.rest.
  const double next = d < count ? std::max(pairs.values[d], 0.0) : 0.0;
  const double rest = copies == Copies::kAll ? std::max(next, pairs.rest) : next;
  result.residual = rest + result.error;
  result.factor = pairs.vectors.leftCols(d) * result.eigenvalues.cwiseSqrt().asDiagonal();
  zero_other_rows(varying_variables(covariance), result.factor);
  return result;
}

void zero_other_rows(const Support& variables, Matrix& factor) {
  const Matrix kept = factor(variables, Eigen::all);
  factor.setZero();
  factor(variables, Eigen::all) = kept;
}

Vector reduction(const LowRank& low_rank) {
  Vector factors = Vector::Ones(low_rank.rank());
  for (Index i = 0; i < low_rank.eigenvalues.size(); ++i) {
    const double left = 1 - (low_rank.residual - low_rank.error) / low_rank.eigenvalues[i];
    // sqrt(1 - lambda_{d+1} / lambda_i). A larger factor only loosens the bound.
    factors[i] = std::max(std::sqrt(std::max(left, 0.0)), kSmallestReduction);
  }
  return factors;
}

Matrix reduced_factor(const LowRank& low_rank) {
  return low_rank.factor * reduction(low_rank).asDiagonal();
}

std::vector<int> nonzero_rows(const Matrix& factor) {
  std::vector<int> rows;
  for (Index i = 0; i < factor.rows(); ++i) {
    if ((factor.row(i).array() != 0).any()) {
      rows.push_back(static_cast<int>(i));
    }
  }
  return rows;
}

double low_rank_value(const Matrix& factor, const Support& support) {
  const Index d = factor.cols();
  if (d == 0) {
    return 0;
  }
  const Matrix sum = scatter(factor, support);
  // Closed forms for d <= 2: this is called for every candidate support of a spannogram.
  if (d == 1) {
    return sum(0, 0);
  }
  return d == 2 ? larger_eigenvalue(sum(0, 0), sum(1, 0), sum(1, 1)) : leading_eigenpair(sum).value;
}

SpanDirection best_direction(const Matrix& factor, const Support& support) {
  LeadingEigenpair pair = leading_eigenpair(scatter(factor, support));
  return {.value = pair.value, .c = std::move(pair.vector)};
}

Support ascend_in_span(const Matrix& factor, Index k, Vector c) {
  Support support = top_k(factor * c, k);
  // One half step takes the best I for c, the other the best c for I. The value cannot decrease,
  // but rounding could make it oscillate, so the loop requires an increase.
  double value = -1;
  for (SpanDirection direction = best_direction(factor, support); direction.value > value;
       direction = best_direction(factor, support)) {
    value = direction.value;
    const Support next = top_k(factor * direction.c, k);
    if (next == support) {
      break;
    }
    support = next;
  }
  return support;
}

}  // namespace spca
