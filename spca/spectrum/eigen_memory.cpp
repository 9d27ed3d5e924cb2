#include "spca/spectrum/eigen_memory.h"

#include <algorithm>
#include <functional>

#include "spca/base/error.h"
#include "spca/covariance/deflated_covariance.h"
#include "spca/dense/dense_decompositions.h"
#include "spca/dense/dense_products.h"
#include "spca/dense/dense_selections.h"
#include "spca/spectrum/eigen_patience.h"

namespace spca {
namespace {

thread_local EigenMemory* latest = nullptr;

/// A direction with less than this squared length left lay mostly in the removed variables. Making
/// it a unit vector again would amplify the rounding of its product by the inverse of the length.
constexpr double kLeastLeft = 1e-4;

/// At most this number of steps are made from a known space. A good space needs few steps, and one
/// that needs more is worth little. Chosen by trial, not measured.
constexpr Index kMostWarmSteps = 100;

const std::vector<Index> kNone;

}  // namespace

EigenMemory::EigenMemory(const Covariance& base) : base_(base), outer_(latest) { latest = this; }
EigenMemory::~EigenMemory() { latest = outer_; }
EigenMemory* EigenMemory::of_this_thread() { return latest; }

const std::vector<Index>* EigenMemory::lacking(const Covariance& covariance) const {
  if (&covariance == &base_) {
    return &kNone;
  }
  const auto* deflated = dynamic_cast<const DeflatedCovariance*>(&covariance);
  return deflated != nullptr && &deflated->base() == &base_ && deflated->lacks_only_variables()
             ? &deflated->removed()
             : nullptr;
}

/// With M the mask of the remaining variables, R the newly removed ones, V the basis and W = SV:
///
///   (MSM)(MV) = M (W - S_{:,R} V_R),   (MV)'(MV) = I - V_R'V_R.
///
/// Only the few columns R of S are needed.
void EigenMemory::follow(const std::vector<Index>& removed) {
  const bool follows = removed.size() >= removed_.size() &&
                       std::equal(removed_.begin(), removed_.end(), removed.begin());
  if (!follows) {
    space_ = {};
  }
  Support now(removed.begin() + (follows ? std::ssize(removed_) : std::ssize(removed)),
              removed.end());
  removed_ = removed;
  if (now.empty() || space_.basis.cols() == 0) {
    return;
  }
  std::sort(now.begin(), now.end());
  const Matrix lost = selected_rows(space_.basis, now);
  subtract_product(space_.products, base_.columns(now), lost);
  for (const Index j : removed_) {
    space_.basis.row(j).setZero();
    space_.products.row(j).setZero();
  }
  const SymmetricEigenpairs lengths = symmetric_eigenpairs(
      Matrix::Identity(lost.cols(), lost.cols()) - transposed_product(lost, lost));
  const Index kept = (lengths.values.array() > kLeastLeft).count();
  if (kept == 0) {
    space_ = {};
    return;
  }
  const Matrix to_unit = scaled_columns(lengths.vectors.rightCols(kept),
                                        lengths.values.tail(kept).cwiseSqrt().cwiseInverse());
  space_.basis = matrix_product(space_.basis, to_unit);
  space_.products = matrix_product(space_.products, to_unit);
}

/// Begins with the known space. If that does not help, begins anew with a generic block: rounding
/// in the space may keep the residuals above the tolerance endlessly.
Eigenpairs EigenMemory::from_space(const Covariance& covariance, Index count, Exact exact,
                                   Copies copies) {
  if (space_.basis.cols() > 0) {
    const std::function<bool()> is_over = EigenPatience::of_this_thread();
    Index steps = 0;
    const EigenPatience warm([&] { return ++steps > kMostWarmSteps || (is_over && is_over()); });
    try {
      block_davidson(covariance, count, space_, exact);
    } catch (const NumericalError&) {
      space_ = {};
      if (is_over && is_over()) {
        throw;
      }
    }
  }
  return eigenpairs_by_blocks(covariance, count, space_, exact, copies);
}

Eigenpairs EigenMemory::leading_eigenpairs(const Covariance& covariance, Index count, Exact exact,
                                           Copies copies) {
  const std::vector<Index>* const removed = lacking(covariance);
  if (removed == nullptr) {
    KnownSpace nothing;
    return eigenpairs_by_blocks(covariance, count, nothing, exact, copies);
  }
  follow(*removed);
  if (space_.basis.cols() > block_davidson_columns(count)) {
    // The space was built for more pairs than are wanted now.
    space_ = {};
  }
  Eigenpairs pairs = from_space(covariance, count, exact, copies);
  if (exact == Exact::kPairs && copies == Copies::kAll && removed->empty()) {
    values_[count] = pairs.upper;
  }
  return pairs;
}

}  // namespace spca
