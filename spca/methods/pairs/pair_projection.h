#pragma once

/// The projections of pair_bound.h (4), each on the nearest point of a set.

#include <vector>

#include "spca/base/types.h"

namespace spca {

/// Projects on y^2 <= a b, a, b >= 0, in the distance 2 dy^2 + da^2 + db^2.
void project_pair(double& y, double& a, double& b);

/// Projects on 0 <= d_l <= d_i, sum of d_l over l != i at most (k - 1) d_i.
///
/// With t = d_i and c the multiplier of the sum, d_l = clamp(d_l - c, 0, t). If it is known which
/// d_l are 0, which are t and which are between, two linear equations give t and c. The new t and c
/// give a new partition, and so on. The iteration starts from the last t and c of row i and takes
/// two or three steps if rows change little. If the partition does not settle, t and c are found by
/// bisection.
class RowProjection {
 public:
  explicit RowProjection(Index k) : k_(k) {}

  void project(Eigen::Ref<Vector> row, Index i);

 private:
  struct Levels {
    double top = 0;  // t
    double cut = 0;  // c
  };
  /// Returns whether the partition settled.
  bool settle(const Eigen::Ref<const Vector>& row, Index i, Levels& levels) const;
  Levels bisect(const Eigen::Ref<const Vector>& row, Index i);
  /// The multiplier of the sum if the others are at most `top`; 0 if their sum is within its limit.
  double multiplier(double top) const;
  /// Minus the derivative of half the squared distance by d_i, without the term of d_i itself.
  double pull(double top) const;

  Index k_;
  std::vector<Levels> last_;     // for each i
  std::vector<double> falling_;  // the positive d_l, l != i
  std::vector<double> sums_;     // cumulative sums of falling_
};

/// Projects on d >= 0, sum d <= limit. Returns the multiplier of the sum, 0 if the sum is below
/// `limit`, which is at least 0.
double project_on_simplex(Eigen::Ref<Vector> column, double limit = 1);

/// Projects on d >= 0, least <= sum d <= limit. Returns the multiplier of the sum, which is
/// negative if the sum has to rise; 0 <= least <= limit.
double project_on_sums(Eigen::Ref<Vector> column, double least, double limit);

/// The same, and u <= 1, u <= sum d. Returns the multiplier of the sum less that of u <= sum d.
/// `limit` is a whole number, and so is `least`.
double project_on_union(Eigen::Ref<Vector> column, double& u, double least, double limit);

/// Projects on d >= 0, sum d = r u, least <= u <= most. Returns the multiplier of the sum, which is
/// negative if the sum has to rise; r >= 1, 0 <= least <= most.
double project_on_multiple(Eigen::Ref<Vector> column, double& u, double r, double least,
                           double most);

}  // namespace spca
