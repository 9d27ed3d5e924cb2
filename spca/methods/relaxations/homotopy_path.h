#pragma once

/// The path of the homotopy from a rank-one X = YY' to the convex relaxation and back to rank one.
/// It passes through the points of the paper: A is the start, B solves the relaxation, C has rank
/// one again. At mu = 1 some maximum has rank one, because f_cvx is convex: the last step, to the
/// leading eigenvector of its gradient, does not lower f_cvx.
///
/// Source  M. Journee, F. Bach, P.-A. Absil, R. Sepulchre, Refining sparse principal components,
///         2010, section 3 and equations (5) (B) and (6) (from B to C)

#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "spca/methods/relaxations/penalty_relaxation.h"
#include "spca/solving/budget.h"

namespace spca {

struct HomotopyRule {
  Index steps = 20;         // number of steps of mu from 0 to 1; the paper has 20
  double tolerance = 1e-7;  // an ascent continues for relative gains above this
  double gap = 1e-3;        // if the gap to the dual is larger, f_ccv is smoothed as well
  bool evolution = false;   // record the data of release_evolution()
};

/// Values are in the units of S. Every loop counts its iterations with the budget, which may end
/// any of them: the state reached is usable.
class HomotopyPath {
 public:
  /// rho >= 0 in the units of S, below the largest variance; rule and budget must outlive the path.
  HomotopyPath(const Covariance& covariance, double rho, const HomotopyRule& rule, Budget& budget)
      : variables_(covariance.variables()),
        rule_(rule),
        budget_(budget),
        rho_(rho),
        relaxation_(covariance, rho) {}

  const PenaltyRelaxation& relaxation() const { return relaxation_; }

  /// Goes to the point A: Y = x = Fv / ||Fv||, with F the factor of the relaxation and v the
  /// component. If the penalty eliminates all variables of v, x is the longest column of F.
  void begin(const Component& component);
  /// Goes from A to B: max f_ccv(YY') over ||Y||_F = 1. No step lowers it.
  void relax();
  /// Goes from B to C: max mu f_cvx + (1 - mu) f_ccv, mu from 0 to 1, until Y has rank one. If
  /// its rank is larger at mu = 1, a step on f_cvx makes it one. Then the power steps of gpower-l0
  /// follow.
  void project();

  /// mu f_cvx + (1 - mu) f_ccv at Y, and their common value at a unit vector x.
  double value(double mu) const { return unit() * relaxation_.value(y_, mu); }
  double value_at(const Vector& x) const { return unit() * relaxation_.value(x, 1); }
  /// The leading eigenvector of YY', and the rank of YY'.
  Vector leading_vector() const { return orthogonal_columns(y_).col(0).normalized(); }
  Index rank() const { return orthogonal_columns(y_).cols(); }
  /// The largest eigenvalue of YY' at the end of the steps of mu; 1 means rank one.
  double largest_weight_reached() const { return largest_weight_reached_; }
  /// The least bound found on max v'Sv - rho ||v||_0, and its certificate.
  double bound() const { return unit() * bound_; }
  std::shared_ptr<const BoundCertificate> certificate() const {
    return std::make_shared<PenaltyCertificate>(rho_, dual_point_, dual_floor_);
  }
  /// Moves out evolution_mu, _rank, _f_ccv, _f_cvx, _f_EVD and _lambda_max, for Figure 1 of the
  /// paper: in turn at A, after each iteration of the ascents, at the end of the smoothing if it
  /// raised f_ccv, and at the end of the power steps.
  std::vector<std::pair<std::string, double>> release_evolution() { return std::move(evolution_); }

 private:
  double unit() const { return relaxation_.unit(); }
  double largest_weight() const { return orthogonal_columns(y_).col(0).squaredNorm(); }
  double value_on(const Matrix& y, double floor, Matrix* gradient) const {
    return floor > 0 ? relaxation_.smoothed_value(y, floor, gradient)
                     : relaxation_.value(y, 0, gradient);
  }
  void ascend(double mu);
  void update_bound(double bound, const Matrix& y, double floor);
  bool add_columns(Matrix& y, double floor);
  void relax_smoothed();
  Vector polished(Vector x);
  void record(const Matrix& y, double mu);

  Index variables_;
  const HomotopyRule& rule_;
  Budget& budget_;
  double rho_;
  PenaltyRelaxation relaxation_;
  Matrix y_;
  double bound_ = std::numeric_limits<double>::infinity();
  Matrix dual_point_;  // the point of the best bound
  double dual_floor_ = 0;
  double largest_weight_reached_ = 1;
  std::vector<std::pair<std::string, double>> evolution_;
};

}  // namespace spca
