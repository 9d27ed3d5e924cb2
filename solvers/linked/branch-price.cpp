/// Several sparse components with disjoint supports, with a proof, by column generation.
///
/// Problem  maximise Tr(V'SV)  s.t. ||v_j||_2 = 1, ||v_j||_0 <= k_j, disjoint supports
/// Step     a linear program chooses among supports; its prices on the variables lead to better
///          ones, which ascents find; if they find none, a search by branch and bound proves how
///          much a support could be worth at these prices (disjoint_bound.h)
/// Start    the answer of the solver `start`: the result is never below it
/// Stops    if the bound is within `accuracy` of the value; with status iteration_limit and a
///          message if the search ends with a gap. If the program takes supports in part, the
///          problem is divided by two variables: in one support together, or in none
/// Bound    sum_i mu_i + sum_k c_k max(0, n_k(mu)), n_k the largest lambda_max(S_II) less the
///          prices mu on I, |I| = k. The harness repeats the search for n_k
/// Cost     S of p variables, and tables of 20 p^2 bytes; the time of a proof of n_k depends on the
///          data. With many variables S is formed of those that can pay for a place, at most
///          `core`, chosen by the prices on a previous core. The bound covers the others by the
///          most that they can add to a support (outside_variables.h)
/// Source   the problem: Asteris, Papailiopoulos, Kyrillidis, Dimakis, NIPS 2015; set packing by
///          column generation: Desrochers, Desrosiers, Solomon, Operations Research 1992

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "spca/covariance/shifted_covariance.h"
#include "spca/dense/dense_decompositions.h"
#include "spca/methods/ascent/support_ascent.h"
#include "spca/methods/joint/disjoint.h"
#include "spca/methods/joint/padding.h"
#include "spca/methods/packing/disjoint_bound.h"
#include "spca/methods/pairs/pair_bound.h"
#include "spca/solving/nested_solver.h"
#include "spca/solving/solver.h"
#include "spca/spectrum/remaining_variance.h"

namespace spca::solver_branch_price {
namespace {

constexpr const char* kOwnName = "branch-price";

/// The solvers whose answers may be the start.
Choices disjoint_solvers() {
  Choices names = solvers_other_than(kOwnName);
  std::erase_if(names, [](const std::string& name) {
    return !SolverRegistry::instance().get(name, "").traits.disjoint;
  });
  return names;
}

// Number of times that the core is chosen anew by the prices on the previous core.
constexpr int kCoreRounds = 2;
constexpr Index kFirstCore = 500;
// The core has the variables that can add this share of the least surplus of a variable (its value
// beyond its price); the share shrinks by this factor if a search with the others outside ends with
// a gap.
constexpr double kPartOfSurplus = 0.7;
constexpr double kSurplusShrink = 0.6;

// At most this number of variables of which the whole of S is formed.
constexpr Index kMostFormedWhole = 800;

struct BranchPriceOptions {
  std::string start = "bipart-ascent";
  double accuracy = 1e-9;
  Index core = 1200;

