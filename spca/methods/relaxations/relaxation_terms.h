#pragma once

/// The terms that both convex relaxations (for a cardinality and for a penalty) add up, at a matrix
/// X and a price for each variable, and the matrix H that gives an upper bound.
///
/// Let a_i be the columns of A, n x p, with S = A'A, and let X be positive semidefinite, n x n. The
/// variables that are `chosen` already cost nothing: their term is a_i'Xa_i. The other variables
/// are candidates, each with its price_i = price + extra_i: one price is common to all, and extra_i
/// >= 0 is mostly zero. The term of a candidate is
///
///   t_i = [lambda_max(X^(1/2) (a_i a_i' - price_i I) X^(1/2))]_+                              (1)
///
/// It is concave in X. X^(1/2) a_i a_i' X^(1/2) has rank one, so at most one eigenvalue in (1)
/// is positive. It is the root of the secular equation
///
///   a_i'X (price_i X + t I)^-1 a_i = 1                                                        (2)
///
/// With z_i = X (price_i X + t_i I)^-1 a_i, the columns of H are
///
///   h_i = a_i                                                              if i is chosen
///   h_i = (a_i a_i' - price_i I) z_i / sqrt(z_i'(a_i a_i' - price_i I) z_i)
///                                                                          if ||a_i||^2 > price_i
///   h_i = 0                                                                otherwise          (3)
///
/// Every bound is valid because h_i h_i' >= a_i a_i' - price_i I and h_i h_i' >= 0, for *any* z_i
/// that makes the root in (3) real: B = a_i a_i' - price_i I has one positive eigenvalue; hence B -
/// Bzz'B / z'Bz, which vanishes at z, is negative semidefinite if z'Bz > 0. So a bound from H does
/// not depend on X, on t_i, or on the accuracy of the solution of (2).
///
/// The z_i above is the best choice: Tr HH'X is the sum of all terms, and HH' is its gradient by X.
///
/// Source  A. d'Aspremont, F. Bach, L. El Ghaoui, Optimal solutions for sparse principal component
///         analysis, JMLR 9:1269, 2008, sections 4 (the relaxation) and 5 (its dual matrices);
///         (2) and the solution for all terms at once are this project's

#include <functional>
#include <memory>

#include "spca/base/types.h"
#include "spca/methods/relaxations/direction_cuts.h"

namespace spca {

/// A, n x p, available by products; A itself may be formed or not.
class RelaxationColumns {
 public:
  virtual ~RelaxationColumns() = default;
  virtual Index dimension() const = 0;  // n
  virtual Index count() const = 0;      // p
  /// ||a_i||^2 of each column.
  virtual Vector squared_lengths() const = 0;
  /// A'U, p x q, for U of n x q.
  virtual Matrix transposed_times(const Matrix& u) const = 0;
  /// A W, n x q, for W of p x q.
  virtual Matrix times(const Matrix& w) const = 0;
};

/// A formed A.
class DenseColumns final : public RelaxationColumns {
 public:
  explicit DenseColumns(Matrix columns) : columns_(std::move(columns)) {}
  const Matrix& matrix() const { return columns_; }
  Index dimension() const override { return columns_.rows(); }
  Index count() const override { return columns_.cols(); }
  Vector squared_lengths() const override;
  Matrix transposed_times(const Matrix& u) const override;
  Matrix times(const Matrix& w) const override;

 private:
  Matrix columns_;
};

/// The point at which a bound is computed: X = YY' + floor ||Y||_F^2 I, and the common price.
struct RelaxationPoint {
  Matrix y;                       // n x q
  double floor = 0;               // >= 0
  double price = 0;               // >= 0
  Vector multipliers = Vector();  // of the cuts of its node (direction_cuts.h); missing ones are 0
};

class RelaxationTerms {
 public:
  /// `columns`: the columns of A for the `chosen` variables, then for the candidates.
  RelaxationTerms(std::shared_ptr<const RelaxationColumns> columns, Index chosen);
  /// `extra` of each candidate, >= 0.
  RelaxationTerms(std::shared_ptr<const RelaxationColumns> columns, Index chosen,
                  Eigen::ArrayXd extra);

  /// Sets X = YY' + floor ||Y||_F^2 I. Y is n x q and not zero; floor >= 0. O(n p q).
  void move_to(const Matrix& y, double floor);
  /// The terms from which solve() starts: those of the last price, or zero.
  enum class Start { kLastTerms, kZero };
  /// Solves (2) for all candidates at this common price. price >= 0; O(p q) per step, four or five
  /// steps.
  void solve(double price, Start start);

