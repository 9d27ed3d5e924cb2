#pragma once

/// How much the supports with a given first variable can be worth beyond their prices, by sums of
/// squares of S.
///
/// Let the variables have an order. The leader of a support is the first of its variables. So the
/// supports of k variables are divided by their leaders, and those of leader i hold i and m = k - 1
/// of the variables after i, its partners. As in squares_tree.h (1) and (4), for all c and s > 0 each
/// of them, J the partners, has lambda_max(S_II) < c or
///
///   lambda_max(S_II) <= c + s / 2 + (max(S_ii - c, 0)^2 + sum over J of u_j) / (2 s)
///   u_j = (S_jj - c)^2 + 2 S_ij^2 + sum over l of J, l != j, of S_jl^2
///
/// A variable of J is in the sums of m - 1 others. So a part a of its price q may be paid there, and the
/// rest on its own:
///
///   lambda_max(S_II) - q(I) <= c + s / 2 + max(S_ii - c, 0)^2 / (2 s) - q_i + sum over J of w_j   (1)
///   w_j = ((S_jj - c)^2 + 2 S_ij^2 + the m - 1 largest S_jl^2 - 2 s a q_l / (m - 1)) / (2 s)
///         - (1 - a) q_j
///
/// The m largest w_j give a bound. A partner with which (1) cannot exceed the target is dropped. Given
/// J, the best c and s have a closed form, which leads to the next c and s. A support with lambda_max
/// < c is worth less than the target, for c stays below the target and q_i.
///
/// The largest variance leads first. So no partner has more variance than the leader, and c and s fit
/// all of a part.
///
/// Source  Gilmore and Lawler, as in squares_tree.h; the division by the first variable and the rest
///         are this project's

#include <limits>
#include <vector>

#include "spca/base/types.h"
#include "spca/methods/bounds/support_pricing.h"

namespace spca {

/// The supports of k variables that hold the leader and otherwise partners only.
struct LeaderPart {
  Index leader = 0;
  Support partners = {};  // ascending
  /// None is worth more beyond its prices, or the target is larger than all.
  double bound = std::numeric_limits<double>::infinity();
};

/// All supports, by leader: the largest variance first, and the first of equal ones. O(p^2).
std::vector<LeaderPart> parts_by_leader(const Matrix& matrix);

class LeaderBound {
 public:
  /// `matrix` is S, p x p, positive semidefinite; both must outlive the object. `pricing` has p
  /// prices and a target; 1 <= k <= p.
  LeaderBound(const Matrix& matrix, const SupportPricing& pricing, Index k);

  /// Lowers the bound of the part, and drops partners. Returns whether a support may exceed the
  /// target. O(|partners|^2), some ten times.
  bool reduce(LeaderPart& part) const;

 private:
  struct Tangent {
    double shift = 0;  // c
    double s = 0;
  };
  /// (1) without its last sum, and of each partner w_j and the squares in it.
  struct Worths {
    double constant = 0;
    Vector own;
    Vector pairs;
  };
  bool obey_rules(LeaderPart& part) const;
  Worths weigh(const LeaderPart& part, const Matrix& squares, const Tangent& tangent) const;
  bool drop_by(LeaderPart& part, const Matrix& squares, Tangent& tangent) const;
  Tangent next_tangent(const LeaderPart& part, const Worths& worths, const Support& best,
                       const Tangent& tangent) const;
  double most_shift(const LeaderPart& part) const;

  const Matrix& matrix_;
  const SupportPricing& pricing_;
  Index k_;
  double scale_;  // largest variance, or 1
};

}  // namespace spca
