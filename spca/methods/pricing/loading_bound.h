#pragma once

/// An upper bound on the worth, beyond their prices, of the supports in which a given variable has
/// the largest loading, by the equations of an eigenvector.
///
/// Let lambda be the largest eigenvalue of S_II and x its eigenvector, and let every variable have
/// a scale d > 0. The leader of I is its variable i with the largest |x_i| / d_i, and x is scaled
/// so that x_i = 1. So every support has a leader, and disjoint supports have different ones. With
/// the leader, all loadings have limits:
///
///   -d_l / d_i <= low_l <= x_l <= high_l <= d_l / d_i                                          (1)
///
/// and low_l = 0 if S has no negative entry (Perron). Let P be variables chosen, i among them, q
/// the prices, and m = k - |P| candidates be missing. The largest that s x_l can be is up(s, l) =
/// max(s low_l, s high_l). Row i of S_II x = lambda x gives
///
///   lambda - q(I) <= S_ii + sum over P but i of up(S_il, l) - q(P) + the sum of the m largest w_l
///   w_l = up(S_il, l) - q_l                                                                    (2)
///
/// A support that counts has lambda > target + q(I). So row j gives, for t = x_j > 0,
///
///   (target + q(P and j) - S_jj) t <= S_ij + sum over P but i and j of up(S_jl, l)
///                                     + the sum of the largest up(S_jl, l) - q_l t             (3)
///
/// with as many candidates as are missing. The left side minus the right side is concave in t. So
/// beyond the zero of its chord (3) does not hold, and high_j falls to that zero. The same
/// inequality for -x_j raises low_j. Narrower limits make (2) and (3) sharper. A candidate that
/// cannot lift (2) over the target is dropped, and a candidate without which (2) stays below it is
/// chosen. The more variables are chosen, the better is a bound by their spectrum, which is used in
/// the same way: spectrum_bound.h if S has few or no negative entries. If S has any negative entry,
/// dominance_bound.h is used first.
///
/// The scale is d_l = sqrt(q_l + a share of the target): at the prices of the linear program,
/// variables pay about as much as the square of their loading.
///
/// Source  O. Perron, Mathematische Annalen 64:248, 1907, for the sign; the rest is this project's

#include <utility>
#include <vector>

#include "spca/base/types.h"
#include "spca/methods/pricing/dominance_bound.h"
#include "spca/methods/pricing/loading_family.h"
#include "spca/methods/pricing/spectrum_bound.h"
#include "spca/methods/pricing/strongest_entries.h"
#include "spca/methods/relaxations/support_pricing.h"

namespace spca {

class LoadingBound {
 public:
  enum class Signs { kNone, kFew, kMany };  // negative entries of S

  /// `matrix` is S, p x p, positive semidefinite. `pricing` has p prices and a target; 1 <= k <= p.
  /// `strongest`: the entries of S. The matrix, the pricing and `strongest` must outlive the
  /// object.
  LoadingBound(const Matrix& matrix, const SupportPricing& pricing, Index k,
               const StrongestEntries& strongest);

  /// The family of all supports with this leader.
  LoadingFamily of_leader(Index leader) const;
  /// Lowers the bound of the family, chooses and drops candidates, and narrows the limits: those of
  /// many candidates at most `times` times, and those of the candidates in the sum of (2) more
  /// often. Returns whether a support may be worth more than `least`, which is at least the target.
  bool reduce(LoadingFamily& family, double least, int times);
  /// w_l of (2).
  double worth(const LoadingFamily& family, int variable) const;
  /// Number of multiplications so far, roughly: nanoseconds on one core.
  double work() const { return work_ + spectrum_.work() + dominance_.work(); }

 private:
  /// The terms that all sums of a family share.
  struct Chosen {
    double paid = 0;   // q(P)
    double least = 0;  // the worth that a support has to exceed
    Index missing = 0;
  };
  bool obey_rules(LoadingFamily& family) const;
  using Worths = std::vector<std::pair<double, int>>;  // each with its candidate
  bool settle(LoadingFamily& family, double least);
  bool settle_by_spectrum(LoadingFamily& family, double least);
  template <class Bound>
  bool settle_by_terms(LoadingFamily& family, double least, const Bound& bound);
  bool settle_by(LoadingFamily& family, double least, double total, Worths worths);
  enum class Extent { kInSum, kMany };
  void narrow(LoadingFamily& family, double least, Extent extent);
  bool step(LoadingFamily& family, double least, Extent extent);
  double largest_loading(const LoadingFamily& family, const Chosen& chosen, int j, bool is_chosen,
                         double sign);
  double largest_sum(const LoadingFamily& family, int j, double sign, double t, Index count);
  /// Returns false if the family is closed.
  bool narrow_often(LoadingFamily& family, double least, int times);

  const Matrix& matrix_;
  const SupportPricing& pricing_;
  Index k_;
  double scale_;  // largest variance, or 1
  Signs signs_;
  Vector scales_;  // d
  double work_ = 0;
  // For largest_loading(): whether a variable is a candidate, and the largest |x_l| of the
  // candidates.
  std::vector<char> is_candidate_;
  double largest_limit_ = 0;
  std::vector<double> scratch_;
  const StrongestEntries& strongest_;
  SpectrumBound spectrum_;
  DominanceBound dominance_;
};

}  // namespace spca
