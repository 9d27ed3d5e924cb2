/// Several sparse components with disjoint supports, with a proof, by column generation.
///
/// Problem  maximise Tr(V'SV)  s.t. ||v_j||_2 = 1, ||v_j||_0 <= k_j, disjoint supports
/// Step     a linear program chooses among supports; its prices on the variables lead to better ones,
///          which ascents find; if they find none, a search by branch and bound shows how much a
///          support could be worth at these prices (disjoint_bound.h)
/// Start    the answer of the solver `start`: the result is never below it
/// Stops    if the bound is within `accuracy` of the value. If the program takes parts of supports,
///          the problem is divided by two variables: in one support together, or in none
/// Bound    sum_i mu_i + sum_k c_k max(0, n_k(mu)), n_k the largest lambda_max(S_II) less the prices
///          mu on I, |I| = k. The harness searches for n_k anew
/// Cost     S of p variables, and tables of 20 p^2 bytes; what a proof of n_k takes depends on the
///          data. Of many variables S is formed of those that can pay for a place, `core` at most,
///          chosen by the prices among those chosen before. The bound covers the others by what they can
///          add to a support (outside_variables.h)
/// Source   the problem: Asteris, Papailiopoulos, Kyrillidis, Dimakis, NIPS 2015; set packing by
///          column generation: Desrochers, Desrosiers, Solomon, Operations Research 1992

#include <algorithm>
#include <numeric>

#include "spca/algebra/remaining_variance.h"
#include "spca/methods/ascent/support_ascent.h"
#include "spca/methods/joint/disjoint.h"
#include "spca/methods/packing/disjoint_bound.h"
#include "spca/methods/packing/pair_bound.h"
#include "spca/solving/nested_solver.h"
#include "spca/solving/solver.h"

namespace spca::solver_branch_price {
namespace {

constexpr const char* kOwnName = "branch-price";

/// Those whose answers may be the start.
Choices disjoint_solvers() {
  Choices names = solvers_other_than(kOwnName);
  std::erase_if(names, [](const std::string& name) {
    return !SolverRegistry::instance().get(name, "").traits.disjoint;
  });
  return names;
}

// How often the variables of which S is formed are chosen anew by the prices among those chosen before.
constexpr int kTimesChosen = 2;

struct BranchPriceOptions {
  std::string start = "bipart-ascent";
  double accuracy = 1e-9;
  Index core = 800;

  void describe(OptionVisitor& visit) {
    visit("start", start, "the solver whose answer is improved", disjoint_solvers());
    visit("accuracy", accuracy, "relative distance of value and bound that ends the search",
          between(0, 1));
    visit(
        "core", core,
        "most variables of which S is formed: those that can pay for a place. The bound covers the "
        "others by what they can add to a support. S is formed whole of up to a quarter more",
        between(1, 20'000));
  }
};

Index largest_of(const std::vector<Index>& cardinality) {
  return *std::max_element(cardinality.begin(), cardinality.end());
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
    return check_disjoint_proof(covariance.submatrix(core_), cardinality, proof_,
                                OutsideVariables(covariance, core_, largest_of(cardinality)),
                                budget);
  }

 private:
  DisjointProof proof_;
  Support core_;  // of which S is formed
};

std::vector<Support> supports_of(const std::vector<Component>& components,
                                 const std::vector<Index>& cardinality) {
  std::vector<Support> supports;
  for (std::size_t j = 0; j < components.size(); ++j) {
    if (components[j].cardinality() != cardinality[j]) {
      return {};  // a loading is exactly zero: the search begins elsewhere
    }
    supports.push_back(components[j].support);
  }
  return supports;
}

// The bound of supports of so many variables is that by pairs (pair_bound.h), whose steps take the square of the
// variables of S. So these are few at first, and more if those outside raise the bound by this share.
constexpr Index kManyVariables = 25;
constexpr Index kCoreOfPairs = 500;
constexpr double kLargeShare = 0.01;

Support core_for_pairs(const Problem& problem, const std::vector<Support>& known, Index most,
                       Index places, Budget& budget) {
  const Index few = std::min(most, std::max(places, kCoreOfPairs));
  Support core = disjoint_core(problem.covariance, known, few);
  if (few < most) {
    const OutsideVariables outside(problem.covariance, core, largest_of(problem.cardinality));
    if (share_of_outside(problem.covariance.submatrix(core), problem.cardinality, outside,
                         [&] { return !budget.is_time_up(); }) > kLargeShare) {
      core = disjoint_core(problem.covariance, known, most);
    }
  }
  return core;
}

/// Chosen anew by the prices among those chosen before. `known` may become better supports.
Support core_for_prices(const Problem& problem, std::vector<Support>& known, Index most,
                        Budget& budget) {
  Support core = disjoint_core(problem.covariance, known, most);
  for (int time = 0; time < kTimesChosen && std::ssize(core) < problem.covariance.variables();
       ++time) {
    for (Support& support : known) {
      support = positions_among(core, support);
    }
    DisjointPrices prices =
        disjoint_prices(problem.covariance.submatrix(core), problem.cardinality, known, budget);
    const Support next =
        disjoint_core(problem.covariance, core, prices, largest_of(problem.cardinality), most);
    known = std::move(prices.supports);
    for (Support& support : known) {
      support = take_from(core, support);
    }
    core = next;
    budget.begin_loop();
  }
  return core;
}

Solution solve_branch_price(const Problem& problem, const BranchPriceOptions& options,
                            Budget& budget) {
  if (const auto reason = too_few_variables(problem)) {
    return skipped(*reason);
  }
  if (!has_variance(problem.covariance)) {
    return skipped(kNoVariance);
  }
  Solution start =
      run_nested_solver(problem, options.start, {}, problem.cardinality, "/options/start", budget);
  budget.finish_phase("start");
  const Index p = problem.covariance.variables();
  if (start.components.empty() || budget.is_time_up()) {
    return start;
  }
  budget.begin_loop();
  const Index places =
      std::accumulate(problem.cardinality.begin(), problem.cardinality.end(), Index{0});
  std::vector<Support> known = supports_of(start.components, problem.cardinality);
  const Index whole = options.core + options.core / 4;
  const Index most = std::min(p, std::max(p <= whole ? p : options.core, places));
  const Support core = largest_of(problem.cardinality) < kManyVariables
                           ? core_for_prices(problem, known, most, budget)
                           : core_for_pairs(problem, known, most, places, budget);
  for (Support& support : known) {
    support = positions_among(core, support);
  }
  budget.finish_phase("core");
  DisjointOptimum optimum = disjoint_optimum(
      problem.covariance.submatrix(core), problem.cardinality, known, options.accuracy,
      OutsideVariables(problem.covariance, core, largest_of(problem.cardinality)), budget);
  for (Support& support : optimum.supports) {
    support = take_from(core, support);
  }
  budget.finish_phase("columns");
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
  if (!optimum.proof.empty()) {
    solution.certificate = std::make_shared<DisjointCertificate>(std::move(optimum.proof), core);
  }
  solution.facts = {{"bound", optimum.bound},
                    {"gap", optimum.value > 0 ? optimum.bound / optimum.value - 1 : 0},
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
