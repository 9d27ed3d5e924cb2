/// Truncated power method from every variable.
///
/// Problem  maximise v'Sv  s.t. ||v||_2 = 1, ||v||_0 <= k
/// Step     v <- Sv on I_k(Sv), made unit
/// Start    e_j for every variable j, by falling variance, or for the `starts` of largest variance
/// Stops    steps stall if the support does not change and v'Sv rises by at most `tolerance` of
///          itself. v then becomes the leading eigenvector on its support, and the steps continue.
///          A start ends if its steps stall where any start stalled before, or after `steps` steps.
///          If v'Sv falls (on an S that a deflation made indefinite), the step is repeated with
///          S + shift I
/// Cost     a product of S with a k-sparse vector a step, several steps for each start. S is not
///          formed
/// Source   Kumar, Sarkar, Tian, Zhang, Combinatorial sparse PCA beyond the spiked identity model,
///          2026: the restarted truncated power method; the step is that of Yuan, Zhang, JMLR 2013
/// Differs  the paper takes one number of steps from every start. Here they end if they stall,
///          at the leading eigenvector of a support, which is the limit of such steps. The paper's
///          analysis truncates to more than k entries; here it is to k

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_set>

#include "spca/dense/dense_selections.h"
#include "spca/dense/sparsify.h"
#include "spca/methods/ascent/truncated_power.h"
#include "spca/solving/solver.h"
#include "spca/spectrum/eigenpairs.h"
#include "spca/spectrum/remaining_variance.h"

namespace spca::solver_restarted_tpower {
namespace {

struct RestartedTpowerOptions {
  Index starts = 0;
  Index steps = 500;
  double tolerance = 1e-8;  // the leading eigenvector removes the remaining error

  void describe(OptionVisitor& visit) {
    visit("starts", starts,
          "number of variables of largest variance to start from; 0: every variable", at_least(0));
    visit("steps", steps, "largest number of steps of one start", at_least(1));
    visit("tolerance", tolerance, "relative increase of v'Sv below which steps have stalled",
          at_least(0));
  }
};

struct SupportHash {
  std::size_t operator()(const Support& support) const {
    std::size_t hash = 14695981039346656037ULL;  // FNV-1a over the indices
    for (const Index i : support) {
      hash = (hash ^ static_cast<std::size_t>(i)) * 1099511628211ULL;
    }
    return hash;
  }
};

class Restarts {
 public:
  Restarts(const Problem& problem, const RestartedTpowerOptions& options, Budget& budget)
      : covariance_(problem.covariance),
        k_(problem.cardinality[0]),
        steps_(options.steps),
        tolerance_(options.tolerance),
        budget_(budget) {}

  /// Runs from `component`; keeps the best support at which a run ends.
  void run(Component component);
  const SupportOptimum& best() const { return best_; }
  std::size_t ends() const { return ends_.size(); }

 private:
  bool finish(Component& component);

  const Covariance& covariance_;
  Index k_;
  Index steps_;
  double tolerance_;
  Budget& budget_;
  SupportOptimum best_{.value = -std::numeric_limits<double>::infinity(), .component = {}};
  std::unordered_set<Support, SupportHash> ends_;  // the supports at which steps stalled
};

void Restarts::run(Component component) {
  if (component.cardinality() > k_) {  // a start from the problem
    component = truncated(to_dense(component, covariance_.variables()), k_);
  }
  constexpr double kNoValue = -std::numeric_limits<double>::infinity();
  double value = kNoValue;  // of the step before
  Component before = component;
  PowerIterate current{.component = std::move(component), .product = {}};
  RisingSteps rising(k_);
  for (Index step = 0; step < steps_ && budget_.next(best_.value); ++step) {
    evaluate(covariance_, current);
    if (rising.has_fallen(value, current.value)) {
      current.component = before;
      value = kNoValue;
      continue;
    }
    Component next = rising.from(current);
    if (next.support.empty()) {
      break;
    }
    const bool stalls = next.support == current.component.support &&
                        current.value - value <= tolerance_ * std::abs(current.value);
    value = current.value;
    before = std::move(current.component);
    current.component = std::move(next);
    if (stalls) {
      if (!finish(current.component)) {
        return;
      }
      value = kNoValue;
    }
  }
  finish(current.component);
}

/// Replaces the loadings by the best on their support. Returns false if a run came to this support
/// before, so that the rest of this run is known, or if the time is over.
bool Restarts::finish(Component& component) {
  if (!ends_.insert(component.support).second) {
    return false;
  }
  if (budget_.out_of_time() && !best_.component.support.empty()) {
    return false;
  }
  SupportOptimum found = best_on_support(covariance_, component.support);
  component = found.component;
  if (found.value > best_.value) {
    best_ = std::move(found);
  }
  return true;
}

Solution solve_restarted_tpower(const Problem& problem, const RestartedTpowerOptions& options,
                                Budget& budget) {
  const Vector& variances = problem.covariance.diagonal();
  if (!(variances.maxCoeff() > 0)) {
    return skipped(kNoVariance);
  }
  Restarts restarts(problem, options, budget);
  const Index p = problem.covariance.variables();
  const Index wanted = options.starts == 0 ? p : std::min(options.starts, p);
  std::vector<Index> order = all_variables(p);
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return variances[a] > variances[b]; });
  if (problem.start != nullptr) {
    budget.begin_loop();
    restarts.run(*problem.start);
  }
  for (Index i = 0; i < wanted && !budget.out_of_time(); ++i) {
    const Index j = order[static_cast<std::size_t>(i)];
    if (variances[j] == 0) {
      continue;  // without variance, or removed by a deflation
    }
    budget.begin_loop();
    restarts.run({.support = {j}, .values = Vector::Ones(1)});
  }
  if (restarts.best().component.support.empty()) {
    return make_solution({}, budget);
  }
  Solution solution = make_solution({restarts.best().component}, budget);
  solution.facts = {{"ends", static_cast<double>(restarts.ends())}};
  return solution;
}

SPCA_SOLVER("restarted-tpower", solve_restarted_tpower,
            (Traits{.summary = "truncated power method from every variable",
                    .problem = "max v'Sv  s.t. ||v|| = 1, ||v||_0 <= k",
                    .source = "Kumar, Sarkar, Tian, Zhang, 2026",
                    .warm_start = true}));

}  // namespace
}  // namespace spca::solver_restarted_tpower
