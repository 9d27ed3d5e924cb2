#pragma once

/// Stores columns of S and of S^2, which are computed on demand.

#include <unordered_map>
#include <vector>

#include "spca/spectrum/eigenpairs.h"

namespace spca {

class ColumnStore {
 public:
  /// `leading` holds d >= 1 leading eigenpairs of S. The squared lengths of all columns are
  /// computed at once if that is cheap. Otherwise they are bounded through the eigenpairs:
  ///
  ///   (S^2)_ii <= sum_l lambda_l^2 v_li^2 + lambda_d (S_ii - sum_l lambda_l v_li^2),   l = 1..d
  ColumnStore(const Covariance& covariance, const Eigenpairs& leading);

  const Covariance& covariance() const { return covariance_; }
  /// S e_i and S S e_i, p entries each. Valid until the next forget_others().
  const Vector& column(Index i) { return entry(i).column; }
  const Vector& twice(Index i) { return entry(i).twice; }
  /// (S^2)_ii or an upper bound of it, p entries.
  const Vector& squared_norms() const { return squared_norms_; }
  /// Returns true if squared_norms()[i] is (S^2)_ii itself.
  bool is_exact(Index i) const { return exact_[static_cast<std::size_t>(i)] != 0; }
  /// Replaces the bound of column i by the value.
  void make_exact(Index i);
  /// Forgets all other columns. The squared lengths stay.
  void forget_others(const std::vector<Index>& variables);

 private:
  struct Entry {
    Vector column;
    Vector twice;
  };
  const Entry& entry(Index i);
  void bound_squared_norms(const Eigenpairs& leading);

  const Covariance& covariance_;
  std::unordered_map<Index, Entry> entries_;
  Vector squared_norms_;
  std::vector<char> exact_;
};

}  // namespace spca
