#pragma once

/// The division by counts of variables (overlap_tree.h) for one component: a count is 0 or 1. Its
/// nodes are bounded by pairs of variables. That takes longer than the bounds of squares_tree.h and
/// relaxation_tree.h, and is much stronger where many variables are alike
/// (bench/notes/2026-11-29-one-component-pairs.md).

#include <memory>

#include "spca/methods/pairs/overlap_tree.h"
#include "spca/solving/certificate.h"

namespace spca {

class OneComponentTree {
 public:
  /// `matrix`: S, p x p, which must outlive the tree and have a positive eigenvalue. `conditions`:
  /// those of PairConditions::shared() or charged(), of one component, or stricter ones. A bound of
  /// at most `target` is not lowered.
  OneComponentTree(const Matrix& matrix, const PairConditions& conditions, double target);
  /// For any support of k variables. `value`: that of one.
  OneComponentTree(const Matrix& matrix, Index k, double value);

  /// Returns whether p is from 2 to 600.
  static bool is_possible(Index p);
  /// Returns whether the variables, ascending, are 2 to 600 and all that vary.
  static bool is_possible(const Covariance& covariance, const Support& variables);

  /// Returns whether its turn has come, after `work` multiplications of the other searches.
  bool is_due(double work) const { return work >= due_; }
  /// Bounds some nodes. `work`: that of is_due(). Within the budget, the bound does not depend on
  /// the number of threads.
  void advance(double work, int threads, Budget& budget);

  /// An upper bound on the value of every support, less its charges. Infinity before the first
  /// turn.
  double bound() const { return tree_.bound(); }
  /// Returns whether the value is the optimum, but for rounding.
  bool proves(double value) const;
  /// Number of nodes that were bounded.
  Index nodes() const { return tree_.nodes(); }
  /// The proof of bound(), for check_overlap_proof().
  const OverlapProof& proof() const { return tree_.proof(); }
  /// The certificate of bound() for any support. `variables`: those of is_possible(), of which
  /// `matrix` is S.
  std::shared_ptr<const BoundCertificate> certificate(const Support& variables) const;

 private:
  double work_of_node_;  // in multiplications, roughly
  OverlapTree tree_;
  double due_;
};

}  // namespace spca
