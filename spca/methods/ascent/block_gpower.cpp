/// The variable Z, n x r, is never formed: all steps are written for W = X'Z, p x r. This needs S
/// alone, and W is the matrix that is thresholded. X' times a matrix with orthonormal columns is
/// called a basis here.

#include "spca/methods/ascent/block_gpower.h"

#include <cmath>

#include "spca/dense/dense_decompositions.h"
#include "spca/dense/dense_products.h"
#include "spca/dense/sparsify.h"
#include "spca/spectrum/eigenpairs.h"

namespace spca {
namespace {

/// Directions of XT whose squared length is below this share of the largest are rounding. M has an
/// error of about 1e-16 of its largest entry, and a direction is normalised by its own length.
constexpr double kDirectionTolerance = 1e-12;

/// One state of the iteration: the thresholded columns, and the objective there.
struct Block {
  std::vector<Component> columns;  // T, weighted
  double objective = 0;
};

Vector squared_weights(const std::string& weights, Index r) {
  Vector squares = Vector::Ones(r);
  if (weights == "decreasing") {
    for (Index j = 0; j < r; ++j) {
      squares[j] = 1 / static_cast<double>((j + 1) * (j + 1));
    }
  }
  return squares;
}

void threshold_block(const Matrix& w, Threshold threshold, const Vector& levels,
                     const Vector& weights, Vector& scratch, Block& block) {
  block.objective = 0;
  for (Index j = 0; j < w.cols(); ++j) {
    Component& column = block.columns[static_cast<std::size_t>(j)];
    block.objective +=
        // The objective is sum_j mu_j^2 (...), and T = h(W) diag(mu^2); `weights` holds the mu_j^2.
        weights[j] * apply_threshold(w.col(j), 1, threshold, levels[j], scratch, column);
    column.values *= weights[j];
  }
}

bool is_empty(const Block& block) {
  for (const Component& column : block.columns) {
    if (!column.support.empty()) {
      return false;
    }
  }
  return true;
}

/// Writes ST into `products`, p x r, and returns T'ST.
Matrix multiply_block(const Covariance& covariance, const Block& block, Vector& product,
                      Matrix& products) {
  const Index r = products.cols();
  Matrix gram(r, r);
  for (Index j = 0; j < r; ++j) {
    covariance.multiply(block.columns[static_cast<std::size_t>(j)], product);
    products.col(j) = product;
    for (Index l = 0; l < r; ++l) {
      const Component& other = block.columns[static_cast<std::size_t>(l)];
      gram(l, j) = other.values.dot(product(other.support));
    }
  }
  // The two triangles come from different products and differ by rounding.
  return symmetric_part(gram);
}

}  // namespace

void BlockGpowerOptions::describe(OptionVisitor& visit) {
  visit(
      "penalty", penalty,
      "gamma_j relative to the value at which component j has no variable; 0 keeps all variables; "
      "one for all components or one for each",
      between(0, 1));
  visit("weights", weights, "mu_j: 1/j, which puts the components in order, or 1 for all",
        {"decreasing", "equal"});
  visit("tolerance", tolerance, "relative growth of the objective below which the iteration stops",
        at_least(0));
  visit("refit", refit,
        "replace the loadings by the leading eigenvector on their support; otherwise the "
        "thresholded X'x itself");
}

Vector penalties(const BlockGpowerOptions& options, Index components) {
  const std::vector<double> list = one_for_each(options.penalty, components, "/options/penalty");
  return Eigen::Map<const Vector>(list.data(), components);
}

void append_longest_columns(const Covariance& covariance, Index filled, Matrix& basis) {
  const double largest = covariance.diagonal().maxCoeff();
  // residual_i = ||a_i||^2 - ||Q'a_i||^2: the residual of column i after the basis so far. It is
  // the diagonal of the Schur complement in the Cholesky factorisation.
  Vector residual = covariance.diagonal() - squared_row_norms(basis.leftCols(filled));
  Vector product(basis.rows());
  for (Index t = filled; t < basis.cols(); ++t) {
    Component unit{.support = {0}, .values = Vector::Ones(1)};
    double squared_length = residual.maxCoeff(&unit.support[0]);
    if (t == 0 && squared_length > 0) {
      unit.support[0] = variable_of_longest_column(covariance);
      squared_length = residual[unit.support[0]];
    }
    if (!(squared_length > kDirectionTolerance * largest)) {
      basis.rightCols(basis.cols() - t).setZero();
      return;
    }
    const Index pivot = unit.support[0];
    covariance.multiply(unit, product);
    // X'(a_i - QQ'a_i) = S e_i - basis * (row i of basis)'.
    product.noalias() -= basis.leftCols(t) * basis.row(pivot).head(t).transpose();
    basis.col(t) = product / std::sqrt(squared_length);
    residual -= basis.col(t).cwiseAbs2();
  }
}

Matrix polar_step(const Covariance& covariance, const Matrix& products, const Matrix& gram) {
  const SymmetricEigenpairs eigen = symmetric_eigenpairs(gram);
  const Index r = gram.cols();
  // Descending, so that the directions of positive eigenvalue come first.
  const Vector values = eigen.values.reverse();
  const Matrix vectors = reversed_columns(eigen.vectors);
  Index rank = 0;
  while (rank < r && values[rank] > kDirectionTolerance * values[0]) {
    ++rank;
  }
  Matrix basis;
  // X' times the left singular vectors of XT: S T E L^{-1/2}, with M = E L E'.
  set_product(basis, products,
              scaled_columns(vectors.leftCols(rank), values.head(rank).cwiseSqrt().cwiseInverse()));
  if (rank < r) {
    basis.conservativeResize(Eigen::NoChange, r);
    append_longest_columns(covariance, rank, basis);
  }
  // With XT = P L^{1/2} E', the polar factor is P E'.
  return product_transposed(basis, vectors);
}

std::vector<Component> block_gpower(const Problem& problem, Threshold threshold,
                                    const Vector& levels, const BlockGpowerOptions& options,
                                    Budget& budget) {
  const Covariance& covariance = problem.covariance;
  const Index r = problem.components;
  const Vector weights = squared_weights(options.weights, r);
  Matrix w(covariance.variables(), r);
  // The start: W = X'Z for Z that spans the longest columns of X.
  append_longest_columns(covariance, 0, w);
  Matrix products(w.rows(), r);
  Vector product(w.rows());
  Vector scratch;
  Block block{.columns = std::vector<Component>(static_cast<std::size_t>(r))};
  threshold_block(w, threshold, levels, weights, scratch, block);
  while (!is_empty(block) && budget.next(block.objective)) {
    const Matrix gram = multiply_block(covariance, block, product, products);
    // A Hotelling deflation can make S indefinite. Then there may be no variance on the supports.
    if (!(gram.trace() > 0)) {
      break;
    }
    w = polar_step(covariance, products, gram);
    const double previous = block.objective;
    threshold_block(w, threshold, levels, weights, scratch, block);
    // The objective is convex in Z, so a step to the polar factor of its gradient cannot lower
    // it.
    if (block.objective - previous <= options.tolerance * block.objective) {
      break;
    }
  }
  std::vector<Component> components;
  for (Component& column : block.columns) {
    // Without refit, the loadings are the last T: entries of W, shrunk or cut by the threshold.
    components.push_back(options.refit ? refitted(covariance, column)
                                       : normalized(std::move(column)));
  }
  return components;
}

}  // namespace spca
