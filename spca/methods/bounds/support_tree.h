#pragma once

/// Branch and bound for max lambda_max(S_II) over supports I of k variables, on a dense S.
///
/// A node of the tree has chosen variables P and candidates C: its supports are P and m = k - |P|
/// of C. What bounds lambda = lambda_max(S_II) over them:
///
///   squares   For any c, with S' = S - c I, Q = S' o S' (entry by entry), and lambda >= c,
///               (lambda - c)^2 <= sum over I x I of Q - sum over i >= 2 of lambda_i(S'_PP)^2,
///             since the eigenvalues of S'_II interlace those of S'_PP: those of S'_PP that are
///             positive, but for the first, and those that are negative have distinct partners of
///             no smaller square. So ||S'_PP||_F^2 becomes max(lambda_max(S'_PP), 0)^2. c is the
///             mean of the other eigenvalues of the best support known, which makes the sum of
///             squares small. With b the term of P and
///               u_j = Q_jj + 2 sum_{P} Q_pj + sum of the m - 1 largest Q_jc, c in C,
///             (lambda - c)^2 <= b + the sum of the m largest u_j
///   spectral  With lambda_1 >= lambda_2 the largest eigenvalues on P and C together and z the
///             leading eigenvector, v'Sv <= lambda_2 + (lambda_1 - lambda_2)(z'v)^2, and
///             (z'v)^2 <= sum over I of z_i^2
///
/// Both have the form constant + sum over I of a worth w_j, so that a candidate that cannot lift
/// the bound over the best value known is dropped, one without which the bound stays below it is
/// chosen, and both are repeated until nothing changes. The spectral bound of the root holds in
/// every node, where it costs only the sum of its worths. These arguments hold for any symmetric S
/// and need no eigenvalue of the whole.
///
/// Subtrees are searched depth first by tasks of a fixed amount of work, those of largest bound
/// first, a fixed number at a time: neither the answer nor the number of nodes depends on the
/// threads.

#include <limits>
#include <map>
#include <memory>

#include "spca/base/types.h"

namespace spca {

/// A value counts as matched by a bound that exceeds it by this share of itself: what rounding
/// may add up to on equal supports.
inline constexpr double kBoundRounding = 1e-11;

class SupportTree {
 public:
  /// `matrix` is S, p x p, symmetric; `support`: k of its variables, the best known.
  SupportTree(const Matrix& matrix, const Support& support);
  ~SupportTree();
  SupportTree(const SupportTree&) = delete;
  SupportTree& operator=(const SupportTree&) = delete;

  /// Whether the best support known is an optimum.
  bool is_finished() const { return open_.empty(); }
  /// Searches the most promising subtrees for a while.
  void advance(int threads);

  const Support& support() const { return support_; }
  double value() const { return value_; }
  /// No support has a larger value.
  double bound() const;
  /// Takes in a bound that was found elsewhere.
  void limit(double bound);
  /// Takes in a support of k variables that was found elsewhere, and its value.
  void offer(const Support& support, double value);
  /// Nodes that were bounded.
  Index nodes() const { return nodes_; }
  /// Multiplications so far, roughly: nanoseconds on one core.
  double work() const { return work_; }
  /// Those of the constructor.
  double setup_work() const { return setup_work_; }
  /// Variables that could be in a better support than the first one known.
  Index variables_left() const { return variables_left_; }

 private:
  struct Node;
  class Task;
  using Order = std::pair<double, Index>;  // minus the bound, number
  void prepare();
  void bound_root();
  void drop_closed();

  Matrix matrix_;                        // of the variables left
  Support variables_;                    // their indices in the S given
  Matrix squares_;                       // Q
  std::vector<int> partners_;            // row j: the other variables by falling Q_jc
  std::vector<double> partner_squares_;  // these Q_jc
  Vector root_worths_;                   // the spectral bound of the root, once it is computed
  double root_constant_ = 0;
  Index k_;
  double shift_ = 0;  // c
  Support support_;   // indices in the S given
  double value_ = 0;
  double limit_ = std::numeric_limits<double>::infinity();
  std::map<Order, std::unique_ptr<Node>> open_;
  Index pushed_ = 0;
  Index nodes_ = 0;
  double work_ = 0;
  double setup_work_ = 0;
  Index variables_left_ = 0;
};

}  // namespace spca