  /// start + Tr HH'X, that is the sum of `start` and all terms.
  double value(double start) const;
  /// 2 HH'Y, n x q: the derivative of value() by Y except for its component along Y, which has no
  /// meaning on the sphere ||Y||_F = constant.
  Matrix gradient(const Matrix& y) const { return gradient(y, 1, Eigen::ArrayXd()); }
  /// The derivative of share * value(0) + sum_i weights_i a_i'Xa_i over the candidates.
  Matrix gradient(const Matrix& y, double share, const Eigen::ArrayXd& weights) const;
  /// a_i'Xa_i of each candidate.
  Eigen::ArrayXd quadratic_forms() const;
  /// H, n x p, for columns that are DenseColumns. Its bound is best if floor > 0; otherwise the z_i
  /// lie in the span of Y.
  Matrix dual_columns() const;
  /// H as A diag(of_column) + U of_basis, for columns that need not be formed.
  struct DualForm {
    Eigen::ArrayXd of_column;  // p
    Matrix of_basis;           // q x p
    Matrix basis;              // U, n x q, orthonormal
    Matrix inside;             // A'U, p x q
  };
  DualForm dual_form() const;

  /// ||a_i||^2 of each candidate.
  const Vector& lengths() const { return lengths_; }
  /// The cost of each candidate beyond the common price.
  const Eigen::ArrayXd& extra() const { return extra_; }
  /// -d t_i / d price of each candidate, between 0 and lambda_max(X).
  const Eigen::ArrayXd& shares() const { return shares_; }
  /// t_i of each candidate.
  const Eigen::ArrayXd& terms() const { return terms_; }
  /// -d (sum of all shares) / d price, >= 0.
  double share_decrease() const;
  /// Moves the terms along their tangents to another price: a better start for solve().
  void follow(double next_price);

 private:
  const DenseColumns& dense() const;

  std::shared_ptr<const RelaxationColumns> columns_;
  Index chosen_;
  Vector chosen_lengths_;
  Vector lengths_;
  Eigen::ArrayXd extra_;
  double price_ = 0;       // common to all
  Eigen::ArrayXd prices_;  // of each candidate
  // X = basis diag(spread) basis' + least (the rest of the identity).
  Matrix basis_;           // n x q, orthonormal columns u_j
  Eigen::ArrayXd spread_;  // q, and `least` as an additional entry if it is positive
  double least_ = 0;
  Matrix inside_;          // p x q: a_i'u_j
  Eigen::ArrayXXd parts_;  // one row per candidate: (a_i'u_j)^2, and the remainder of ||a_i||^2
  Eigen::ArrayXd terms_;   // t_i
  Eigen::ArrayXd shares_;
  Eigen::ArrayXd slopes_;  // a_i'X (price_i X + t_i I)^-2 a_i
};

/// Returns Y rotated so that its columns are orthogonal, longest first, without negligible ones:
/// the same YY'.
Matrix orthogonal_columns(const Matrix& y);

/// lambda_max(HH').
double largest_curvature(const Matrix& dual_columns);
/// The same as largest_curvature(), with the eigenvectors of HH' whose eigenvalues exceed `above`,
/// by falling eigenvalue, n x at most `count`.
struct Curvature {
  double largest = 0;
  Matrix directions;
};
Curvature leading_curvature(const Matrix& dual_columns, Index count, double above);

/// Returns the same as leading_curvature() for HH' + sum_l mu_l C_l and an H that is not formed, by
/// a block Krylov space that starts from U and two generic vectors. `largest` is at least
/// lambda_max: the complement of the largest Ritz vector is searched for missed eigenvalues
/// (spca/spectrum/complement_bound.h). `directions` are the Ritz vectors of the `count` largest
/// values, orthonormal. `largest` is infinity, and there are no directions, if `keep_going`, called
/// before each product, returns false, or if kMostComplementBounds searches still miss eigenvalues.
/// Products with A take most of the time. The memory is that of kLargestSpace vectors of length n,
/// as many products, and the blocks of the search.
Curvature curvature_by_products(const RelaxationColumns& columns,
                                const RelaxationTerms::DualForm& form, const DirectionCuts& cuts,
                                Index count, const std::function<bool()>& keep_going);
/// At most this number of vectors span the space of curvature_by_products(). Chosen by trial, not
/// measured.
inline constexpr Index kLargestSpace = 160;

}  // namespace spca
