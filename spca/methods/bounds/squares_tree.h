#pragma once

/// Branch and bound for max lambda_max(S_II) over supports I of k variables by sums of squares of
/// S, on a dense S.
///
/// A node has chosen variables P and candidates C: its supports are P and m = k - |P| of C. Two
/// bounds on lambda = lambda_max(S_II) hold for them.
///
/// Squares. For any c let S' = S - c I and Q_ij = (S'_ij)^2. If lambda >= c,
///
///   (lambda - c)^2 = sum over I x I of Q - sum over i >= 2 of lambda_i(S'_II)^2
///                  <= max(lambda_max(S'_PP), 0)^2 + sum over I x I, but not P x P, of Q        (1)
///
/// since the eigenvalues of S'_II interlace those of S'_PP: each eigenvalue of S'_PP except the
/// largest (also that one if it is negative) has a partner among lambda_2, lambda_3, ... of S'_II
/// whose square is not smaller. A small sum of squares makes (1) sharp, so c is the mean of the
/// other eigenvalues of the best support known. With b the term of P and
///
///   u_j = Q_jj + 2 sum over P of Q_pj + the sum of the m - 1 largest Q_ji, i in C, i != j
///   (lambda - c)^2 <= b + the sum of the m largest u_j                                         (2)
///
/// Spectral. With lambda_1 >= lambda_2 the largest eigenvalues on P and C together and z the
/// leading eigenvector, v'Sv <= lambda_2 + (lambda_1 - lambda_2)(z'v)^2 for unit v, and by Cauchy
/// and Schwarz (z'v)^2 <= sum over I of z_i^2:
///
///   lambda <= lambda_2 + (lambda_1 - lambda_2) sum over I of z_i^2                             (3)
///
/// Both (2) and (3) have the form constant + sum over I of a worth w_j. So a candidate that cannot
/// lift the bound over the best known value is dropped, a candidate without which the bound stays
/// below it is chosen, and both are repeated until nothing changes. (3) of the root holds in every
/// node, and there costs only the sum of its worths. All this holds for any symmetric S, indefinite
/// or not.
///
/// Prices (support_pricing.h). With a price q_j >= 0 on each variable, the search maximises
/// lambda_max(S_II) - sum over I of q. A support with lambda < c is then worth less than c, so
/// c stays below the best known value. In (3) the prices are subtracted from the worths. (2) is
/// linearised first: for any s > 0
///
///   lambda - c <= s / 2 + (b + the sum of the u_j) / (2 s)                                    (4)
///
/// with equality if s is the root in (2). All bounds hold for the supports that rules on pairs
/// allow, since these are a subset; consequences of the rules are applied in every node.
///
/// Subtrees are searched depth first by tasks of a fixed amount of work. Those of largest bound
/// come first, or those of smallest bound if very many are open. The number of tasks at a time does
/// not depend on the threads, and so neither does the answer or the number of nodes.
///
/// Source  (1) is Frobenius's bound, with the sum over pairs bounded by (2) as P. C. Gilmore, SIAM
///         J. Appl. Math. 10:305, 1962, and E. L. Lawler, Management Science 9:586, 1963, do for
///         the quadratic assignment problem; the rest is this project's

#include <algorithm>
#include <functional>
#include <limits>
#include <vector>

#include "spca/base/types.h"
#include "spca/methods/bounds/open_nodes.h"
#include "spca/methods/relaxations/support_pricing.h"

namespace spca {

class SquaresTree {
 public:
  /// `matrix` is S, p x p, symmetric; `support`: k of its variables, the best known. Bounds the
  /// root, and builds its tables without the variables that the bound drops, in O(p^2 log p).
  SquaresTree(const Matrix& matrix, const Support& support);
  /// The same constructor; `keep_going` is called before each row of the tables. If it returns
  /// false, the tree has no bound, and must not be advanced.
  SquaresTree(const Matrix& matrix, const Support& support,
              const std::function<bool()>& keep_going);
  /// The same constructor with prices: value() and bound() are of lambda_max(S_II) less the prices
  /// of I. If the rules do not allow `support`, value() is minus infinity until an allowed one is
  /// found.
  SquaresTree(const Matrix& matrix, const Support& support, SupportPricing pricing,
              const std::function<bool()>& keep_going);
  ~SquaresTree();
  SquaresTree(const SquaresTree&) = delete;
  SquaresTree& operator=(const SquaresTree&) = delete;

  /// Returns true if the best support found is an optimum, or none exceeds the target.
  bool is_finished() const { return open_.empty(); }
  /// Searches the most promising subtrees for a while; 1 <= threads.
  void advance(int threads);

  const Support& support() const { return support_; }
  double value() const { return value_; }
  /// An upper bound on the value of every support.
  double bound() const;
  /// Lowers the bound to one found elsewhere.
  void limit(double bound);
  /// Considers a support of k variables found elsewhere, with its value less its prices.
  void consider(const Support& support, double value);
  /// Number of nodes bounded.
  Index nodes() const { return nodes_; }
  /// Number of multiplications so far, roughly: nanoseconds on one core.
  double work() const { return work_; }
  /// The multiplications of the constructor.
  double setup_work() const { return setup_work_; }
  /// Number of variables that could be in a better support than the initial one.
  Index variables_left() const { return variables_left_; }

 private:
  struct Node;
  class Task;
  bool build_tables(const std::function<bool()>& keep_going);
  void bound_root();
  void update_support(const Task& task);
  double least() const { return least(value_); }
  /// The bound above which a subtree stays open, if `value` is the best one.
  double least(double value) const;
  bool has_prices() const { return pricing_.prices.size() > 0; }
  double price(int variable) const { return has_prices() ? pricing_.prices[variable] : 0; }
  double floor() const { return std::max(value_, pricing_.target); }

  Matrix matrix_;                        // S of the remaining variables
  Support variables_;                    // their indices in the given S
  SupportPricing pricing_;               // of the remaining variables
  Matrix squares_;                       // Q
  std::vector<int> partners_;            // row j: the other variables in descending order of Q_ji
  std::vector<double> partner_squares_;  // these Q_ji
  Vector root_worths_;                   // (3) of the root, once it is computed
  double root_constant_ = 0;
  Index k_;
  double shift_ = 0;  // c
  double scale_ = 1;  // largest |S_jj|, or 1
  Support support_;   // indices in the given S
  double value_ = 0;
  double limit_ = std::numeric_limits<double>::infinity();
  OpenNodes<Node> open_;
  Index nodes_ = 0;
  double work_ = 0;
  double setup_work_ = 0;
  Index variables_left_ = 0;
};

}  // namespace spca
