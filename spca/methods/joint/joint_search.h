#pragma once

/// Local search for disjoint supports on a dense matrix S of moderate size. It combines ascent by
/// assignments, exchanges of variables, and random changes to escape from local optima.
///
/// Ascent
///   Let v_j be unit with S_{I_j} v_j = lambda_j v_j, and W_j = S v_j / sqrt(lambda_j). The
///   squares of W_j over I_j sum to lambda_j. For other supports I'_j they sum to at most
///   lambda_max(S_{I'_j I'_j}): with S = B'B and x = B v_j / ||B v_j|| they are ||B_{I'}' x||^2.
///   So the best assignment for the weights W_ij^2 explains no less than the supports before.
///
/// Exchange
///   Replaces a variable of a support by a free one or by one of another support, or does both
///   along a chain of two supports. The support I with o in place of i explains at least the larger
///   eigenvalue of S on the span of e_o and of the leading vector of I without i. An exchange is
///   made if this shows that the total rises.

#include <vector>

#include "spca/base/random.h"
#include "spca/base/types.h"
#include "spca/dense/assignment.h"

namespace spca {

/// Supports, with the variance that each explains.
struct JointSupports {
  std::vector<Support> supports = {};  // r
  std::vector<Vector> loadings = {};   // r, unit, on the supports
  Vector values = {};                  // r: lambda_max of S on each support
  double total() const { return values.sum(); }
  bool is_empty() const { return supports.empty(); }
};

/// Returns `state`, whose supports are positions among the variables `before`, with positions among
/// `after`, which contains the variables of all supports. Both lists are in ascending order.
JointSupports moved(const JointSupports& state, const Support& before, const Support& after);

/// An object must be used by one thread only.
class JointSearch {
 public:
  /// S must outlive the search. k_j >= 1, k_1 + ... + k_r <= p.
  JointSearch(const Matrix& matrix, std::vector<Index> cardinality);

  /// Scores disjoint supports, none of which is empty.
  JointSupports evaluate(std::vector<Support> supports) const;
  /// Ascends by assignments. Never lowers the total. `history`, if not null, receives the total
  /// after every step.
  void ascend(JointSupports& state, std::vector<double>* history = nullptr);
  /// Makes exchanges, each followed by ascents, until none is known to raise the total.
  void exchange(JointSupports& state, std::vector<double>* history = nullptr);
  /// Scores disjoint supports, then ascends and exchanges.
  JointSupports local_optimum(std::vector<Support> supports);
  /// Rebuilds one to three supports from random directions, or lets some variables change places.
  /// The supports stay disjoint, and full if they were full.
  std::vector<Support> perturbed(const JointSupports& state, Random& random);

 private:
  struct Exchange {
    double gain = 0;
    int a = -1;          // the support that gives up `a_member` and takes `in`
    Index a_member = 0;  // position of the member given up
    Index in = 0;
    int b = -1;  // the support that takes a's member in exchange for its own; -1 for none
    Index b_member = 0;
  };
  void measure(const JointSupports& state, int j);
  Exchange best_exchange(const JointSupports& state);
  Vector optimum(const Support& support, const Vector& start, double& value) const;
  void rebuild(std::vector<Support>& supports, const std::vector<int>& which, Random& random);
  void shuffle_members(std::vector<Support>& supports, Random& random) const;

  const Matrix& matrix_;
  std::vector<Index> cardinality_;
  Assignment assignment_;
  Matrix weights_;                 // p x r
  std::vector<Matrix> worth_;      // by component, p x k_j: the lower bounds of measure()
  std::vector<Support> measured_;  // by component: the support to which worth_ belongs
  std::vector<int> owner_;         // by variable: its component, or -1
};

}  // namespace spca
