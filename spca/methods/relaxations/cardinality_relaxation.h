#pragma once

/// The convex relaxation for a given cardinality, with some variables chosen and some left out. It
/// gives an upper bound, mostly within a percent of the value of the best support, and tests that
/// settle single variables.
///
/// Let S = A'A, a_i the columns of A. The supports in question hold the chosen variables P, and
/// m = k - |P| of the candidates C. For each such support I
///
///   lambda_max(S_II) = max over unit x of the sum over I of (a_i'x)^2
///     <= min over price >= 0 of
///        price m + max over X of sum over P of a_i'Xa_i + sum over C of t_i(X, price)          (1)
///
/// with X positive semidefinite of trace 1 and t_i the terms of relaxation_terms.h. The price is
/// the multiplier of |I| = k. The right side is convex in the price and concave in X, so min and
/// max are interchangeable: evaluate() minimises over the price at a given X, and an ascent over X
/// maximises the result. At the end price m + lambda_max(HH'), with H of relaxation_terms.h, is a
/// bound for *any* X and any price >= 0. It is near (1) if X is near the maximum.
///
/// Prices. With mu_i >= 0 for each variable, the relaxation bounds the maximum of lambda_max(S_II)
/// less the sum of mu over I. The mu of chosen variables are constants; the mu of a candidate is
/// added to the price:
///
///   price m - sum over P of mu_i + max over X of sum over P of a_i'Xa_i
///     + sum over C of t_i(X, price + mu_i)                                                    (2)
///
/// Since price >= 0, supports of fewer candidates than m are bounded as well.
///
/// An evaluation costs O(n q) per variable, for A with n rows and X = YY' with q columns of Y.
///
/// Source  A. d'Aspremont, F. Bach, L. El Ghaoui, JMLR 9:1269, 2008 (the relaxation for one price
///         and its dual matrices); the price as a variable, the chosen variables and the tests that
///         settle variables are this project's

#include <functional>
#include <vector>

#include "spca/base/types.h"
#include "spca/methods/relaxations/direction_cuts.h"
#include "spca/methods/relaxations/relaxation_terms.h"

namespace spca {

class CardinalityRelaxation {
 public:
  /// `columns`: the columns of A for the `chosen` variables of P, then for those of C;
  /// 0 <= to_choose <= |C|.
  CardinalityRelaxation(Matrix columns, Index chosen, Index to_choose);
  CardinalityRelaxation(std::shared_ptr<const RelaxationColumns> columns, Index chosen,
                        Index to_choose);
  /// `prices`: mu of the variables in P, then of those in C, in the units of S.
  CardinalityRelaxation(std::shared_ptr<const RelaxationColumns> columns, Index chosen,
                        Index to_choose, const Vector& prices);
  CardinalityRelaxation(const CardinalityRelaxation&) = delete;
  CardinalityRelaxation& operator=(const CardinalityRelaxation&) = delete;

  /// The relaxation's value at X = YY' + floor ||Y||_F^2 I, floor > 0, minimised over the price. If
  /// `gradient` is not null it receives the derivative by Y; its component along Y has no meaning.
  /// The search for the price starts from the last price.
  double evaluate(const Matrix& y, double floor, Matrix* gradient);
  /// Sets the point and its price, without computing the value.
  void set(const RelaxationPoint& point);

  double price() const { return price_; }
  /// The price of each candidate, with its mu_i.
  Eigen::ArrayXd prices() const { return price_ + terms_.extra(); }
  /// Sets a lower limit of the price in evaluate(): a bound holds at any price.
  void set_least_price(double least) { least_price_ = least; }
  /// Sets the price from which evaluate() starts.
  void begin_with(double price) { price_ = price; }
  /// The share of each candidate: -d t_i / d price, in 0..1 if X has trace 1. The shares sum to
  /// to_choose at the best price, and to more below it.
  const Eigen::ArrayXd& shares() const { return terms_.shares(); }
  /// For each candidate, a lower bound on the decrease of the value at the last X if a branch takes
  /// or excludes the candidate: the smaller of t_i and t_i - (a_i'Xa_i - price_i).
  Eigen::ArrayXd branch_losses() const;
  const RelaxationColumns& columns() const { return *columns_; }
  Index chosen() const { return chosen_; }
  /// ||a_i||^2 of each candidate.
  const Vector& lengths() const { return terms_.lengths(); }
  /// H, n x (|P| + |C|), at the point of the last evaluate() or set(), for columns that are formed.
  Matrix dual_columns() const { return terms_.dual_columns(); }
  RelaxationTerms::DualForm dual_form() const { return terms_.dual_form(); }
  /// price m, less mu of the chosen variables: the constant that is added to lambda_max(HH').
  double cost() const { return price_ * static_cast<double>(to_choose_) - paid_; }

 private:
  void solve_price();

  std::shared_ptr<const RelaxationColumns> columns_;
  Index chosen_;
  Index to_choose_;
  RelaxationTerms terms_;
  double paid_ = 0;  // sum of mu of the chosen variables
  double price_ = 0;
  double least_price_ = 0;
};

/// The variables that the bound of H settles. `limit` is the value that a support has to exceed. A
/// candidate is
///   out     if every support with it is bounded by the limit. In its bound a_i a_i' - price_i I
///           replaces h_i h_i'
///   inside  if every support without it is bounded by the limit. In its bound h_i h_i' is left out
struct SettledVariables {
  double bound = 0;  // cost() + lambda_max(HH')
  /// Leading eigenvectors of HH', n x at most `directions`. The last one is that of lambda_max.
  Matrix directions;
  std::vector<Index> out;     // positions among the candidates
  std::vector<Index> inside;  // positions among the candidates
};

/// Settles candidates by the bound of H at the relaxation's point. A candidate can be settled out
/// only if the bound exceeds the limit by less than its price. If A is formed, the tests need all
/// eigenvectors of HH', so none is settled if n exceeds kLargestSettled. If A is not formed,
/// candidates are only settled out, by a test that needs no eigenvector; `keep_going` is then
/// called before each product with A, and the bound is infinity if it returns false.
SettledVariables settle_variables(const CardinalityRelaxation& relaxation, double limit,
                                  Index directions, const std::function<bool()>& keep_going);
/// The same as settle_variables() above, for the directions that satisfy `cuts`: HH' + sum_l mu_l
/// C_l replaces HH'. `cuts` must be empty if A is formed and n exceeds kLargestSettled.
SettledVariables settle_variables(const CardinalityRelaxation& relaxation,
                                  const DirectionCuts& cuts, double limit, Index directions,
                                  const std::function<bool()>& keep_going);
SettledVariables settle_variables(const CardinalityRelaxation& relaxation, double limit,
                                  Index directions);

/// At most this dimension n of a formed factor: beyond it, a search settles no variables and does
/// not divide nodes. Chosen by trial, not measured.
inline constexpr Index kLargestSettled = 1000;

}  // namespace spca
