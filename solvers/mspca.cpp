/// Several sparse components by alternating truncated power iterations on a Lagrangian.
///
/// Problem  maximise sum_t u_t'S u_t  s.t. ||u_t||_2 = 1, ||u_t||_0 <= k_t, u_s'C u_t = 0 for s <
///          t, to `feasibility_tolerance`. C = I (`constraint` orthogonal), or C = S / Tr S
///          (uncorrelated)
/// Step     for t = 1, ..., r: u_t by truncated power iterations (penalised_power.h) on
///            S_t = S - lambda sum_{s != t} w_s C u_s u_s'C + lambda_0 I,
///            lambda_0 = lambda sum_{s != t} w_s ||C u_s||^2, so that S_t is semidefinite, and
///          w_s = u_s'S u_s / ||C u_s||^2 after the first round. Then lambda rises (raise())
/// Start    lambda = 0, and no components. Each u_t is sought from that of the previous round and
///          from standard normal vectors, until `first_restarts` (first round) or `restarts` of
///          them in a row find nothing better. Starts are truncated before the first product
/// Stops    if the constraints hold to the tolerance and the variance has changed by less than
///          `stalling_tolerance`, or after `max_rounds`. The best round whose constraints hold is
///          the answer; if there is none, the last one
/// Cost     a round takes at least r (restarts + 1) power iterations, each of products of S with
///          k-sparse vectors. No p x p matrix is formed
/// Source   R. Cory-Wright, J. Pauphilet, Sparse PCA with multiple principal components, Operations
///          Research 2026, doi 10.1287/opre.2023.0598; options, weights, schedule and its factors
///          as in their R package msPCA 0.5.1
/// Differs  random numbers are not R's. The harness's clock replaces the package's limit of 20 s
///          for one call

#include <algorithm>
#include <cmath>
#include <limits>

#include "spca/base/random.h"
#include "spca/dense/dense_selections.h"
#include "spca/methods/ascent/em_ascent.h"
#include "spca/methods/ascent/penalised_power.h"
#include "spca/methods/ascent/truncated_power.h"
#include "spca/solving/solver.h"
#include "spca/spectrum/joint_loadings.h"

namespace spca::solver_mspca {
namespace {

constexpr const char* kPackage = "package";
constexpr const char* kSteep = "steep";

struct MspcaOptions {
  std::string constraint = kOrthogonal;
  std::string schedule = kPackage;
  Index max_rounds = 200;
  double feasibility_tolerance = 1e-4;
  double stalling_tolerance = 1e-8;
  Index first_restarts = 30;
  Index restarts = 20;

  void describe(OptionVisitor& visit) {
    visit("constraint", constraint,
          "products of different components to penalise: u_s'u_t or u_s'S u_t / Tr S",
          {kOrthogonal, kUncorrelated});
    visit("schedule", schedule,
          "how lambda rises: by the factors of the package, or by factors of ours, which are up to "
          "100 times as large",
          {kPackage, kSteep});
    visit("max_rounds", max_rounds, "rounds over all components (maxIter)", at_least(1));
    visit("feasibility_tolerance", feasibility_tolerance,
          "largest sum over pairs of these products (feasibilityTolerance)", at_least(0));
    visit("stalling_tolerance", stalling_tolerance,
          "change of the variance that ends the search once the constraints hold "
          "(stallingTolerance)",
          at_least(0));
    visit("first_restarts", first_restarts,
          "random starts in a row without gain, in the first round (maxRestartTPM)", at_least(0));
    visit("restarts", restarts,
          "random starts in a row without gain, in later rounds (minRestartTPM)", at_least(0));
  }
};

/// The factors of the rises of lambda, with v the violation and f the variance: `first` v in the
/// first part of the rounds, then `second` / v, and `third` / v in the last part. The package
/// multiplies the latter two by f.
struct Rises {
  double first;
  double second;
  double third;
  bool times_variance;
};

// The rises of the package (see Source), and steeper ones chosen by trial, not measured.
constexpr Rises kPackageRises = {
    .first = 0.01, .second = 0.01, .third = 0.05, .times_variance = true};
constexpr Rises kSteepRises = {.first = 1, .second = 0.04, .third = 0.2, .times_variance = false};

// The shares of the rounds after which the first part ends and the last part begins, as in the
// package, and the least violation by which a rise is divided.
constexpr double kEarly = 0.15;
constexpr double kLate = 0.75;
constexpr double kLeastViolation = 1e-7;

class Mspca {
 public:
  Mspca(const Problem& problem, const MspcaOptions& options, Budget& budget)
      : problem_(problem),
        options_(options),
        budget_(budget),
        random_(problem.seed),
        components_(static_cast<std::size_t>(problem.components)),
        images_(Matrix::Zero(problem.covariance.variables(), problem.components)),
        weights_(Vector::Zero(problem.components)) {}

  std::vector<Component> run();

 private:
  bool is_of_scores() const { return options_.constraint == kUncorrelated; }
  PenalisedCovariance penalised(Index t) const;
  void seek(Index t, Index restarts);
  double violation() const;
  double variance() const;
  void raise(Index round, double violation, double variance);

