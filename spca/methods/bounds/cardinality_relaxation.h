#pragma once

/// The convex relaxation for a given cardinality, with some variables chosen and some left out: an
/// upper bound that is mostly within a percent of the best support, and what it says of single
/// variables.
///
/// With S = A'A, a_i the columns of A, and supports I of k variables that hold P and otherwise only
/// candidates C, m = k - |P|,
///
///   lambda_max(S_II) = max over unit x of sum over I of (a_i'x)^2
///     <= min over price >= 0 of price m
///        + max over X of sum_P a_i'Xa_i + sum_C [lambda_max(X^(1/2) (a_i a_i' - price I)
///        X^(1/2))]_+
///
/// X positive semidefinite of trace 1: price is the multiplier of |I| = k. The right side is convex
/// in price and concave in X, so that min and max may trade places: evaluate() takes the least over
/// price at a given X = YY' + floor ||Y||_F^2 I and its gradient by Y. Any Y, floor > 0 and price
/// give a bound, price m + lambda_max(HH'), with columns
///
///   h_i = a_i                                                   i in P
///   h_i = (a_i (a_i'z_i) - price z_i) / sqrt((a_i'z_i)^2 - price ||z_i||^2),
///         z_i = X (price X + t_i I)^-1 a_i                      i in C with ||a_i||^2 > price
///
/// since h_i h_i' >= a_i a_i' - price I for any z_i that makes the root real; t_i, the positive
/// eigenvalue in the sum, makes HH' the gradient. O(n q) a variable for A of n rows and Y of q
/// columns.
///
/// Source  A. d'Aspremont, F. Bach, L. El Ghaoui, JMLR 9:1269, 2008 (the relaxation for one price
///         and its dual matrices); the rest is this project's

#include <vector>

#include "spca/base/types.h"

namespace spca {

/// All that a bound is computed from.
struct RelaxationPoint {
  Matrix y;  // n x q
  double floor = 0;
  double price = 0;
};

class CardinalityRelaxation {
 public:
  /// `columns`: A of the variables in P, `chosen` of them, and then in C; 0 <= to_choose <= |C|.
  CardinalityRelaxation(Matrix columns, Index chosen, Index to_choose);

  /// The relaxation's value at X, of the price that makes it least, and where `gradient` is not
  /// null its derivative by Y, whose part along Y means nothing. The search for the price begins
  /// with the last one.
  double evaluate(const Matrix& y, double floor, Matrix* gradient);
  /// The same for the given price, without value.
  void set(const RelaxationPoint& point);

  double price() const { return price_; }
  void begin_with(double price) { price_ = price; }
  /// By how much each candidate counts: -d t_i / d price, in 0..1 and more than to_choose in all
  /// where the price is below the best.
  const Eigen::ArrayXd& shares() const { return shares_; }
  const Matrix& columns() const { return columns_; }
  /// H, n x (|P| + |C|), at the point of the last evaluate() or set().
  Matrix dual_columns() const;
  /// price m: what lambda_max(HH') is added to.
  double cost() const { return price_ * static_cast<double>(to_choose_); }

 private:
  void prepare(const Matrix& y, double floor);
  void solve_terms();
  void solve_price();

  Matrix columns_;
  Index chosen_;
  Index to_choose_;
  Vector lengths_;  // ||a_i||^2 over C
  double price_ = 0;
  // X = basis diag(spread) basis' + the last of spread times the rest of the identity.
  Matrix basis_;           // n x q
  Eigen::ArrayXd spread_;  // q + 1
  Matrix inside_;          // (|P| + |C|) x q: a_i'u_j
  Eigen::ArrayXXd parts_;  // |C| x (q + 1): (a_i'u_j)^2, and what is left of ||a_i||^2
  Eigen::ArrayXd terms_;   // t_i
  Eigen::ArrayXd shares_;
  Eigen::ArrayXd slopes_;  // a_i'X (price X + t_i I)^-2 a_i
};

/// What the bound of H says of single variables. With `limit` the value that a support has to
/// exceed, a candidate is
///   out     where every support with it, for which a_i a_i' - price I can take the place of
///           h_i h_i', is bounded by the limit
///   inside  where every support without it, for which h_i h_i' can go, is
struct SettledVariables {
  double bound = 0;  // price m + lambda_max(HH')
  /// Leading eigenvectors of HH', the last the first, n x at most `directions`.
  Matrix directions;
  std::vector<Index> out;     // positions among the candidates
  std::vector<Index> inside;  // the same
};

/// Candidates are settled where the bound exceeds the limit by less than the price, and where n is
/// at most kLargestSettled.
SettledVariables settle_variables(const CardinalityRelaxation& relaxation, Index chosen,
                                  double limit, Index directions);

inline constexpr Index kLargestSettled = 1000;

}  // namespace spca
