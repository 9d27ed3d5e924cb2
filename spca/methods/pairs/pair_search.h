#pragma once

/// Searches for costs and prices whose bound by pairs is small, by the alternating direction method
/// of multipliers on (4) of pair_bound.h. Y, D and u have a copy for each projection
/// (pair_projection.h, fantope_projection.h), which are drawn to their means. The costs are the
/// residuals of the projections of S.
///
/// Source  S. Boyd, N. Parikh, E. Chu, B. Peleato, J. Eckstein, Foundations and Trends in Machine
///         Learning 3(1), 2011, section 7.1 (copies and means) and 3.4.1 (the weight of the
///         distances)

#include "spca/base/types.h"
#include "spca/methods/pairs/fantope_projection.h"
#include "spca/methods/pairs/pair_bound.h"
#include "spca/methods/pairs/pair_projection.h"

namespace spca {

class PairSearch {
 public:
  /// `matrix`: S, p x p, positive semidefinite, not zero, which must outlive this. 1 <= k, r <= p.
  PairSearch(const Matrix& matrix, Index k, Index r);
  /// The state of `other` for other variables. `positions`: those of the variables in `other`; -1
  /// for a variable that it does not have, which starts at zero. `matrix`: S of the variables,
  /// which must outlive this. set_limits() must follow if supports may overlap.
  PairSearch(const PairSearch& other, const Matrix& matrix, const Support& positions);

  /// One step: O(p^3), for the eigenpairs of a p x p matrix.
  void step();

  /// The current C and mu.
  PairProof proof() const;

  /// The proof from the means of the multipliers over all steps since begin_mean(), at least one.
  /// The steps circle around the optimal multipliers, so the mean may prove a smaller bound than
  /// any single step.
  PairProof mean_proof() const;
  void begin_mean();
  Index steps_of_mean() const { return steps_of_mean_; }

  /// Adjusts the weight, so that the copies converge about as fast as their means settle: raises it
  /// if they are too far apart, lowers it if they are too near.
  void raise_weight_if_far();
  void lower_weight_if_near();
  void lower_weight();

  /// Sets a lower bound on the cost of an unused slot of D_i: `floors` (p, >= 0), in units of S. A
  /// variable outside the core may fill the slot.
  void set_floors(const Vector& floors);

  /// Sets the limits on the sum of each column of D; without them 0 and 1. From then on supports
  /// may overlap, and Y <= Diag(u) if r > 1 or the support is common. The steps continue from where
  /// they are.
  void set_limits(const PairConditions& conditions);

  /// The sum of each column of D: the number of supports that take the variable in the relaxation.
  Vector counts() const { return mean_d_.colwise().sum().transpose(); }

  /// The square root of Y_ii for each variable: the size of its loadings in the relaxation.
  Vector sizes() const { return mean_y_.diagonal().cwiseMax(0.0).cwiseSqrt(); }

 private:
  /// The accumulated differences of the copies from the means: the multipliers divided by the
  /// weight. The diagonal of the pair blocks has no meaning.
  struct Beyond {
    Matrix spectral;
    Matrix pair_y;
    Matrix pair_d;
    Matrix row;
    Matrix column;
    Matrix union_y;  // of Y <= Diag(u); 0 x 0 for disjoint supports
    Vector union_u;
    Vector column_u;

    Beyond at(const Support& positions) const;
  };

  /// The parts of a proof.
  struct Multipliers {
    Matrix spectral;
    Matrix pairs;
    Vector prices;
    Matrix of_union;  // Lambda
  };

  void add_to_mean();
  void multiply_weight(double factor);
  bool has_union() const { return beyond_.union_y.size() > 0; }
  Matrix of_union() const;
  void project_columns(Matrix& columns, Vector& column_u);
  struct Copies;
  void project_pairs_and_sums(Copies& copies);
  void project_union(Copies& copies) const;
  void update_means(Copies& copies);

  const Matrix& matrix_;
  FantopeProjection fantope_;
  RowProjection rows_;
  Index p_;
  Index k_;
  Index r_;
  double weight_;
  Vector floors_;
  Vector least_;  // of the sums of the columns of D
  Vector most_;
  bool is_common_ = false;
  Vector charges_;  // of a support for each of its variables
  Matrix mean_y_;
  Matrix mean_d_;
  Vector mean_u_;
  Beyond beyond_;
  Vector prices_;
  double apart_ = 0;  // distance of the copies from their means in the last step
  double moved_ = 0;  // movement of the means in the last step
  Multipliers sums_;  // sums over the steps of the mean
  Index steps_of_mean_ = 0;
};

}  // namespace spca
