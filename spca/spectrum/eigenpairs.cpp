/// Leading eigenpairs, by a method that suits the shape of S. The dense solvers are exact and take
/// O(m^3). Iterations need only products with S, but converge slowly if eigenvalues are close
/// together. So a dense solver is used if it is affordable, on the Gram matrix if that is smaller
/// than S. All methods are deterministic, and all use the same sign convention.

#include "spca/spectrum/eigenpairs.h"

#include <Spectra/SymEigsSolver.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "spca/base/error.h"
#include "spca/covariance/principal_covariance.h"
#include "spca/dense/dense_decompositions.h"
#include "spca/dense/dense_products.h"
#include "spca/dense/dense_selections.h"
#include "spca/dense/leading_eigenpair.h"
#include "spca/dense/sparsify.h"
#include "spca/dense/tridiagonal_form.h"
#include "spca/spectrum/all_copies.h"
#include "spca/spectrum/block_davidson.h"
#include "spca/spectrum/eigen_memory.h"
#include "spca/spectrum/eigen_patience.h"

namespace spca {
namespace {

/// At most these sizes, p and n, are solved by a dense solver, O(p^3) or O(n^3): it then takes less
/// time than iterations that pass over the data, and is exact for repeated eigenvalues. The limits
/// are chosen, not measured (bench/notes/2026-11-21-small-eigenpair.md).
constexpr Index kLargestDenseSolve = 300;
constexpr Index kLargestGram = 600;
/// At least this number of variables make products with a block of vectors worth their overhead.
/// Chosen by trial, not measured.
constexpr Index kSmallestBlocked = 2000;
/// At most this number of variables in a support let S_II be formed. A penalty that is tuned to k
/// begins with supports of all p variables, and p x p numbers may not fit into memory.
constexpr Index kLargestSubmatrix = 2000;
constexpr int kMaxRestarts = 1000;
constexpr double kLanczosTolerance = 1e-13;  // relative to the eigenvalue

/// Makes the columns orthonormal in the order given, by Gram-Schmidt twice. A column that vanishes
/// is replaced by the first unit vector that does not vanish after orthogonalisation.
void orthonormalize(Matrix& vectors) {
  // At most this share left of a column means that it lies in the span of the earlier columns, and
  // that its direction would be rounding.
  constexpr double kLeftOfUnit = 1e-8;
  Index next_unit = 0;
  for (Index j = 0; j < vectors.cols(); ++j) {
    const auto earlier = vectors.leftCols(j);
    for (;;) {
      const double before = vectors.col(j).norm();
      for (int pass = 0; pass < 2; ++pass) {
        subtract_projection(vectors.col(j), earlier);
      }
      const double after = vectors.col(j).norm();
      if (after > kLeftOfUnit * before) {
        vectors.col(j) /= after;
        break;
      }
      SPCA_CHECK(next_unit < vectors.rows(), "no unit vector completes the basis");
      vectors.col(j) = Vector::Unit(vectors.rows(), next_unit++);
    }
  }
}

Eigenpairs leading_of_dense(const Matrix& matrix, Index count) {
  const SymmetricEigenpairs all =
      leading_symmetric_eigenpairs(matrix, [&](const Vector&) { return count; });
  Eigenpairs pairs{.values = all.values.tail(count).reverse(),
                   .vectors = reversed_columns(all.vectors),
                   .upper = all.values.tail(count).reverse()};
  pairs.rest = matrix.rows() > count ? all.values[matrix.rows() - count - 1]
                                     : -std::numeric_limits<double>::infinity();
  return pairs;
}

Eigenpairs leading_of_small(const Matrix& matrix, Index count, Copies copies) {
  if (count > 1 || matrix.rows() < kSmallestLanczos) {
    return leading_of_dense(matrix, count);
  }
  const LeadingEigenpair pair = leading_eigenpair(matrix);
  Eigenpairs pairs{.values = Vector::Constant(1, pair.value), .vectors = pair.vector};
  if (copies == Copies::kAny) {
    return pairs;
  }
  const auto rest = rest_by_factorisation(matrix, pairs);
  if (!rest) {
    return leading_of_dense(matrix, 1);
  }
  set_bounds(pairs, *rest, kLanczosResidual * std::abs(pair.value));
  return pairs;
}

/// Returns the leading eigenpairs of S = B'B from those of the Gram matrix G = BB'. If u is a unit
/// eigenvector of G for lambda, B'u is an eigenvector of S = B'B, of length sqrt(lambda).
/// Eigenvalues that are zero to rounding get vectors that complete the basis.
Eigenpairs through_gram(const Covariance& covariance, const Matrix& gram, Index count,
                        Copies copies) {
  const Index n = gram.rows();
  const Eigenpairs left = leading_of_small(gram, std::min(count, n), copies);
  // The rounding of G's eigenvalues. Below it B'u is rounding, which normalising would amplify.
  const double negligible =
      static_cast<double>(n) * std::numeric_limits<double>::epsilon() * left.values[0];
  Eigenpairs result{.values = Vector::Zero(count),
                    .vectors = Matrix::Zero(covariance.variables(), count)};
  for (Index j = 0; j < left.values.size() && left.values[j] > negligible; ++j) {
    result.values[j] = left.values[j];
    result.vectors.col(j) = covariance.transpose_product(left.vectors.col(j)).normalized();
  }
  orthonormalize(result.vectors);
  if (copies == Copies::kAll) {
    // The other p - n eigenvalues of S are zero.
    result.upper = Vector::Zero(count);
    result.upper.head(left.upper.size()) = left.upper.cwiseMax(0.0);
    result.rest = std::max(left.rest, 0.0);
  }
  return result;
}

/// Adapts a Covariance to the interface that Spectra requires.
class ProductOperator {
 public:
  using Scalar = double;
  explicit ProductOperator(const Covariance& covariance)
      : covariance_(covariance), in_(covariance.variables()) {}
  Index rows() const { return covariance_.variables(); }
  Index cols() const { return covariance_.variables(); }
  void perform_op(const double* in, double* out) const {
    EigenPatience::ask();
    in_ = Eigen::Map<const Vector>(in, rows());
    covariance_.multiply(in_, out_);
    Eigen::Map<Vector>(out, rows()) = out_;
  }

