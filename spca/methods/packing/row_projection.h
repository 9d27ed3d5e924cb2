#pragma once

/// The projection of a row on what a row of x x' can be (row_bound.h (3)).
///
/// For a row v with the entry v_i at the variable itself, min ||y - v||^2 s.t. sum of y_l^2 / Z_l <=
/// y_i - y_i^2, 0 <= Z_l <= 1, sum of Z_l <= k - 1 over l != i. With a multiplier s,
///
///   y_i = (v_i + s) / (1 + 2 s), y_l = v_l Z_l / (Z_l + 2 s), Z_l = |v_l| c - 2 s within 0..1
///
/// and c makes the sum of Z_l k - 1. Both sides of the constraint are monotone in s.

#include <vector>

#include "spca/algebra/dense_products.h"
#include "spca/base/types.h"

namespace spca {

/// What a row of G costs (row_bound.h (2)).
struct RowCost {
  double worth = 0;  // w
  double least = 0;  // the (k-1)-th largest |G_il|, l != i; 0 if there are fewer
};
RowCost row_cost(const VectorRef& row, Index i, Index k);
/// w of G_ii and b_i^2.
double row_worth(double own, double squares);

class RowProjection {
 public:
  /// Of rows of p entries.
  RowProjection(Index p, Index k);

  /// `image` = v - argmin over g of max(0, w(g) - price) + ||g - v||^2 / 2: the projection on z C_i
  /// for the z in 0..1 that the price leaves. Returns z.
  double project(const VectorRef& row, Index i, double price, Eigen::Ref<Vector> image);

 private:
  struct Multipliers {
    double s = 0;
    double c = 0;
  };
  void sort(const VectorRef& row, Index i);
  Multipliers solve(double own, double scale, double first) const;
  double find_c(double sigma, double scale, double& left) const;
  double worth_left(const Multipliers& at, double own, double scale) const;

  Index k_;
  std::vector<double> falling_;  // |v_l|, l != i, the largest
  std::vector<double> sums_;     // of the first ones
  std::vector<double> squares_;  // the same of squares
  std::vector<double> last_;     // s of each row, where the next search begins
};

}  // namespace spca