  void describe(OptionVisitor& visit) {
    visit("start", start, "the solver whose answer is improved", disjoint_solvers());
    visit("accuracy", accuracy, "relative distance of value and bound that ends the search",
          between(0, 1));
    visit("core", core,
          "largest number of variables of which S is formed: those that can pay for a place. The "
          "bound covers the others by the most that they can add to a support. The whole of S is "
          "formed for up to a quarter more variables, but at most 800",
          between(1, 20'000));
  }
};

Index largest_of(const std::vector<Index>& cardinality) {
  return *std::max_element(cardinality.begin(), cardinality.end());
}

Index places_of(const Problem& problem) {
  return std::accumulate(problem.cardinality.begin(), problem.cardinality.end(), Index{0});
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
  Support core_;  // of which S is formed
};

/// The supports at full size: loadings that are exactly zero are not listed, and their places go to
/// the first variables that are in no support.
std::vector<Support> supports_of(const std::vector<Component>& components,
                                 const std::vector<Index>& cardinality, Index p) {
  std::vector<Support> supports;
  std::vector<char> is_used(static_cast<std::size_t>(p), 0);
  for (const Component& component : components) {
    supports.push_back(component.support);
    for (const Index i : component.support) {
      is_used[static_cast<std::size_t>(i)] = 1;
    }
  }
  Index next = 0;
  for (std::size_t j = 0; j < supports.size(); ++j) {
    for (; std::ssize(supports[j]) < cardinality[j]; ++next) {
      if (is_used[static_cast<std::size_t>(next)] == 0) {
        supports[j].push_back(next);
      }
    }
    std::sort(supports[j].begin(), supports[j].end());
  }
  return supports;
}

// Supports of this number of variables are bounded by pairs (pair_bound.h), whose steps take time
// quadratic in the size of the core. So the core is small at first, and larger if the variables
// outside raise the bound by this share.
constexpr Index kManyVariables = 25;
constexpr Index kCoreOfPairs = 500;
constexpr Index kLargeCoreOfPairs = 1000;
constexpr double kLargeShare = 0.01;

Support core_for_pairs(const Problem& problem, const std::vector<Support>& known, Index core,
                       Budget& budget) {
  const Index places = places_of(problem);
  const Index most = std::min(core, std::max(places, kLargeCoreOfPairs));
  const Index few = std::min(most, std::max(places, kCoreOfPairs));
  Support chosen = disjoint_core(problem.covariance, known, few);
  if (few < most) {
    const OutsideVariables outside(problem.covariance, chosen, largest_of(problem.cardinality));
    if (outside_bound_increase(problem.covariance.submatrix(chosen), problem.cardinality, outside,
                               [&] { return !budget.is_time_up(); }) > kLargeShare) {
      chosen = disjoint_core(problem.covariance, known, most);
    }
  }
  return chosen;
}

KnownSupports positions_among(const Support& core, const KnownSupports& known) {
  KnownSupports positions;
  for (const Support& support : known.best) {
    positions.best.push_back(spca::positions_among(core, support));
  }
  for (const Support& support : known.met) {
    Support place = spca::positions_among(core, support);
    if (place.size() == support.size()) {
      positions.met.push_back(std::move(place));
    }
  }
  return positions;
}

KnownSupports members_at(const Support& core, KnownSupports positions) {
  for (std::vector<Support>* const supports : {&positions.best, &positions.met}) {
    for (Support& support : *supports) {
      support = spca::members_at(core, support);
    }
  }
  return positions;
}

/// Chooses the core anew by the prices on the previous core. `known` grows, and its best may
/// improve.
Support core_for_prices(const Problem& problem, KnownSupports& known, double part, Index most,
                        Budget& budget) {
  const Index first = std::max(places_of(problem), kFirstCore);
  Support core = disjoint_core(problem.covariance, known.best, std::min(most, first));
  for (int time = 0; time < kCoreRounds && std::ssize(core) < problem.covariance.variables() &&
                     !budget.is_time_up();
       ++time) {
    DisjointPrices prices = disjoint_prices(problem.covariance.submatrix(core), problem.cardinality,
                                            positions_among(core, known), budget);
    Support next = disjoint_core(problem.covariance, core, prices, largest_of(problem.cardinality),
                                 part, most);
    known = members_at(core, std::move(prices.known));
    core = std::move(next);
    budget.begin_loop();
  }
  return core;
}

/// The optimum, with supports in terms of all variables, and the core of its proof.
struct ProvenOptimum {
  Support core;
  DisjointOptimum optimum;
};

/// The answer if the time is over before there is a proof.
DisjointOptimum unproven(const Problem& problem, const KnownSupports& known, Budget& budget) {
  DisjointOptimum optimum{.supports = known.best};
  for (const Support& support : known.best) {
    optimum.value += symmetric_eigenvalues(problem.covariance.submatrix(support)).maxCoeff();
  }
  budget.next(optimum.value);  // records that the time is over
  return optimum;
}

ProvenOptimum prove_among(Support core, const Problem& problem, KnownSupports& known,
                          double accuracy, Budget& budget) {
  budget.finish_phase("core");
  if (budget.is_time_up()) {
    return {.core = std::move(core), .optimum = unproven(problem, known, budget)};
  }
  DisjointOptimum optimum = disjoint_optimum(
      problem.covariance.submatrix(core), problem.cardinality, positions_among(core, known),
      accuracy, OutsideVariables(problem.covariance, core, largest_of(problem.cardinality)),
      budget);
  budget.finish_phase("columns");
  known = members_at(core, {.best = optimum.supports, .met = std::move(optimum.met)});
  optimum.supports = known.best;
  return {.core = std::move(core), .optimum = std::move(optimum)};
}

/// If a search ends with a gap, the variables outside are the cause. Then a larger core is tried.
ProvenOptimum prove_by_prices(const Problem& problem, KnownSupports known, double accuracy,
                              Index most, Budget& budget) {
  double part = kPartOfSurplus;
  Support core = core_for_prices(problem, known, part, most, budget);
  ProvenOptimum best = prove_among(core, problem, known, accuracy, budget);
  while (!best.optimum.is_closed && std::ssize(core) < most && !budget.is_time_up() &&
         !budget.out_of_iterations()) {
    part *= kSurplusShrink;
    Support next = core_for_prices(problem, known, part, most, budget);
    if (next.size() <= core.size()) {
      break;
    }
    core = std::move(next);
    ProvenOptimum again = prove_among(core, problem, known, accuracy, budget);
    if (again.optimum.bound > best.optimum.bound) {  // its time ran out
      best.optimum.supports = std::move(again.optimum.supports);
      best.optimum.value = again.optimum.value;
    } else {
      best = std::move(again);
    }
  }
  return best;
}

ProvenOptimum prove(const Problem& problem, KnownSupports known, const BranchPriceOptions& options,
                    Budget& budget) {
  const Index p = problem.covariance.variables();
  const Index whole = std::min(options.core + options.core / 4, kMostFormedWhole);
  const Index most = std::min(p, std::max(p <= whole ? p : options.core, places_of(problem)));
  if (largest_of(problem.cardinality) < kManyVariables) {
    return prove_by_prices(problem, std::move(known), options.accuracy, most, budget);
  }
  Support core = core_for_pairs(problem, known.best, most, budget);
  return prove_among(std::move(core), problem, known, options.accuracy, budget);
}

/// Infinity if there is no bound, even without any known supports.
double gap_of(const DisjointOptimum& optimum) {
  if (std::isinf(optimum.bound)) {
    return optimum.bound;
  }
  return optimum.value > 0 ? std::max(0.0, optimum.bound / optimum.value - 1) : 0;
}

// A smaller gap is rounding, for any accuracy.
constexpr double kNoGap = 1e-9;

/// A search that ends by itself has converged only if there is no gap. Variables outside of the
/// core leave a gap if they could pay for a place: no search includes them.
void say_what_is_open(const DisjointOptimum& optimum, Index core, Index p, Solution& solution) {
  const double gap = gap_of(optimum);
  if (solution.status != Status::kConverged || optimum.is_closed || gap <= kNoGap) {
    return;
  }
  solution.status = Status::kIterationLimit;
  solution.message = fmt::format(
      "the search ended with the bound {:.2g} % above the value: {}", 100 * gap,
      core < p ? fmt::format("S was formed of {} of the {} variables (option core)", core, p)
               : "no problem is left to divide");
}

Solution solve_branch_price(const Problem& problem, const BranchPriceOptions& options,
                            Budget& budget) {
  if (lacks_variables(problem)) {
    return solve_padded(problem, [&](const Problem& padded) {
      return solve_branch_price(padded, options, budget);
    });
  }
  if (!has_variance(problem.covariance)) {
    return skipped(kNoVariance);
  }
  Solution start =
      run_nested_solver(problem, options.start, {}, problem.cardinality, "/options/start", budget);
  budget.finish_phase("start");
  if (start.components.empty() || budget.is_time_up()) {
    return start;
  }
  budget.begin_loop();
  // The bounds need a positive semidefinite matrix. On S + sigma I every component explains sigma
  // more.
  const ShiftedCovariance shifted(problem.covariance);
  const Problem proved{.covariance = shifted.semidefinite(),
                       .components = problem.components,
                       .cardinality = problem.cardinality,
                       .seed = problem.seed,
                       .threads = problem.threads};
  auto [core, optimum] = prove(
      proved,
      {.best = supports_of(start.components, problem.cardinality, problem.covariance.variables())},
      options, budget);
  const double added = static_cast<double>(problem.components) * shifted.shift();
  optimum.value -= added;
  optimum.bound -= added;
  std::vector<Component> components =
      components_on(problem.covariance, optimum.supports, problem.cardinality);
  const auto value_of = [&](const std::vector<Component>& of) {
    return std::accumulate(of.begin(), of.end(), 0.0, [&](double sum, const Component& one) {
      return sum + problem.covariance.quadratic_form(one);
    });
  };
  if (components.empty() || value_of(components) < value_of(start.components)) {
    components = std::move(start.components);
  }
  Solution solution = make_solution(std::move(components), budget);
  say_what_is_open(optimum, std::ssize(core), problem.covariance.variables(), solution);
  const auto formed = static_cast<double>(core.size());
  if (!optimum.proof.empty()) {
    solution.certificate =
        std::make_shared<DisjointCertificate>(std::move(optimum.proof), std::move(core));
  }
  solution.facts = {{"bound", optimum.bound},
                    {"gap", gap_of(optimum)},
                    {"core", formed},
                    {"columns", static_cast<double>(optimum.columns)},
                    {"programs", static_cast<double>(optimum.programs)},
                    {"proofs", static_cast<double>(optimum.proofs)},
                    {"rows", static_cast<double>(optimum.rows)},
                    {"branches", static_cast<double>(optimum.branches)}};
  return solution;
}

SPCA_SOLVER(kOwnName, solve_branch_price,
            (Traits{
                .summary = "disjoint components with a proof, by column generation",
                .problem = "max Tr(V'SV)  s.t. ||v_j|| = 1, ||v_j||_0 <= k_j, disjoint supports",
                .source = "this project; the problem: Asteris et al., NIPS 2015",
                .multiple_components = true,
                .disjoint = true,
                .seeded = true,
                .semidefinite = "the proof needs lambda_max(S_II) >= 0 for every support"}));

}  // namespace
}  // namespace spca::solver_branch_price
