#include "spca/methods/pairs/pair_search.h"

#include <algorithm>
#include <cmath>

#include "spca/dense/dense_decompositions.h"
#include "spca/dense/dense_products.h"
#include "spca/dense/dense_selections.h"

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
// converged. If some support must have a variable, multipliers of its column vanish before that of
// Y does: they count as at least this share of it. Chosen by trial, not measured.
constexpr double kLeastPartOfShared = 0.02;

/// Returns C. T = `factor` times `spectral` is the residual of the projection by eigenpairs. C_il
/// and C_li, whose product is T_il^2, are in proportion to the multipliers of D, `pairs`.
Matrix costs_from(const Matrix& spectral, const Matrix& pairs, double factor, double least_part) {
  Matrix costs = Matrix::Zero(spectral.rows(), spectral.cols());
  for (Index l = 0; l < spectral.cols(); ++l) {
    for (Index i = l + 1; i < spectral.rows(); ++i) {
      const double least = std::max(kLeastPart, least_part * std::abs(spectral(i, l)));
      const double ratio = std::sqrt(std::max(least, pairs(i, l)) / std::max(least, pairs(l, i)));
      const double t = factor * spectral(i, l);
      costs(i, l) = t * ratio;
      costs(l, i) = t / ratio;
    }
  }
  return costs;
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
      mean_y_(Matrix::Zero(p_, p_)),
      mean_d_(mean_y_),
      beyond_{mean_y_, mean_y_, mean_y_, mean_y_, mean_y_},
      prices_(Vector::Zero(p_)) {
  begin_mean();
}

PairSearch::PairSearch(const PairSearch& whole, const Matrix& matrix, const Support& variables)
    : matrix_(matrix),
      fantope_(matrix.rows(), whole.r_),
      rows_(whole.k_),
      p_(matrix.rows()),
      k_(whole.k_),
      r_(whole.r_),
      weight_(whole.weight_),
      floors_(selected_entries(whole.floors_, variables)),
      least_(selected_entries(whole.least_, variables)),
      most_(selected_entries(whole.most_, variables)),
      least_part_(whole.least_part_),
      mean_y_(selected(whole.mean_y_, variables, variables)),
      mean_d_(selected(whole.mean_d_, variables, variables)),
      beyond_{selected(whole.beyond_.spectral, variables, variables),
              selected(whole.beyond_.pair_y, variables, variables),
              selected(whole.beyond_.pair_d, variables, variables),
              selected(whole.beyond_.row, variables, variables),
              selected(whole.beyond_.column, variables, variables)},
      prices_(selected_entries(whole.prices_, variables)) {
  begin_mean();
}

void PairSearch::step() {
  Matrix y = fantope_.project(symmetric_part(mean_y_ - beyond_.spectral) + matrix_ / weight_);
  Matrix pair_y = mean_y_ - beyond_.pair_y;
  Matrix pair_d = mean_d_ - beyond_.pair_d;
  for (Index l = 0; l < p_; ++l) {
    for (Index i = l + 1; i < p_; ++i) {
      project_pair(pair_y(i, l), pair_d(i, l), pair_d(l, i));
      pair_y(l, i) = pair_y(i, l);
    }
  }
  // transposed: projections act on columns
  Matrix rows = Matrix(mean_d_ - beyond_.row).transpose();
  Matrix columns = mean_d_ - beyond_.column;
  for (Index i = 0; i < p_; ++i) {
    rows.col(i).array() -= floors_[i] / weight_;
    rows(i, i) += static_cast<double>(k_) * floors_[i] / weight_;
    rows_.project(rows.col(i), i);
    prices_[i] = weight_ * project_on_sums(columns.col(i), least_[i], most_[i]);
  }
  rows.transposeInPlace();
  update_means(y, pair_y, pair_d, rows, columns);
  add_to_mean();
}

/// Computes the means of the copies of Y and D, each after its projection.
void PairSearch::update_means(Matrix& y, Matrix& pair_y, Matrix& pair_d, Matrix& rows,
                              Matrix& columns) {
  const auto relax = [](Matrix& copy, const Matrix& mean, const Matrix& beyond) {
    copy = kRelaxation * copy + (1 - kRelaxation) * mean + beyond;
  };
  relax(y, mean_y_, beyond_.spectral);
  relax(pair_y, mean_y_, beyond_.pair_y);
  relax(pair_d, mean_d_, beyond_.pair_d);
  relax(rows, mean_d_, beyond_.row);
  relax(columns, mean_d_, beyond_.column);
  Matrix mean_y = (y + pair_y) / 2;
  Matrix mean_d = (pair_d + rows + columns) / 3;
  for (Index i = 0; i < p_; ++i) {
    mean_y(i, i) = mean_d(i, i) = (y(i, i) + rows(i, i) + columns(i, i)) / 3;
  }
  moved_ = std::sqrt(2 * (mean_y - mean_y_).squaredNorm() + 3 * (mean_d - mean_d_).squaredNorm());
  apart_ = 0;
  const auto update = [&](Matrix& beyond, const Matrix& copy, const Matrix& mean) {
    Matrix sums = copy - mean;
    apart_ = std::hypot(apart_, (sums - beyond).norm());
    beyond = std::move(sums);
  };
  update(beyond_.spectral, y, mean_y);
  update(beyond_.pair_y, pair_y, mean_y);
  update(beyond_.pair_d, pair_d, mean_d);
  update(beyond_.row, rows, mean_d);
  update(beyond_.column, columns, mean_d);
  mean_y_ = std::move(mean_y);
  mean_d_ = std::move(mean_d);
}

PairProof PairSearch::proof() const {
  return {.costs = costs_from(beyond_.spectral, beyond_.pair_d, weight_, least_part_),
          .prices = prices_};
}

PairProof PairSearch::mean_proof() const {
  const double share = 1 / static_cast<double>(steps_of_mean_);
  return {.costs = costs_from(sums_.spectral, sums_.pairs, share, least_part_),
          .prices = share * sums_.prices};
}

void PairSearch::begin_mean() {
  sums_ = {
      .spectral = Matrix::Zero(p_, p_), .pairs = Matrix::Zero(p_, p_), .prices = Vector::Zero(p_)};
  steps_of_mean_ = 0;
}

void PairSearch::add_to_mean() {
  sums_.spectral += weight_ * beyond_.spectral;
  sums_.pairs += weight_ * beyond_.pair_d;
  sums_.prices += prices_;
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
  for (Matrix* sums :
       {&beyond_.spectral, &beyond_.pair_y, &beyond_.pair_d, &beyond_.row, &beyond_.column}) {
    *sums /= factor;
  }
}

void PairSearch::set_floors(const Vector& floors) { floors_ = (kFade * floors_).cwiseMax(floors); }

void PairSearch::set_limits(const Vector& least, const Vector& most) {
  least_ = least;
  most_ = most;
  least_part_ = least.maxCoeff() > 0 ? kLeastPartOfShared : 0;
}

}  // namespace spca
