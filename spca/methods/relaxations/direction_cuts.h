#pragma once

/// Branching on the direction x = Av / ||Av|| of a support, for the relaxation for a given
/// cardinality (cardinality_relaxation.h).
///
/// If the relaxation's X has two large eigenvalues, with eigenvectors e and f, it mixes directions
/// that no single x combines. Let a = e'x, b = f'x. Every x is in one of three parts, each
/// described by a quadratic form x'Cx >= 0:
///
///   |b| <= slope |a|        C = slope^2 ee' - ff'
///   a (b - slope a) >= 0    C = (ef' + fe') / 2 - slope ee'
///  -a (b + slope a) >= 0    C = -(ef' + fe') / 2 - slope ee'
///
/// With X in place of xx' this is a linear condition, Tr CX >= 0. If slope^2 is less than the
/// second eigenvalue divided by the first, X violates the condition of the first part. In the other
/// two parts Tr CX is -slope times the first eigenvalue, so X violates their conditions as well.
///
/// With multipliers mu >= 0 the bound of a part with the conditions C_l is
///
///   cost + lambda_max(HH' + sum_l mu_l C_l)
///
/// with H and cost of cardinality_relaxation.h: for x in the part the added sum is not negative.
/// The bound holds for any mu >= 0, any e, f and slope.
///
/// Source  this project

#include <array>
#include <functional>
#include <memory>
#include <vector>

#include "spca/base/types.h"

namespace spca {

/// The division of a node into three parts.
struct DirectionBranch {
  Matrix basis;      // n x 2: e and f
  double slope = 0;  // >= 0
};
inline constexpr int kDirectionParts = 3;

/// The condition x'Cx >= 0 with C = basis form basis'.
struct DirectionCut {
  std::shared_ptr<const DirectionBranch> branch;
  Eigen::Matrix2d form;
};

/// The condition of a part, 0 <= part < kDirectionParts, in the order above.
DirectionCut direction_cut(std::shared_ptr<const DirectionBranch> branch, int part);

/// Conditions with their multipliers.
class DirectionCuts {
 public:
  DirectionCuts() = default;
  /// `multipliers`: of the first cuts; missing and negative ones count as zero. `stiffness` > 0: of
  /// penalty().
  DirectionCuts(std::vector<DirectionCut> cuts, const Vector& multipliers, double stiffness);

  bool empty() const { return cuts_.empty(); }
  const Vector& multipliers() const { return multipliers_; }
  /// The penalty of the augmented Lagrangian at X = YY', which is added to the objective. Adds its
  /// derivative by Y to `gradient`, if that is not null.
  double penalty(const Matrix& y, Matrix* gradient) const;
  /// Sets the multipliers to those of the penalty at Y.
  void update(const Matrix& y);
  /// Adds sum_l mu_l C_l W to `result`.
  void add_times(const Matrix& w, Matrix& result) const;
  /// Adds sum_l mu_l C_l to the n x n `curvature`.
  void add_to(Matrix& curvature) const;

 private:
  /// The multiplier of the penalty at Y.
  double multiplier_at(std::size_t cut, const Matrix& projected) const;

  std::vector<DirectionCut> cuts_;
  Vector multipliers_;
  double stiffness_ = 1;
};

}  // namespace spca