  const Problem& problem_;
  const MspcaOptions& options_;
  Budget& budget_;
  Random random_;
  std::vector<Component> components_;
  Matrix images_;  // p x r: C u_s
  Vector weights_;
  double lambda_ = 0;
};

PenalisedCovariance Mspca::penalised(Index t) const {
  std::vector<Index> others;
  for (Index s = 0; s < problem_.components; ++s) {
    if (s != t) {
      others.push_back(s);
    }
  }
  PenalisedCovariance result{.covariance = problem_.covariance,
                             .columns = selected_columns(images_, others),
                             .weights = lambda_ * selected_entries(weights_, others)};
  result.shift = problem_.covariance.semidefinite_shift() +
                 result.weights.dot(result.columns.colwise().squaredNorm().transpose());
  return result;
}

void Mspca::seek(Index t, Index restarts) {
  const auto place = static_cast<std::size_t>(t);
  const Index k = problem_.cardinality[place];
  const Index p = problem_.covariance.variables();
  const PenalisedCovariance matrix = penalised(t);
  PenalisedAscent best;
  if (!components_[place].support.empty()) {
    best = penalised_power(matrix, k, components_[place]);
  }
  for (Index idle = 0; idle < restarts || best.component.support.empty(); ++idle) {
    if (budget_.is_time_up() || idle > restarts + kMostPenalisedSteps) {
      break;
    }
    PenalisedAscent found = penalised_power(matrix, k, truncated(em_random_start(p, random_), k));
    if (found.value > best.value * (1 + 1e-12)) {
      best = std::move(found);
      idle = -1;
    }
  }
  if (best.component.support.empty()) {
    return;
  }
  components_[place] = std::move(best.component);
  images_.col(t) = to_dense(components_[place], p);
  if (is_of_scores()) {
    Vector product;
    problem_.covariance.multiply(components_[place], product);
    images_.col(t) = product / problem_.covariance.total_variance();
  }
}

/// The sum of |u_s'C u_t| over pairs.
double Mspca::violation() const {
  double sum = 0;
  for (Index t = 0; t < problem_.components; ++t) {
    for (Index s = 0; s < t; ++s) {
      sum += std::abs(sparse_dot(components_[static_cast<std::size_t>(s)], images_.col(t)));
    }
  }
  return sum;
}

double Mspca::variance() const {
  double sum = 0;
  for (const Component& component : components_) {
    sum += problem_.covariance.quadratic_form(component);
  }
  return sum;
}

/// Raises lambda after a round, counted from 0.
void Mspca::raise(Index round, double violation, double variance) {
  const Rises& rises = options_.schedule == kPackage ? kPackageRises : kSteepRises;
  const auto rounds = static_cast<double>(options_.max_rounds);
  const auto done = static_cast<double>(round + 1);
  if (done < std::ceil(kEarly * rounds)) {
    lambda_ += rises.first * violation;
    return;
  }
  const double factor = done < std::ceil(kLate * rounds) ? rises.second : rises.third;
  lambda_ += factor * (rises.times_variance ? variance : 1) / std::max(violation, kLeastViolation);
}

std::vector<Component> Mspca::run() {
  std::vector<Component> best;
  double best_variance = 0;
  bool is_feasible = false;
  double last = std::numeric_limits<double>::infinity();
  for (Index round = 0; round < options_.max_rounds && budget_.next(best_variance); ++round) {
    for (Index t = 0; t < problem_.components; ++t) {
      seek(t, round == 0 ? options_.first_restarts : options_.restarts);
      if (components_[static_cast<std::size_t>(t)].support.empty()) {
        // Before the penalty rises, all components resemble the first.
        return t > 0 && budget_.is_time_up() ? std::vector<Component>{components_[0]}
                                             : std::vector<Component>{};
      }
    }
    if (round == 0) {
      for (Index t = 0; t < problem_.components; ++t) {
        const double length = images_.col(t).squaredNorm();
        weights_[t] =
            length > 0
                ? problem_.covariance.quadratic_form(components_[static_cast<std::size_t>(t)]) /
                      length
                : 0;
      }
    }
    const double now = violation();
    const double value = variance();
    const bool holds = now <= options_.feasibility_tolerance;
    if (holds ? !is_feasible || value > best_variance : !is_feasible) {
      best = components_;
      best_variance = value;
    }
    is_feasible = is_feasible || holds;
    if (holds && std::abs(value - last) < options_.stalling_tolerance) {
      break;
    }
    last = value;
    raise(round, now, value);
  }
  return best;
}

/// Sorts components of equal cardinality in descending order of variance.
void sort_components(const Problem& problem, std::vector<Component>& components) {
  for (std::size_t i = 0; i + 1 < components.size(); ++i) {
    for (std::size_t j = i + 1; j < components.size(); ++j) {
      if (problem.cardinality[i] == problem.cardinality[j] &&
          problem.covariance.quadratic_form(components[j]) >
              problem.covariance.quadratic_form(components[i])) {
        std::swap(components[i], components[j]);
      }
    }
  }
}

Solution solve_mspca(const Problem& problem, const MspcaOptions& options, Budget& budget) {
  std::vector<Component> components = Mspca(problem, options, budget).run();
  sort_components(problem, components);
  const bool is_cut = !components.empty() && std::ssize(components) < problem.components;
  Solution solution = make_solution(std::move(components), budget);
  if (is_cut) {
    solution.status = Status::kTimeLimit;
  }
  return solution;
}

SPCA_SOLVER(
    "mspca", solve_mspca,
    (Traits{.summary = "orthogonal or uncorrelated components by a Lagrangian and truncated "
                       "power iterations",
            .problem = "max sum_t u_t'S u_t  s.t. u_s'C u_t = 0 to a tolerance, ||u_t||_0 <= k_t",
            .source = "Cory-Wright, Pauphilet, Operations Research 2026; R package msPCA",
            .multiple_components = true,
            .seeded = true}));

}  // namespace
}  // namespace spca::solver_mspca
