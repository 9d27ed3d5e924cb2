#include "spca/methods/relaxations/relaxation_terms.h"

#include <algorithm>
#include <cmath>

#include "spca/base/error.h"
#include "spca/base/random.h"
#include "spca/covariance/covariance.h"
#include "spca/covariance/covariance_dense.h"
#include "spca/dense/dense_decompositions.h"
#include "spca/dense/dense_products.h"
#include "spca/dense/tridiagonal_form.h"
#include "spca/spectrum/complement_bound.h"
#include "spca/spectrum/eigenpairs.h"

// Notation. u_j is column j of `basis_` and c_j entry j of `spread_`, so X has the eigenvalue
// c_j on u_j. The complement of the basis has the single eigenvalue `least`, so only one more
// part of each a_i is needed: its squared distance from the span. With p_ij the parts, equation (2)
// of the header is the scalar equation
//
//   sum_j c_j p_ij / (price_i c_j + t_i) = 1
//
// All candidates are solved at once, column by column of `parts_`: the loops below are over j, and
// each of their lines is an operation on whole arrays that the compiler vectorises.

namespace spca {
namespace {

using Eigen::ArrayXd;

// Relative to the largest eigenvalue of YY': directions with a smaller eigenvalue are rounding.
constexpr double kNegligibleShare = 1e-14;
// At most this number of steps for the equations; four or five suffice, fewer near the last price.
constexpr int kTermSteps = 60;
// The steps end at this relative change of a term. They converge quadratically, so the
// remaining error is far smaller.
constexpr double kTermSolved = 1e-12;
// Below this share of (a'z)^2 the root in (3) has lost its digits.
constexpr double kSafeRoot = 1e-12;
// At the optimum the largest eigenvalue of HH' has the multiplicity of the number of columns of Y,
// which slows Lanczos down: up to this size a dense eigensolver is faster. Chosen by trial, not
// measured.
constexpr Index kLargestDenseGram = 600;

std::shared_ptr<const Covariance> as_covariance(const Matrix& dual_columns) {
  return make_covariance(Matrix(dual_columns.transpose()),
                         {.centered = false, .scale = Scale::kNone});
}

}  // namespace

Vector DenseColumns::squared_lengths() const { return columns_.colwise().squaredNorm(); }

Matrix DenseColumns::transposed_times(const Matrix& u) const {
  return transposed_product(columns_, u);
}

Matrix DenseColumns::times(const Matrix& w) const { return matrix_product(columns_, w); }

RelaxationTerms::RelaxationTerms(std::shared_ptr<const RelaxationColumns> columns, Index chosen)
    : RelaxationTerms(columns, chosen, ArrayXd::Zero(columns->count() - chosen)) {}

RelaxationTerms::RelaxationTerms(std::shared_ptr<const RelaxationColumns> columns, Index chosen,
                                 ArrayXd extra)
    : columns_(std::move(columns)), chosen_(chosen), extra_(std::move(extra)) {
  const Vector lengths = columns_->squared_lengths();
  chosen_lengths_ = lengths.head(chosen);
  lengths_ = lengths.tail(lengths.size() - chosen);
  terms_ = ArrayXd::Zero(lengths_.size());
}

const DenseColumns& RelaxationTerms::dense() const {
  const auto* dense = dynamic_cast<const DenseColumns*>(columns_.get());
  SPCA_CHECK(dense != nullptr, "the columns of the relaxation are not formed");
  return *dense;
}

void RelaxationTerms::move_to(const Matrix& y, double floor) {
  // Y'Y is q x q and has the eigenvalues of YY' that are not zero.
  const SymmetricEigenpairs frame = symmetric_eigenpairs(transposed_product(y, y));
  const Index columns = y.cols();
  const double largest = frame.values[columns - 1];
  Index q = 1;
  while (q < columns && frame.values[columns - 1 - q] > kNegligibleShare * largest) {
    ++q;
  }
  const Vector weights = frame.values.tail(q);
  basis_ = matrix_product(
      y, scaled_columns(frame.vectors.rightCols(q), weights.cwiseSqrt().cwiseInverse()));
  least_ = floor * weights.sum();
  // Without a floor X vanishes outside the basis, and (2) has no part from there.
  spread_.resize(least_ > 0 ? q + 1 : q);
  spread_.head(q) = weights.array() + least_;
  inside_ = columns_->transposed_times(basis_);
  const Index count = lengths_.size();
  parts_.resize(count, spread_.size());
  parts_.leftCols(q) = inside_.bottomRows(count).array().square();
  if (least_ > 0) {
    spread_[q] = least_;
    parts_.col(q) = (lengths_.array() - parts_.leftCols(q).rowwise().sum()).max(0.0);
  }
}

/// The reciprocal of the sum in (2) is concave and increasing in t. So Newton's method on it rises
/// to the root from the left, and falls to the left of it from the right: any start converges.
void RelaxationTerms::solve(double price, Start start) {
  price_ = price;
  prices_ = extra_ + price;
  // At t = 0 the sum is (the squared length of a_i on the range of X) / price_i: a root t > 0
  // exists if and only if this exceeds one.
  const auto is_positive = (least_ > 0 ? (lengths_.array() > prices_).eval()
                                       : (parts_.rowwise().sum() > prices_).eval());
  if (start == Start::kZero) {
    terms_.setZero();
  }
  if (price_ == 0) {
    // Without a price (2) is linear, and has no start at t = 0.
    terms_ = (prices_ == 0).select(quadratic_forms(), terms_);
  }
  const ArrayXd scale = prices_ * spread_[spread_.size() - 1];
  ArrayXd sum(terms_.size());
  for (int step = 0; step < kTermSteps; ++step) {
    sum.setZero();
    slopes_ = ArrayXd::Zero(terms_.size());
    for (Index j = 0; j < spread_.size(); ++j) {
      const auto inverse = (terms_ + prices_ * spread_[j]).inverse();
      const ArrayXd share = spread_[j] * parts_.col(j) * inverse;
      sum += share;
      slopes_ += share * inverse;
    }
    const ArrayXd next = is_positive.select((terms_ + sum * (sum - 1) / slopes_).max(0.0),
                                            ArrayXd::Zero(sum.size()));
    const bool is_solved = ((next - terms_).abs() <= kTermSolved * (next + scale)).all();
    terms_ = next;
    if (is_solved) {
      break;
    }
  }
  // By the implicit function theorem on (2):
  // -d t / d price = sum_j c_j^2 p_j / (price_i c_j + t)^2 / sum_j c_j p_j / (price_i c_j + t)^2.
  ArrayXd weighted = ArrayXd::Zero(terms_.size());
  slopes_.setZero();
  for (Index j = 0; j < spread_.size(); ++j) {
    const ArrayXd share =
        spread_[j] * parts_.col(j) * (terms_ + prices_ * spread_[j]).inverse().square();
    slopes_ += share;
    weighted += spread_[j] * share;
  }
  shares_ = is_positive.select(weighted / slopes_, ArrayXd::Zero(terms_.size()));
}

/// d share / d price = -2 sum_j c_j p_ij (c_j - share)^2 / (price_i c_j + t)^3 / slope.
double RelaxationTerms::share_decrease() const {
  ArrayXd change = ArrayXd::Zero(terms_.size());
  for (Index j = 0; j < spread_.size(); ++j) {
    change += spread_[j] * parts_.col(j) * (spread_[j] - shares_).square() *
              (terms_ + prices_ * spread_[j]).inverse().cube();
  }
  return 2 * (shares_ > 0).select(change / slopes_, ArrayXd::Zero(change.size())).sum();
}

Eigen::ArrayXd RelaxationTerms::quadratic_forms() const {
  return times_vector(parts_.matrix(), spread_.matrix()).array();
}

void RelaxationTerms::follow(double next_price) {
  terms_ = (terms_ - shares_ * (next_price - price_)).max(0.0);
}

double RelaxationTerms::value(double start) const {
  const Index q = basis_.cols();
  return start + terms_.sum() +
         times_vector(inside_.topRows(chosen_).cwiseAbs2(), (spread_.head(q) - least_).matrix())
             .sum() +
         least_ * chosen_lengths_.sum();
}

/// H itself is never formed: that would be n x p a step. With (2), h_i of (3) is
/// sigma_i (price_i X + t_i I)^-1 a_i with sigma_i^2 = t_i / slope_i. So h_i is a multiple of a_i
/// plus a combination of the u_j, and HH'Y needs only the products of both with the basis.
Matrix RelaxationTerms::gradient(const Matrix& y, double share, const ArrayXd& weights) const {
  const Index q = basis_.cols();
  const Index count = lengths_.size();
  const auto chosen = inside_.topRows(chosen_);
  const ArrayXd sigma = (terms_ > 0).select((terms_ / slopes_).sqrt(), ArrayXd::Zero(count));
  const auto off = (terms_ > 0).select((terms_ + prices_ * least_).inverse(), ArrayXd::Zero(count));
  const ArrayXd along = sigma * off;  // the coefficient of a_i in h_i
  Matrix onto(columns_->count(), q);  // h_i'u_j
  for (Index j = 0; j < q; ++j) {
    const ArrayXd weight = sigma * (terms_ + prices_ * spread_[j]).inverse();
    onto.col(j).head(chosen_) = chosen.col(j);
    // A term that is zero contributes nothing to h_i, whatever the inverse is.
    onto.col(j).tail(count) =
        (terms_ > 0)
            .select(weight * inside_.col(j).tail(count).array(), ArrayXd::Zero(count))
            .matrix();
  }
  Matrix shares(q, q);  // the coefficients of u_j in h_i
  for (Index j = 0; j < q; ++j) {
    const auto own = inside_.col(j).tail(count).array();
    const ArrayXd weight = onto.col(j).tail(count).array() - along * own;
    shares.row(j) = transposed_times_vector(onto.bottomRows(count), weight.matrix()).transpose();
  }
  Matrix scaled = onto;
  scaled.bottomRows(count).array().colwise() *= along;
  if (weights.size() > 0) {
    scaled *= share;
    scaled.bottomRows(count).array() += inside_.bottomRows(count).array().colwise() * weights;
    shares *= share;
  }
  Matrix turned = columns_->times(scaled);
  add_product(turned, basis_, shares);  // HH'U
  return 2 * matrix_product(turned, transposed_product(basis_, y));
}

Matrix RelaxationTerms::dual_columns() const {
  const DualForm form = dual_form();
  Matrix columns = dense().matrix();
  const Index count = lengths_.size();
  columns.rightCols(count).array().rowwise() *= form.of_column.tail(count).transpose();
  columns.rightCols(count) += matrix_product(basis_, form.of_basis.rightCols(count));
  return columns;
}

RelaxationTerms::DualForm RelaxationTerms::dual_form() const {
  const Index q = basis_.cols();
  const Index count = lengths_.size();
  DualForm form{.of_column = ArrayXd::Ones(chosen_ + count),
                .of_basis = Matrix::Zero(q, chosen_ + count),
                .basis = basis_,
                .inside = inside_};
  if ((prices_ == 0).all()) {
    return form;  // (3) gives a_i for any z_i
  }
  // z_i = rest_i a_i + sum_j (a_i'u_j) (own_ij - rest_i) u_j.
  ArrayXd rest = ArrayXd::Zero(count);
  ArrayXd along = rest;    // a_i'z_i
  ArrayXd squared = rest;  // ||z_i||^2
  if (least_ > 0) {
    rest = least_ * (terms_ + prices_ * least_).inverse();
    along = rest * parts_.col(q);
    squared = rest.square() * parts_.col(q);
  }
  Matrix on_basis(q, count);
  for (Index j = 0; j < q; ++j) {
    const ArrayXd own = spread_[j] * (terms_ + prices_ * spread_[j]).inverse();
    along += own * parts_.col(j);
    squared += own.square() * parts_.col(j);
    on_basis.row(j) = ((own - rest) * inside_.col(j).tail(count).array()).matrix().transpose();
  }
  // z'(aa' - price_i I) z is computed from the actual z, not from (2): then (3) holds up to
  // rounding even if t_i is not exact.
  const ArrayXd root = along.square() - prices_ * squared;
  ArrayXd of_column(count);
  ArrayXd of_basis(count);
  for (Index i = 0; i < count; ++i) {
    const double excess = lengths_[i] - prices_[i];
    if (prices_[i] == 0) {  // h_i = a_i for any z_i, which may not be a number
      of_column[i] = 1;
      of_basis[i] = 0;
      on_basis.col(i).setZero();
    } else if (!(excess > 0)) {
      of_column[i] = of_basis[i] = 0;  // aa' - price_i I <= 0
    } else if (root[i] > kSafeRoot * along[i] * along[i]) {
      const double scale = 1 / std::sqrt(root[i]);
      of_column[i] = scale * (along[i] - prices_[i] * rest[i]);
      of_basis[i] = -scale * prices_[i];
    } else {  // z_i = a_i, for which (3) is a_i sqrt(||a_i||^2 - price_i) / ||a_i||
      of_column[i] = std::sqrt(excess / lengths_[i]);
      of_basis[i] = 0;
    }
  }
  form.of_column.tail(count) = of_column;
  form.of_basis.rightCols(count) = on_basis * of_basis.matrix().asDiagonal();
  return form;
}

Matrix orthogonal_columns(const Matrix& y) {
  constexpr double kNegligibleEigenvalue = 1e-12;  // relative to the largest eigenvalue of YY'
  const SymmetricEigenpairs frame = symmetric_eigenpairs(transposed_product(y, y));
  const Index q = y.cols();
  Index kept = 1;
  while (kept < q && frame.values[q - 1 - kept] > kNegligibleEigenvalue * frame.values[q - 1]) {
    ++kept;
  }
  return matrix_product(y, reversed_columns(frame.vectors.rightCols(kept)));
}

double largest_curvature(const Matrix& dual_columns) {
  const Index n = dual_columns.rows();
  if (n <= kLargestDenseGram) {
    return symmetric_eigenvalues(product_transposed(dual_columns, dual_columns))[n - 1];
  }
  return leading_eigenvalues(*as_covariance(dual_columns), 1)[0];
}

namespace {

// The Krylov steps end when the relative residual of the largest Ritz value is below this.
constexpr double kCurvatureResidual = 1e-5;

// The limits of effort below were chosen by trial, not measured.

// Number of Ritz vectors whose residuals extend the space at a time.
constexpr Index kResidualsAtATime = 4;
// At least this number of Ritz vectors are kept by a restart.
constexpr Index kKeptAtRestart = 40;
// The residual of a unit vector outside a space counts as rounding below this.
constexpr double kInsideSpace = 1e-8;
// Exceeds the rounding of the products and of the basis.
constexpr double kProductRounding = 1e-11;

/// Returns (HH' + sum_l mu_l C_l) w for each column of `w`.
Matrix times_curvature(const RelaxationColumns& columns, const RelaxationTerms::DualForm& form,
                       const DirectionCuts& cuts, const Matrix& w) {
  Matrix onto = columns.transposed_times(w);
  onto.array().colwise() *= form.of_column;
  // (of_basis)'(U'w) by way of its transpose: in this order the committed baselines were rounded.
  onto += transposed_product(transposed_product(form.basis, w), form.of_basis).transpose();
  const Matrix of_basis = matrix_product(form.of_basis, onto);
  onto.array().colwise() *= form.of_column;
  Matrix result = columns.times(onto);
  add_product(result, form.basis, of_basis);
  cuts.add_times(w, result);
  return result;
}

/// Appends to the orthonormal columns of `basis` the components of `more` outside it.
void widen(Matrix& basis, const Matrix& more) {
  for (Index j = 0; j < more.cols() && basis.cols() < basis.rows(); ++j) {
    Vector column = more.col(j);
    const double before = column.norm();
    for (int pass = 0; pass < 2 && before > 0; ++pass) {
      subtract_projection(column, basis);
    }
    const double after = column.norm();
    if (after > kInsideSpace * before) {
      basis.conservativeResize(Eigen::NoChange, basis.cols() + 1);
      basis.rightCols(1) = column / after;
    }
  }
}

/// Thrown if the time is over, or if no bound was found.
struct Stopped {};

/// Bounds the complement of the first Ritz vector: either the largest value is the largest
/// eigenvalue, or another one was missed.
ComplementBound bound_beside(const SymmetricOperator& curvature, const Matrix& ritz,
                             const Matrix& images, double value, int draw) {
  const Index behind = ritz.cols() - 1;
  const RitzSpace found{
      .pairs = {.values = Vector::Constant(1, value), .vectors = ritz.leftCols(1)},
      .products = images.leftCols(1),
      .further = {.basis = ritz.rightCols(behind), .products = images.rightCols(behind)}};
  const double accepted = kCurvatureResidual * std::abs(value);
  return bound_complement(curvature, found, draw, value + accepted, accepted);
}

}  // namespace

Curvature curvature_by_products(const RelaxationColumns& columns,
                                const RelaxationTerms::DualForm& form, const DirectionCuts& cuts,
                                Index count, const std::function<bool()>& keep_going) {
  const Index n = columns.dimension();
  const SymmetricOperator curvature{
      .size = n, .block = kResidualsAtATime, .multiply = [&](const Matrix& w, Matrix& out) {
        if (!keep_going()) {
          throw Stopped();
        }
        out = times_curvature(columns, form, cuts, w);
      }};
  Random random(1);
  Matrix basis(n, 0);
  widen(basis, Matrix::NullaryExpr(n, 2, [&random](Index, Index) { return random.normal(); }));
  widen(basis, form.basis);
  Matrix products(n, 0);  // HH' basis
  int draw = 0;
  try {
    while (true) {
      const Index known = products.cols();
      Matrix fresh;
      curvature.multiply(basis.rightCols(basis.cols() - known), fresh);
      products.conservativeResize(Eigen::NoChange, basis.cols());
      products.rightCols(fresh.cols()) = fresh;
      const SymmetricEigenpairs pairs =
          symmetric_eigenpairs(symmetric_part(transposed_product(basis, products)));
      const Index size = basis.cols();
      const Index kept = std::min(size, std::max(count, kKeptAtRestart));
      const Matrix leading = reversed_columns(pairs.vectors.rightCols(kept));
      const Vector values = pairs.values.tail(kept).reverse();
      const Matrix ritz = matrix_product(basis, leading);
      const Matrix images = matrix_product(products, leading);
      const Index wanted = std::min(kResidualsAtATime, kept);
      const Matrix residuals =
          images.leftCols(wanted) - scaled_columns(ritz.leftCols(wanted), values.head(wanted));
      const double length = residuals.col(0).norm();
      if (size + wanted > kLargestSpace) {
        basis = ritz;
        products = images;
      }
      const Index before = basis.cols();
      bool has_converged = length <= kCurvatureResidual * values[0];
      if (!has_converged) {
        widen(basis, residuals);
        has_converged = basis.cols() == before;  // the residuals are rounding
      }
      if (has_converged) {
        const ComplementBound beside = bound_beside(curvature, ritz, images, values[0], draw++);
        const bool is_complete = beside.missed.basis.cols() == 0;
        if (!is_complete && draw == kMostComplementBounds) {
          throw Stopped();
        }
        widen(basis, beside.missed.basis);
        if (is_complete) {
          return {.largest = std::max(values[0], beside.largest) * (1 + kProductRounding) + length,
                  .directions = ritz.leftCols(std::min(count, kept))};
        }
      }
    }
  } catch (const Stopped&) {
    return {.largest = std::numeric_limits<double>::infinity(), .directions = Matrix(n, 0)};
  }
}

Curvature leading_curvature(const Matrix& dual_columns, Index count, double above) {
  const Index n = dual_columns.rows();
  Eigenpairs pairs;
  if (n <= kLargestDenseGram) {
    const SymmetricEigenpairs leading = leading_symmetric_eigenpairs(
        product_transposed(dual_columns, dual_columns), [&](const Vector& values) {
          return std::min(count, static_cast<Index>((values.array() > above).count()));
        });
    pairs = {.values = leading.values.reverse(),
             .vectors = reversed_columns(leading.vectors),
             .upper = leading.values.reverse()};
  } else {
    pairs = leading_eigenpairs(*as_covariance(dual_columns), std::min(count, n));
  }
  Index kept = 0;
  while (kept < std::min(count, pairs.vectors.cols()) && pairs.values[kept] > above) {
    ++kept;
  }
  return {.largest = pairs.upper[0], .directions = pairs.vectors.leftCols(kept)};
}

}  // namespace spca
