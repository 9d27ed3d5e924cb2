#pragma once

/// Finds the columns of X that make the best encoder, by addition and exchange of single columns.
/// Each addition and exchange is scored by the exact information loss.
///
/// With Q = X_J M as in linear_encoder.h, D = Q'XX'Q diagonal, f_i column i of X and q the unit
/// vector along the residual of f_i outside the span of Q, the columns J and i together have
///
///   [Q q]'XX'[Q q] = [ D  g ; g' c ],  P = S_{:,J} M,  T = (S^2)_{:,J} M,
///   rho = S_ii - ||P_i||^2,  g = (T_i - D P_i) / sqrt(rho),
///   c = ((S^2)_ii - 2 T_i'P_i + P_i'D P_i) / rho.
///
/// The best r components on these columns capture the sum of the r largest eigenvalues, which are
/// roots of a secular equation. One sweep over all i costs O(p |J|^2) and no product with S, except
/// where (S^2)_ii is known only by a bound: the best candidates then need column i of S.
///
/// Everything also holds for A = S - SH(H'SH)^+H'S, the residual of S after other components H. A
/// is not formed: A = S - ZZ' with Z = SHM of few columns.
///
/// This project's method; the paper accepts any method of column selection.

#include "spca/methods/encoders/column_store.h"
#include "spca/methods/encoders/linear_encoder.h"
#include "spca/solving/budget.h"

namespace spca {

/// Returns the sum of the `count` largest eigenvalues of [D g; g' c], with D diagonal and
/// descending, m x m, and count <= m + 1. Each eigenvalue takes a safeguarded Newton iteration of
/// O(m) a step.
double arrow_eigenvalue_sum(const Vector& d, const Vector& g, double c, Index count);

/// Searches for the columns of one encoder.
class EncoderSearch {
 public:
  /// For r components on common rows. `store` must outlive the search.
  EncoderSearch(ColumnStore& store, Index r, int threads);

  /// Replaces S by A, the residual of S after `others`, from now on.
  void project_out(const std::vector<Component>& others);
  /// ||XH(XH)^+X||_F^2 of the components passed to project_out().
  double captured_by_others() const { return captured_by_others_; }
  /// The diagonal of A, p entries.
  const Vector& diagonal() const { return diagonal_; }

  /// Adds the best column until there are k, or until no other adds a direction. The columns are
  /// in the order of their choice, which does not depend on how the variables are numbered.
  std::vector<Index> grow(std::vector<Index> columns, Index k, Budget& budget);
  /// Replaces one column after the other by the best in its place, until no exchange helps.
  std::vector<Index> exchange(std::vector<Index> columns, Budget& budget);

  /// The span of A_{:,J}. M has a row for each of `columns`, in their order.
  ColumnSpan span(const std::vector<Index>& columns);
  double captured(const std::vector<Index>& columns) { return span(columns).captured_by(r_); }

 private:
  struct Candidate {
    Index variable = -1;
    double value = 0;
  };
  void load(const std::vector<Index>& columns);
  void load_column(Index position, Index variable);
  ColumnSpan loaded_span() const;
  ColumnSpan span_without(Index position) const;
  /// Returns the best candidate; variable -1 if no column adds a direction. Candidates that capture
  /// no more than `floor` may be skipped.
  Candidate best_candidate(const ColumnSpan& span, double floor);
  void score_rows(const ColumnSpan& span, Index begin, Index end, double floor);
  double score(Index i, const Vector& d, const Eigen::Ref<const Vector>& inner,
               const Eigen::Ref<const Vector>& twice, double floor) const;

  ColumnStore& store_;
  Index r_;
  int threads_;
  // A = S - ZZ'; `products` is SZ and `gram` is Z'Z.
  Matrix z_;
  Matrix products_;
  Matrix gram_;
  double captured_by_others_ = 0;
  Vector diagonal_;        // of A
  Vector square_changes_;  // the diagonal of A^2 - S^2
  std::vector<Index> columns_;
  Matrix loaded_;        // A_{:,J}
  Matrix loaded_twice_;  // (A^2)_{:,J}
  Vector scores_;        // p
};

}  // namespace spca