 private:
  const Covariance& covariance_;
  mutable Vector in_;
  mutable Vector out_;
};

/// Returns the pairs of Spectra, or nothing if it does not converge. If its space becomes
/// invariant, Spectra may return vectors that are not eigenvectors.
std::optional<Eigenpairs> by_spectra(const Covariance& covariance, Index count) {
  const Index p = covariance.variables();
  ProductOperator product(covariance);
  // A larger basis converges in more cases (eigenvalues close together), at the cost of memory. It
  // is doubled only if the smaller one fails.
  for (Index basis = std::max<Index>(2 * count + 1, 20); basis <= 16 * (2 * count + 20);
       basis *= 2) {
    Spectra::SymEigsSolver<ProductOperator> solver(product, count, std::min(basis, p));
    solver.init();
    solver.compute(Spectra::SortRule::LargestAlge, kMaxRestarts, kLanczosTolerance);
    if (solver.info() == Spectra::CompInfo::Successful) {
      return Eigenpairs{.values = solver.eigenvalues(), .vectors = solver.eigenvectors()};
    }
    if (basis >= p) {
      break;
    }
  }
  return std::nullopt;
}

Eigenpairs by_blocks(const Covariance& covariance, Index count, Exact exact, Copies copies) {
  EigenMemory* const memory = EigenMemory::of_this_thread();
  if (exact != Exact::kValues && memory != nullptr) {
    return memory->leading_eigenpairs(covariance, count, exact, copies);
  }
  KnownSpace space;
  return eigenpairs_by_blocks(covariance, count, space, exact, copies);
}

Eigenpairs by_products(const Covariance& covariance, Index count, Copies copies) {
  std::optional<Eigenpairs> pairs;
  try {
    pairs = by_spectra(covariance, count);
  } catch (const NumericalError&) {
    throw;  // thrown by a product
  } catch (const std::exception&) {
    // Thrown by Spectra if its small eigenproblem does not converge.
  }
  KnownSpace space;
  return pairs && pairs->values.allFinite() && pairs->vectors.allFinite()
             ? completed(covariance, *std::move(pairs), copies)
             : eigenpairs_by_blocks(covariance, count, space, Exact::kPairs, copies);
}

/// Returns the pairs with vectors of arbitrary sign.
Eigenpairs by_shape(const Covariance& covariance, Index count, Exact exact, Copies copies) {
  const Index p = covariance.variables();
  const Index n = covariance.samples();
  SPCA_CHECK(count >= 1 && count <= p, "the number of eigenpairs is outside 1..p");
  // A large n with `count` >= n is handled here, too: S has at most n nonzero eigenvalues, and
  // iterations do not converge to the zero eigenvalues.
  if (covariance.has_data_form() && n < p && (n <= kLargestGram || count >= n)) {
    if (const std::optional<Matrix> gram = covariance.gram()) {
      return through_gram(covariance, *gram, count, copies);
    }
  }
  if (p <= kLargestDenseSolve || 2 * count >= p) {
    return leading_of_small(covariance.submatrix(all_variables(p)), count, copies);
  }
  if (p >= kSmallestBlocked && block_davidson_columns(count) <= p / 2) {
    return by_blocks(covariance, count, exact, copies);
  }
  return by_products(covariance, count, copies);
}

}  // namespace

Eigenpairs leading_eigenpairs(const Covariance& covariance, Index count, Exact exact,
                              Copies copies) {
  Eigenpairs pairs = by_shape(covariance, count, exact, copies);
  for (Index j = 0; j < count; ++j) {
    fix_sign(pairs.vectors.col(j));
  }
  return pairs;
}

Vector leading_eigenvalues(const Covariance& covariance, Index count) {
  return by_shape(covariance, count, Exact::kValues, Copies::kAll).upper;
}

double largest_eigenvalue_bound(const Matrix& matrix) {
  return leading_of_small(matrix, 1, Copies::kAll).upper[0];
}

namespace {

LeadingEigenpair leading_on_support(const Covariance& covariance, const Support& support) {
  if (std::ssize(support) <= kLargestSubmatrix) {
    return leading_eigenpair(covariance.submatrix(support));
  }
  // No time limit: this is often the last step of a solve whose time is over, and yields its
  // answer.
  const EigenPatience endless({});
  const Eigenpairs leading = leading_eigenpairs(PrincipalCovariance(covariance, support), 1);
  return {.value = leading.values[0], .vector = leading.vectors.col(0)};
}

}  // namespace

SupportOptimum best_on_support(const Covariance& covariance, const Support& support) {
  const LeadingEigenpair pair = leading_on_support(covariance, support);
  SupportOptimum best{.value = pair.value, .component = {}};
  best.component.values.resize(pair.vector.size());
  for (Index i = 0; i < pair.vector.size(); ++i) {
    if (pair.vector[i] != 0) {
      best.component.values[best.component.cardinality()] = pair.vector[i];
      best.component.support.push_back(support[static_cast<std::size_t>(i)]);
    }
  }
  best.component.values.conservativeResize(best.component.cardinality());
  return best;
}

}  // namespace spca
