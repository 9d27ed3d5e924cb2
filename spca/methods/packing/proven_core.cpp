#include "spca/methods/packing/proven_core.h"

#include <algorithm>

#include "spca/base/cardinality.h"
#include "spca/covariance/shifted_covariance.h"
#include "spca/dense/dense_decompositions.h"
#include "spca/methods/ascent/core.h"
#include "spca/methods/joint/padding.h"
#include "spca/methods/pairs/pair_descent.h"

namespace spca {
namespace {

// The limits of effort below without a source were chosen by trial, not measured.

// Number of times that the core is chosen again by the prices on the previous core.
constexpr int kCoreRounds = 2;
// At most this number of variables in the first core, unless the supports have more.
constexpr Index kFirstCore = 500;
// The core has the variables that can add more than kPartOfSurplus times the least surplus. The
// surplus of a variable in a support is its value beyond its price. If the search ends with a gap,
// the share is multiplied by kSurplusShrink. Measured in bench/notes/2026-11-23-branch-price.md,
// the tables with the column `part`.
constexpr double kPartOfSurplus = 0.7;
constexpr double kSurplusShrink = 0.6;

// If p is at most this, the limit on the core is raised by up to a quarter, to p.
constexpr Index kMostFormedWhole = 800;

// Supports of at least kManyVariables variables are bounded by pairs (pair_bound.h). Their steps
// take time quadratic in the size of the core. So the core has at most kCoreOfPairs variables at
// first, and at most kLargeCoreOfPairs if the variables outside raise the bound by more than the
// share kLargeShare. The large core was measured on leukemia:
// bench/notes/2026-11-23-branch-price.md.
constexpr Index kManyVariables = 25;
constexpr Index kCoreOfPairs = 500;
constexpr Index kLargeCoreOfPairs = 1000;
constexpr double kLargeShare = 0.01;

Index largest_of(const std::vector<Index>& cardinality) {
  return *std::max_element(cardinality.begin(), cardinality.end());
}

KnownSupports in_core(const Core& core, const KnownSupports& known) {
  KnownSupports inside{.best = core.positions(known.best)};
  for (const Support& support : known.met) {
    Support positions = core.positions({support})[0];
    if (positions.size() == support.size()) {
      inside.met.push_back(std::move(positions));
    }
  }
  return inside;
}

/// Runs disjoint_optimum() on cores of one problem.
class CoreProofs {
 public:
  CoreProofs(const Problem& problem, const std::vector<Support>& best, Index max_core,
             double accuracy, Budget& budget)
      : problem_(problem),
        covariance_(problem.covariance),
        k_(largest_of(problem.cardinality)),
        places_(total_cardinality(problem.cardinality)),
        max_core_(max_core),
        accuracy_(accuracy),
        budget_(budget),
        known_{.best = best} {}

  ProvenOptimum run() {
    return k_ < kManyVariables ? prove_by_prices() : prove_among(core_for_pairs());
  }

 private:
  Core core_for_pairs() const;
  Core core_for_prices(double part);
  DisjointOptimum unproven() const;
  ProvenOptimum prove_among(const Core& core);
  ProvenOptimum prove_by_prices();
  OutsideVariables outside_of(const Core& core) const {
    return OutsideVariables(covariance_, core.variables(), k_);
  }

