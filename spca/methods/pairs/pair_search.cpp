#include "spca/methods/pairs/pair_search.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "spca/base/parallel.h"
#include "spca/dense/dense_decompositions.h"
#include "spca/dense/dense_products.h"
#include "spca/dense/dense_selections.h"
#include "spca/dense/tridiagonal_form.h"

namespace spca {
namespace {

// The weight of the distances, relative to the largest eigenvalue of S. It rises while the copies
// are farther apart than kFarApart times the movement of their means, and falls while they are
// nearer than kNearTogether times. Measured: bench/notes/2026-11-23-branch-price.md, "The weight of
// the distances".
constexpr double kFirstWeight = 0.25;
constexpr double kFarApart = 4;
constexpr double kWeightRise = 1.05;
constexpr double kNearTogether = 2.2;
constexpr double kWeightFall = 0.95;
// The over-relaxation of a step: the multiple of the way from the mean to the projection. Chosen by
// trial, not measured.
constexpr double kRelaxation = 1.5;
// Old floors keep this share of their values when new floors are set.
constexpr double kFade = 0.95;
// Smaller multipliers of D are replaced by this, so that it is safe to divide by them.
constexpr double kLeastPart = 1e-12;
// The multipliers of D of a pair have the square of that of Y as their product once the steps have
// converged. With a price on the union, or if some support must have a variable, multipliers of a
// column vanish before that of Y does: where supports may overlap they count as at least this share
// of it. Chosen by trial, not measured.
constexpr double kLeastPartOfShared = 0.02;
// Eigenvalues of Lambda below this share of the largest one are left out, and there is at most one
// for each kRowsAFactor rows: in its projection and in L. Chosen by trial, not measured.
constexpr double kLeastOfUnion = 1e-3;
constexpr Index kRowsAFactor = 4;
// The weights of the distances of copies of Y_ii and u_i, relative to those of other entries. With
// two for Y <= Diag(u) the nearest point is that of Diag(u) - Y to a cone.
constexpr double kUnionWeight = 2;
// Threads share the projections of a step if p^3 is at least twice this: a step of 60 variables
// takes about a millisecond.
constexpr double kLeastCubeOfThread = 100'000;

/// Returns C. C_il and C_li, whose product is T_il^2, are in proportion to the multipliers of D,
/// `pairs`. The lower triangle of T is read.
Matrix costs_from(const Matrix& t, const Matrix& pairs, double least_part) {
  Matrix costs = Matrix::Zero(t.rows(), t.cols());
  for (Index l = 0; l < t.cols(); ++l) {
    for (Index i = l + 1; i < t.rows(); ++i) {
      const double least = std::max(kLeastPart, least_part * std::abs(t(i, l)));
      const double ratio = std::sqrt(std::max(least, pairs(i, l)) / std::max(least, pairs(l, i)));
      costs(i, l) = t(i, l) * ratio;
      costs(l, i) = t(i, l) / ratio;
    }
  }
  return costs;
}

/// Returns the eigenpairs of the largest positive eigenvalues.
SymmetricEigenpairs union_eigenpairs(const Matrix& matrix) {
  SymmetricEigenpairs pairs = leading_symmetric_eigenpairs(matrix, [](const Vector& values) {
    const Index p = values.size();
    const double least = kLeastOfUnion * std::max(values[p - 1], 0.0);
    return std::min(static_cast<Index>((values.array() > least).count()),
                    std::max<Index>(p / kRowsAFactor, 1));
  });
  pairs.values = Vector(pairs.values.tail(pairs.vectors.cols()));
  return pairs;
}

/// Returns L, such that LL' has the largest positive eigenvalues of Lambda.
Matrix factor_of(const Matrix& of_union) {
  const SymmetricEigenpairs pairs = union_eigenpairs(of_union);
  return scaled_columns(pairs.vectors, pairs.values.cwiseSqrt());
}

/// `spectral`: the residual of the projection by eigenpairs; `pairs`: the multipliers of D;
/// `of_union`: Lambda, 0 x 0 for disjoint supports. T is what of the residual is not in Lambda.
PairProof proof_from(const Matrix& spectral, const Matrix& pairs, Vector prices,
                     const Matrix& of_union) {
  if (of_union.size() == 0) {
    return {.costs = costs_from(spectral, pairs, 0), .prices = std::move(prices)};
  }
  Matrix factor = factor_of(of_union);
  const Matrix t = spectral - product_transposed(factor, factor);
  return {.costs = costs_from(t, pairs, kLeastPartOfShared),
          .prices = std::move(prices),
          .union_factor = std::move(factor)};
}

/// Returns the entries at these positions; zero at -1.
Vector entries_at(const Vector& entries, const Support& positions) {
  Vector some = Vector::Zero(std::ssize(positions));
  for (std::size_t i = 0; i < positions.size(); ++i) {
    if (positions[i] >= 0) {
      some[static_cast<Index>(i)] = entries[positions[i]];
    }
  }
  return some;
}

/// Returns the part of a square matrix at these positions; zero at -1.
Matrix part_at(const Matrix& matrix, const Support& positions) {
  Matrix part = Matrix::Zero(std::ssize(positions), std::ssize(positions));
  for (std::size_t i = 0; i < positions.size(); ++i) {
    if (positions[i] >= 0) {
      part.col(static_cast<Index>(i)) = entries_at(matrix.col(positions[i]), positions);
    }
  }
  return part;
}

}  // namespace

PairSearch::PairSearch(const Matrix& matrix, Index k, Index r)
    : matrix_(matrix),
      fantope_(matrix.rows(), r),
      rows_(k),
      p_(matrix.rows()),
      k_(k),
      r_(r),
      weight_(kFirstWeight * symmetric_eigenvalues(matrix)[p_ - 1]),
      floors_(Vector::Zero(p_)),
      least_(Vector::Zero(p_)),
      most_(Vector::Ones(p_)),
      charges_(Vector::Zero(p_)),
      mean_y_(Matrix::Zero(p_, p_)),
      mean_d_(mean_y_),
      mean_u_(Vector::Constant(
          p_, std::min(1.0, static_cast<double>(k * r) / static_cast<double>(p_)))),
      beyond_{.spectral = mean_y_,
              .pair_y = mean_y_,
              .pair_d = mean_y_,
              .row = mean_y_,
              .column = mean_y_,
              .union_y = {},
              .union_u = {},
              .column_u = {}},
      prices_(Vector::Zero(p_)) {
  begin_mean();
}

PairSearch::PairSearch(const PairSearch& other, const Matrix& matrix, const Support& positions)
    : matrix_(matrix),
      fantope_(matrix.rows(), other.r_),
      rows_(other.k_),
      p_(matrix.rows()),
      k_(other.k_),
      r_(other.r_),
      weight_(other.weight_),
      floors_(entries_at(other.floors_, positions)),
      least_(Vector::Zero(p_)),
      most_(Vector::Ones(p_)),
      charges_(Vector::Zero(p_)),
      mean_y_(part_at(other.mean_y_, positions)),
      mean_d_(part_at(other.mean_d_, positions)),
      mean_u_(entries_at(other.mean_u_, positions)),
      beyond_(other.beyond_.at(positions)),
      prices_(entries_at(other.prices_, positions)) {
  begin_mean();
}

/// The copies of Y, D and u after their projections. Those of u and `union_y` are empty for
/// disjoint supports.
struct PairSearch::Copies {
  Matrix y = {};
  Matrix pair_y = {};
  Matrix pair_d = {};
  Matrix rows = {};
  Matrix columns = {};
  Matrix union_y = {};
  Vector union_u = {};
  Vector column_u = {};
};

void PairSearch::step() {
  Copies copies;
  // Each projection has copies of its own, so threads share them.
  const std::array<std::function<void()>, 3> projections = {
      [&] {
        copies.y = fantope_.project(symmetric_part(mean_y_ - beyond_.spectral) + matrix_ / weight_);
      },
      [&] { project_union(copies); }, [&] { project_pairs_and_sums(copies); }};
  const auto p = static_cast<double>(p_);
  parallel_for(projections.size(), threads_for(p * p * p, kLeastCubeOfThread),
               [&](std::size_t t) { projections[t](); });
  update_means(copies);
  add_to_mean();
}

/// Projects on the limits of pairs, of rows and of columns.
void PairSearch::project_pairs_and_sums(Copies& copies) {
  copies.pair_y = mean_y_ - beyond_.pair_y;
  copies.pair_d = mean_d_ - beyond_.pair_d;
  for (Index l = 0; l < p_; ++l) {
    for (Index i = l + 1; i < p_; ++i) {
      project_pair(copies.pair_y(i, l), copies.pair_d(i, l), copies.pair_d(l, i));
      copies.pair_y(l, i) = copies.pair_y(i, l);
    }
  }
  // transposed: projections act on columns
  copies.rows = Matrix(mean_d_ - beyond_.row).transpose();
  for (Index i = 0; i < p_; ++i) {
    copies.rows.col(i).array() -= floors_[i] / weight_;
    copies.rows(i, i) += static_cast<double>(k_) * floors_[i] / weight_;
    rows_.project(copies.rows.col(i), i);
  }
  copies.rows.transposeInPlace();
  copies.columns = mean_d_ - beyond_.column;
  if (has_union()) {
    copies.column_u = mean_u_ - beyond_.column_u;
  }
  project_columns(copies.columns, copies.column_u);
}

/// Projects on Y <= Diag(u).
void PairSearch::project_union(Copies& copies) const {
  if (!has_union()) {
    return;
  }
  Matrix& y = copies.union_y;
  Vector& u = copies.union_u;
  y = mean_y_ - beyond_.union_y;
  u = mean_u_ - beyond_.union_u;
  Matrix excess = symmetric_part(y);
  excess.diagonal() -= u;
  const SymmetricEigenpairs pairs = union_eigenpairs(excess);
  const Matrix removed =
      product_transposed(scaled_columns(pairs.vectors, pairs.values), pairs.vectors);
  y -= removed;
  y.diagonal() += removed.diagonal() / kUnionWeight;
  u += removed.diagonal() / kUnionWeight;
}

/// Projects each column of D and its u on their limits, and notes the prices.
void PairSearch::project_columns(Matrix& columns, Vector& column_u) {
  const auto project = [&](Index i) {
    if (is_common_) {
      return project_on_multiple(columns.col(i), column_u[i], static_cast<double>(r_),
                                 least_[i] > 0 ? 1 : 0, most_[i] > 0 ? 1 : 0);
    }
    return has_union() ? project_on_union(columns.col(i), column_u[i], least_[i], most_[i])
                       : project_on_sums(columns.col(i), least_[i], most_[i]);
  };
  for (Index i = 0; i < p_; ++i) {
    columns.col(i).array() -= charges_[i] / weight_;
    prices_[i] = charges_[i] + weight_ * project(i);
  }
}

/// Computes the means of the copies of Y, D and u, each after its projection.
void PairSearch::update_means(Copies& copies) {
  const auto relax = [](auto& copy, const auto& mean, const auto& beyond) {
    copy = kRelaxation * copy + (1 - kRelaxation) * mean + beyond;
  };
  relax(copies.y, mean_y_, beyond_.spectral);
  relax(copies.pair_y, mean_y_, beyond_.pair_y);
  relax(copies.pair_d, mean_d_, beyond_.pair_d);
  relax(copies.rows, mean_d_, beyond_.row);
  relax(copies.columns, mean_d_, beyond_.column);
  Matrix mean_y = copies.y + copies.pair_y;
  Matrix mean_d = (copies.pair_d + copies.rows + copies.columns) / 3;
  Vector diagonal = copies.y.diagonal() + copies.rows.diagonal() + copies.columns.diagonal();
  Vector mean_u = mean_u_;
  if (has_union()) {
    relax(copies.union_y, mean_y_, beyond_.union_y);
    relax(copies.union_u, mean_u_, beyond_.union_u);
    relax(copies.column_u, mean_u_, beyond_.column_u);
    mean_y = (mean_y + copies.union_y) / 3;
    diagonal = (diagonal + kUnionWeight * copies.union_y.diagonal()) / (3 + kUnionWeight);
    mean_u = (kUnionWeight * copies.union_u + copies.column_u) / (kUnionWeight + 1);
  } else {
    mean_y /= 2;
    diagonal /= 3;
  }
  mean_y.diagonal() = mean_d.diagonal() = diagonal;
  moved_ = std::sqrt((has_union() ? 3 : 2) * (mean_y - mean_y_).squaredNorm() +
                     3 * (mean_d - mean_d_).squaredNorm() +
                     (kUnionWeight + 1) * (mean_u - mean_u_).squaredNorm());
  apart_ = 0;
  const auto update = [&](auto& beyond, const auto& copy, const auto& mean) {
    auto sums = (copy - mean).eval();
    apart_ = std::hypot(apart_, (sums - beyond).norm());
    beyond = std::move(sums);
  };
  update(beyond_.spectral, copies.y, mean_y);
  update(beyond_.pair_y, copies.pair_y, mean_y);
  update(beyond_.pair_d, copies.pair_d, mean_d);
  update(beyond_.row, copies.rows, mean_d);
  update(beyond_.column, copies.columns, mean_d);
  if (has_union()) {
    update(beyond_.union_y, copies.union_y, mean_y);
    update(beyond_.union_u, copies.union_u, mean_u);
    update(beyond_.column_u, copies.column_u, mean_u);
  }
  mean_y_ = std::move(mean_y);
  mean_d_ = std::move(mean_d);
  mean_u_ = std::move(mean_u);
}

/// The multiplier of Y <= Diag(u), which is nearly semidefinite.
Matrix PairSearch::of_union() const {
  if (!has_union()) {
    return {};
  }
  Matrix result = -weight_ * beyond_.union_y;
  result.diagonal() += weight_ * beyond_.union_u;
  return result;
}

PairProof PairSearch::proof() const {
  return proof_from(weight_ * beyond_.spectral, beyond_.pair_d, prices_, of_union());
}

PairProof PairSearch::mean_proof() const {
  const double share = 1 / static_cast<double>(steps_of_mean_);
  return proof_from(share * sums_.spectral, sums_.pairs, share * sums_.prices,
                    share * sums_.of_union);
}

PairSearch::Beyond PairSearch::Beyond::at(const Support& positions) const {
  Beyond some{.spectral = part_at(spectral, positions),
              .pair_y = part_at(pair_y, positions),
              .pair_d = part_at(pair_d, positions),
              .row = part_at(row, positions),
              .column = part_at(column, positions),
              .union_y = {},
              .union_u = {},
              .column_u = {}};
  if (union_y.size() > 0) {
    some.union_y = part_at(union_y, positions);
    some.union_u = entries_at(union_u, positions);
    some.column_u = entries_at(column_u, positions);
  }
  return some;
}

void PairSearch::begin_mean() {
  const Index of_union = beyond_.union_y.rows();
  sums_ = {.spectral = Matrix::Zero(p_, p_),
           .pairs = Matrix::Zero(p_, p_),
           .prices = Vector::Zero(p_),
           .of_union = Matrix::Zero(of_union, of_union)};
  steps_of_mean_ = 0;
}

void PairSearch::add_to_mean() {
  sums_.spectral += weight_ * beyond_.spectral;
  sums_.pairs += weight_ * beyond_.pair_d;
  sums_.prices += prices_;
  if (has_union()) {
    sums_.of_union += of_union();
  }
  ++steps_of_mean_;
}

void PairSearch::raise_weight_if_far() {
  if (apart_ > kFarApart * moved_) {
    multiply_weight(kWeightRise);
  }
}

void PairSearch::lower_weight_if_near() {
  if (apart_ < kNearTogether * moved_) {
    lower_weight();
  }
}

void PairSearch::lower_weight() { multiply_weight(kWeightFall); }

void PairSearch::multiply_weight(double factor) {
  weight_ *= factor;
  for (Matrix* sums : {&beyond_.spectral, &beyond_.pair_y, &beyond_.pair_d, &beyond_.row,
                       &beyond_.column, &beyond_.union_y}) {
    *sums /= factor;
  }
  beyond_.union_u /= factor;
  beyond_.column_u /= factor;
}

void PairSearch::set_floors(const Vector& floors) { floors_ = (kFade * floors_).cwiseMax(floors); }

void PairSearch::set_limits(const PairConditions& conditions) {
  least_ = conditions.least;
  most_ = conditions.most;
  is_common_ = conditions.is_common;
  charges_ = conditions.charges;
  // One component gains little by Y <= Diag(u), and its steps take half of the time without. The
  // counts of a common support are multiples of u.
  if (!has_union() && (r_ > 1 || is_common_)) {
    beyond_.union_y = Matrix::Zero(p_, p_);
    beyond_.union_u = beyond_.column_u = Vector::Zero(p_);
    begin_mean();
  }
}

}  // namespace spca
