#include "spca/covariance/held_submatrix.h"

#include <algorithm>
#include <functional>

#include "spca/covariance/detail/sparse_gram.h"

namespace spca {
namespace {

thread_local HeldSubmatrix* latest_held = nullptr;

}  // namespace

HeldSubmatrix::HeldSubmatrix(const Covariance& base) : base_(base), outer_(latest_held) {
  latest_held = this;
}
HeldSubmatrix::~HeldSubmatrix() { latest_held = outer_; }

bool HeldSubmatrix::is_costly(const Support& support, std::int64_t entries, std::int64_t all) {
  const bool ascends = std::is_sorted(support.begin(), support.end(), std::less_equal<>());
  return entries >= kLargeEntries / kRowsWorth && kRowsWorth * entries >= all && ascends;
}

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