  const Problem& problem_;
  const Covariance& covariance_;
  Index k_;
  Index places_;
  Index max_core_;
  double accuracy_;
  Budget& budget_;
  KnownSupports known_;  // as indices of all variables, not as positions in a core
};

Core CoreProofs::core_for_pairs() const {
  const Index max_core = std::min(max_core_, std::max(places_, kLargeCoreOfPairs));
  const Index few = std::min(max_core, std::max(places_, kCoreOfPairs));
  Core core(covariance_);
  core.set(disjoint_core(covariance_, known_.best, few));
  if (few < max_core &&
      outside_bound_increase(core.matrix(), problem_.cardinality, outside_of(core),
                             [this] { return !budget_.is_time_up(); }) > kLargeShare) {
    core.set(disjoint_core(covariance_, known_.best, max_core));
  }
  return core;
}

/// Returns a core: a first one by variances, then kCoreRounds times one by the prices on the
/// previous core. Adds to the known supports, and may improve the best of them.
Core CoreProofs::core_for_prices(double part) {
  Core core(covariance_);
  core.set(
      disjoint_core(covariance_, known_.best, std::min(max_core_, std::max(places_, kFirstCore))));
  for (int time = 0; time < kCoreRounds && !core.is_whole() && !budget_.is_time_up(); ++time) {
    DisjointPrices prices =
        disjoint_prices(core.matrix(), problem_.cardinality, in_core(core, known_), budget_);
    Support next = disjoint_core(covariance_, core.variables(), prices, k_, part, max_core_);
    known_ = {.best = core.at(std::move(prices.known.best)),
              .met = core.at(std::move(prices.known.met))};
    core.set(std::move(next));
    budget_.begin_loop();
  }
  return core;
}

/// Returns the best known supports with their value, for when time runs out before a proof begins.
DisjointOptimum CoreProofs::unproven() const {
  DisjointOptimum optimum{.supports = known_.best};
  for (const Support& support : known_.best) {
    optimum.value += symmetric_eigenvalues(covariance_.submatrix(support)).maxCoeff();
  }
  budget_.record_end(optimum.value);
  return optimum;
}

ProvenOptimum CoreProofs::prove_among(const Core& core) {
  budget_.phases().finish("core");
  if (budget_.is_time_up()) {
    return {.core = core.variables(), .optimum = unproven()};
  }
  DisjointOptimum optimum =
      disjoint_optimum(core.matrix(), problem_.cardinality, in_core(core, known_), accuracy_,
                       outside_of(core), budget_);
  budget_.phases().finish("columns");
  optimum.supports = core.at(std::move(optimum.supports));
  known_ = {.best = optimum.supports, .met = core.at(std::move(optimum.met))};
  return {.core = core.variables(), .optimum = std::move(optimum)};
}

ProvenOptimum CoreProofs::prove_by_prices() {
  double part = kPartOfSurplus;
  ProvenOptimum best = prove_among(core_for_prices(part));
  auto size = std::ssize(best.core);
  while (!best.optimum.is_closed && size < max_core_ && !budget_.is_time_up() &&
         !budget_.out_of_iterations()) {
    part *= kSurplusShrink;
    const Core next = core_for_prices(part);
    if (next.size() <= size) {
      break;
    }
    size = next.size();
    ProvenOptimum again = prove_among(next);
    if (again.optimum.bound > best.optimum.bound) {  // time or iterations ran out
      best.optimum.supports = std::move(again.optimum.supports);
      best.optimum.value = again.optimum.value;
    } else {
      best = std::move(again);
    }
  }
  return best;
}

class DisjointCertificate final : public BoundCertificate {
 public:
  DisjointCertificate(DisjointProof proof, Support core)
      : proof_(std::move(proof)), core_(std::move(core)) {}

 protected:
  double do_check(const Covariance& covariance, Index k, Budget& budget) const override {
    return do_check_disjoint(covariance, {k}, budget);
  }
  double do_check_disjoint(const Covariance& covariance, const std::vector<Index>& cardinality,
                           Budget& budget) const override {
    const Index p = covariance.variables();
    const std::vector<Index> reachable = reachable_cardinality(cardinality, p);
    const PaddedCovariance padded(covariance, missing_variables(reachable, p));
    // Padding comes first: in S + sigma I a padding variable has variance sigma.
    const ShiftedCovariance shifted(padded);
    const Covariance& semidefinite = shifted.semidefinite();
    return check_disjoint_proof(semidefinite.submatrix(core_), reachable, proof_,
                                OutsideVariables(semidefinite, core_, largest_of(reachable)),
                                budget) -
           static_cast<double>(cardinality.size()) * shifted.shift();
  }

 private:
  DisjointProof proof_;
  Support core_;  // the variables on which S is formed
};

}  // namespace

ProvenOptimum proven_optimum(const Problem& problem, const std::vector<Support>& best,
                             Index most_in_core, double accuracy, Budget& budget) {
  const Index p = problem.covariance.variables();
  const Index whole = std::min(most_in_core + most_in_core / 4, kMostFormedWhole);
  const Index max_core =
      std::min(p, std::max(p <= whole ? p : most_in_core, total_cardinality(problem.cardinality)));
  return CoreProofs(problem, best, max_core, accuracy, budget).run();
}

std::shared_ptr<const BoundCertificate> certificate_of(ProvenOptimum proven) {
  return proven.optimum.proof.empty()
             ? nullptr
             : std::make_shared<DisjointCertificate>(std::move(proven.optimum.proof),
                                                     std::move(proven.core));
}

}  // namespace spca
