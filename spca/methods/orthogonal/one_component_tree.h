#pragma once

/// The division by counts of variables (overlap_tree.h) for one component: a count is 0 or 1. Its
/// nodes are bounded by pairs of variables. That takes longer than the bounds of squares_tree.h and
/// relaxation_tree.h, and is much stronger where many variables are alike
/// (bench/notes/2026-11-29-one-component-pairs.md).

#include <memory>

#include "spca/methods/orthogonal/overlap_tree.h"
#include "spca/solving/certificate.h"

namespace spca {

class OneComponentTree {
 public:
  /// `variables`: those of is_possible(); `matrix`: S of them. Both must outlive the tree. `value`:
  /// that of a support.
  OneComponentTree(const Support& variables, const Matrix& matrix, Index k, double value);

  /// Returns whether the variables, ascending, are 2 to 600 and all that vary.
  static bool is_possible(const Covariance& covariance, const Support& variables);

  /// Returns whether its turn has come, after `work` multiplications of the other searches.
  bool is_due(double work) const { return work >= due_; }
  /// Bounds some nodes. `work`: that of is_due(). Within the budget, the bound does not depend on
  /// the number of threads.
  void advance(double work, int threads, Budget& budget);

  /// An upper bound on the value of every support; infinity before the first turn.
  double bound() const { return tree_.bound(); }
  /// Returns whether the value is the optimum, but for rounding.
  bool proves(double value) const;
  /// Number of nodes that were bounded.
  Index nodes() const { return tree_.nodes(); }
  /// The certificate of bound().
  std::shared_ptr<const BoundCertificate> certificate() const;

 private:
  const Support& variables_;
  double cubed_;  // |variables|^3
  OverlapTree tree_;
  double due_;
};

}  // namespace spca
