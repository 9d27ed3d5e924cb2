#pragma once

/// The pricing problem of the column generation: the largest worth of a support beyond its prices.
///
///   n_k(mu) = max { lambda_max(S_II) - sum over I of mu : |I| = k, I allowed }
///
/// It is solved by the searches of `branch-bound` (search_by_turns.h), which stop at a target: the
/// program's price for a support of k variables. Problems that sums of squares do not close soon
/// are divided by the variable of largest loading (loading_search.h). In disjoint supports these
/// variables differ. So the mean of the c largest bounds of such parts replaces n_k if c supports
/// are wanted. Problems of at most 600 variables that take longer are divided by the variables of a
/// support, too, and bounded by pairs (one_component_tree.h).
///
/// Variables that are not part of the given S have no price. If each of them adds at most s to a
/// support that is worth more than h (outside_variables.h), then
///
///   n_k(mu) <= max(h, k s + max { lambda_max(S_AA) - sum over A of (mu_i + s) : |A| <= k })
///
/// which is the same problem with other prices, and with k more variables that are zero.

#include <memory>
#include <optional>

#include "spca/methods/bounds/search_by_turns.h"
#include "spca/methods/pairs/one_component_tree.h"
#include "spca/methods/pairs/outside_variables.h"
#include "spca/methods/pricing/loading_search.h"
#include "spca/methods/relaxations/relaxation_certificate.h"
#include "spca/methods/relaxations/support_pricing.h"
#include "spca/solving/budget.h"

namespace spca {

/// Hints for a check. Nothing in them is trusted.
struct PricingProof {
  double target = 0;
  double least = 0;    // h, for which s was computed
  Support start = {};  // k variables
  /// The relaxation of all variables; null if it was not bounded.
  std::shared_ptr<const RelaxationCertificate> relaxations = nullptr;
  /// The division by counts, bounded by pairs; null if it is not the best bound.
  std::shared_ptr<const OverlapProof> by_pairs = nullptr;
  bool by_loadings = false;  // the division bounds better than the other searches
};

struct PricedOptimum {
  double bound = 0;                  // on the mean of the wanted supports; at least the target
  Support support = {};              // k variables of S
  std::vector<Support> others = {};  // the best of each leader that exceeds the target, if known
  bool is_proven = false;            // the bound is the target, or is attained
  PricingProof proof = {};
};

/// The supports whose worth beyond their prices exceeds a target.
struct EnumeratedSupports {
  std::vector<PricedSupport> supports = {};  // k variables of S each
  double target = 0;
  /// An upper bound on the worth, beyond its prices, of any other support if the enumeration is
  /// complete: the target, or more if variables outside could be worth more.
  double others = 0;
  double bound = 0;  // on the mean of the wanted supports
  bool is_complete = false;
};

class SupportPricer {
 public:
  /// `matrix` is S, p x p, positive semidefinite; it must outlive the object. `outside`: the
  /// variables that are not part of S. `max_count`: the largest k.
  SupportPricer(const Matrix& matrix, OutsideVariables outside, Index max_count);

  /// Searches until no support exceeds the target, a support that exceeds it is found, or the
  /// budget is over. `start`: k variables, the best support known. `count`: the number of disjoint
  /// supports wanted.
  PricedOptimum maximise(const SupportPricing& pricing, const Support& start, Index count,
                         Budget& budget);
  /// Bounds the supports by sums of squares for each leader and, if that is weak, by the relaxation
  /// of all variables.
  PricedOptimum bound(const SupportPricing& pricing, const Support& start, Index count,
                      Budget& budget);
  /// Enumerates all supports of k variables that exceed the target. Stops incomplete if there are
  /// more than `max_count`, if it takes too much work, or if the budget is over.
  EnumeratedSupports enumerate(const SupportPricing& pricing, Index k, Index count,
                               std::size_t max_count, Budget& budget);
  /// Returns an upper bound on the mean worth of `count` disjoint supports of k variables, from S,
  /// the pricing and the hints of a proof. Returns the best bound so far if the budget is over.
  double check(const SupportPricing& pricing, const PricingProof& proof, Index k, Index count,
               Budget& budget);

 private:
  enum class Effort { kRoot, kWhole };
  PricedOptimum search(const SupportPricing& pricing, const Support& start, Index count,
                       Effort effort, Budget& budget);
  void bound_root(SearchByTurns& whole, Budget& budget);
  bool factor(Budget& budget);
  StrongestEntries& strongest();
  const Matrix& matrix() const { return extended_.rows() > 0 ? extended_ : matrix_; }
  SupportPricing extended(const SupportPricing& pricing, double added, Index k) const;
  bool is_inside(const Support& support) const { return support.back() < matrix_.rows(); }

  const Matrix& matrix_;
  OutsideVariables outside_;
  Matrix extended_;  // S and max_count zero variables for those outside; 0 x 0 if none are outside
  std::shared_ptr<const FactoredCovariance> factor_;  // computed on first use
  std::optional<StrongestEntries> strongest_;         // computed on first use
};

}  // namespace spca
