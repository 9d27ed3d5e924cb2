#include "spca/covariance/held_submatrix.h"

#include <algorithm>

namespace spca {
namespace {

thread_local HeldSubmatrix* latest_held = nullptr;

}  // namespace

HeldSubmatrix::HeldSubmatrix(const Covariance& base) : base_(base), outer_(latest_held) {
  latest_held = this;
}
HeldSubmatrix::~HeldSubmatrix() { latest_held = outer_; }

HeldSubmatrix* HeldSubmatrix::of(const Covariance& covariance) {
  return latest_held != nullptr && &latest_held->base_ == &covariance ? latest_held : nullptr;
}

std::optional<Matrix> HeldSubmatrix::find(const Support& support) const {
  Support positions;
  for (const Index j : support) {
    const auto position = std::lower_bound(support_.begin(), support_.end(), j);
    if (position == support_.end() || *position != j) {
      return std::nullopt;
    }
    positions.push_back(position - support_.begin());
  }
  return Matrix(matrix_(positions, positions));
}

void HeldSubmatrix::replace(const Support& support, const Matrix& matrix) {
  if (std::ssize(support) <= kMostHeld) {
    support_ = support;
    matrix_ = matrix;
  }
}

}  // namespace spca
