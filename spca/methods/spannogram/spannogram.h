#pragma once

/// The spannogram of a factor V, p x d: every support I_k(V c) of a direction c. The support
/// changes only where two of the |V_i c| are equal, and every region of directions with one support
/// touches a direction at which d of the |V_i c| are equal. So these directions are visited, and
/// each gives the supports of all regions that touch it. Rows within rounding of a tie count as
/// tied. All subsets of tied rows are tried; of rows that are equal up to sign, only the first are
/// chosen.
///
/// Source  D. Papailiopoulos, A. Dimakis, S. Korokythakis, Sparse PCA through low-rank
///         approximations, ICML 2013, Algorithm 2

#include <vector>

#include "spca/methods/spannogram/support_search.h"
#include "spca/solving/budget.h"

namespace spca {

class Spannogram {
 public:
  /// `factor`: V; `variables`: the rows of V to use, ascending; `nonnegative`: whether all loadings
  /// have one sign. The candidates go to `supports`, which outlives the object.
  Spannogram(const Matrix& factor, Index k, const std::vector<int>& variables, bool nonnegative,
             SupportSearch& supports);
  /// Visits all directions. Returns false if the budget ran out.
  bool run(Budget& budget);
  /// Number of directions visited, and of supports considered.
  double directions() const { return directions_; }
  double candidates() const { return candidates_; }
  /// Number of directions at which not all subsets of the tied variables were tried: general
  /// position needs 2^d, and at most 65536 are tried.
  double directions_cut_short() const { return directions_cut_short_; }

 private:
  bool visit_ties(const Support& rows, Budget& budget);
  void visit(const Vector& c);
  void consider_largest(const Vector& magnitude);
  void choose(const std::vector<Index>& tied, std::size_t next, Index wanted, Support& chosen);
  void consider(const Support& rows);

  Matrix rows_;  // V of the remaining variables, and a zero row if nonnegative
  std::vector<int> variables_;
  std::vector<Index> same_as_;  // the first row that equals this one up to sign
  Index k_;
  bool nonnegative_;
  SupportSearch& supports_;
  double tie_;
  double directions_ = 0;
  double candidates_ = 0;
  double directions_cut_short_ = 0;
  int subsets_ = 0;
  bool is_cut_short_ = false;
};

}  // namespace spca
