/// Nonnegative sparse PCA of a low-rank approximation of any S.
///
/// Problem  maximise v'Sv  s.t. ||v||_2 = 1, ||v||_0 <= k, v >= 0
/// Step     for a unit direction c of the span of V (S_d = V V') the best v is the k largest
///          positive entries of V c, at unit length: it maximises c'V'v. Steps on S_d alternate
///          this v and c <- V'v / ||V'v|| until the support repeats. Steps on S follow unless
///          `score` is low-rank: v <- the k largest positive entries of (S + tau I)v
/// Start    both signs of the d eigenvectors and of `draws` directions from the sphere, or of the
///          points of a net if `epsilon` > 0. On S: the ten best results on S_d, and each of the
///          ten variables of largest variance alone
/// Stops    on S when v'Sv grows by no more than `tolerance` times itself
/// Answer   the v of largest v'Sv; with `score` low-rank, of largest v'S_d v
/// Cost     d eigenpairs; O(p d) a direction and step; on S a product and a v'Sv a step, from at
///          most 20 starts
/// Source   Asteris, Papailiopoulos, Dimakis, Nonnegative sparse PCA with provable guarantees, ICML
///          2014: with an epsilon-net and `score` low-rank, v'S_d v is at least (1 - epsilon) times
///          its optimum
/// Differs  the paper takes the net or, exactly, all O(p^d) cells of the arrangement of the rows of
///          V; by default directions are drawn here, and steps on S follow. nsprcomp solves the
///          same problem; it iterates on S alone from random v and has no guarantee. spannogram's
///          `nonnegative` needs an S without negative entries, for which the constraint v >= 0
///          changes nothing

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "spca/base/random.h"
#include "spca/dense/sparsify.h"
#include "spca/methods/ascent/thresholded_power.h"
#include "spca/methods/joint/span_directions.h"
#include "spca/solving/solver.h"
#include "spca/spectrum/low_rank.h"
#include "spca/spectrum/remaining_variance.h"

namespace spca::solver_nonnegative_low_rank {
namespace {

struct NonnegativeOptions {
  Index rank = 3;
  Index draws = 1000;
  double epsilon = 0;
  std::string score = "covariance";
  double tolerance = 1e-12;

  void describe(OptionVisitor& visit) {
    visit("rank", rank, "d, the rank of the approximation", between(1, 64));
    visit("draws", draws, "number of directions drawn", at_least(0));
    visit("epsilon", epsilon,
          "width of a net of directions that replaces the drawn ones; 0: no net", between(0, 1));
    visit("score", score, "the matrix on which the answer is best", {"covariance", "low-rank"});
    visit("tolerance", tolerance, "relative growth of v'Sv below which a raise ends", at_least(0));
  }
};

// Number of best results on S_d that are raised on S. Chosen by trial, not measured.
constexpr std::size_t kRaised = 10;
// Number of variables of largest variance that are starts alone. Chosen by trial, not measured.
constexpr Index kVariablesAlone = 10;
// Loadings below this share of the largest are rounding.
constexpr double kNoLoading = 1e-12;
// At most this number of points in a net: they take some minutes for a thousand variables.
constexpr double kMostNetPoints = 1e7;

/// Returns the k largest positive entries of w, at unit length; empty if none is positive.
Component largest_positive(const Vector& w, Index k) {
  const Vector positive = hard_threshold(w.cwiseMax(0.0), kNoLoading * std::max(w.maxCoeff(), 0.0));
  return normalized(restrict_to(positive, top_k(positive, k)));
}

struct Scored {
  double value = -std::numeric_limits<double>::infinity();
  Component component;
};

/// Raises v'S_d v from the direction c. Each half step maximises c'V'v over v or over c.
Scored raised_on_sketch(const Matrix& factor, Index k, Vector c) {
  Scored best;
  for (;;) {
    Component v = largest_positive(factor * c, k);
    Vector image = Vector::Zero(factor.cols());
    for (std::size_t i = 0; i < v.support.size(); ++i) {
      image += v.values[static_cast<Index>(i)] * factor.row(v.support[i]).transpose();
    }
    const double value = image.squaredNorm();
    if (v.support.empty() || !(value > best.value)) {
      return best;
    }
    const bool repeats = v.support == best.component.support;
    best = {.value = value, .component = std::move(v)};
    if (repeats) {
      return best;
    }
    c = image.normalized();
  }
}

/// Raises v'Sv. No step lowers it, because v'(S + tau I)v is convex.
Scored raised_on_covariance(const Covariance& covariance, Component v, Index k, double tolerance,
                            Budget& budget) {
  Scored best = {.value = covariance.quadratic_form(v), .component = std::move(v)};
  const double shift = covariance.semidefinite_shift();
  Vector product(covariance.variables());
  budget.begin_loop();
  while (budget.next(best.value)) {
    covariance.multiply(best.component, product);
    add_scaled(shift, best.component, product);
    Component next = largest_positive(product, k);
    const double value = next.support.empty() ? best.value : covariance.quadratic_form(next);
    const double growth = value - best.value;
    if (growth > 0) {
      best = {.value = value, .component = std::move(next)};
    }
    if (!(growth > tolerance * std::abs(value))) {
      break;
    }
  }
  return best;
}

/// Adds `found` to the `count` best results of different supports, the best first.
void add_to_best(std::vector<Scored>& kept, Scored found, std::size_t count) {
  if (found.component.support.empty() ||
      std::any_of(kept.begin(), kept.end(), [&](const Scored& other) {
        return other.component.support == found.component.support && other.value >= found.value;
      })) {
    return;
  }
  std::erase_if(kept, [&](const Scored& other) {
    return other.component.support == found.component.support;
  });
  const auto place = std::find_if(kept.begin(), kept.end(),
                                  [&](const Scored& other) { return other.value < found.value; });
  kept.insert(place, std::move(found));
  kept.resize(std::min(kept.size(), count));
}

/// Returns the best results on S_d, from both signs of each direction.
std::vector<Scored> best_on_sketch(const Matrix& factor, Index k, const NonnegativeOptions& options,
                                   std::uint64_t seed, Budget& budget) {
  const Index d = factor.cols();
  std::vector<Scored> kept;
  const auto try_direction = [&](const Vector& c) {
    for (const double sign : {1.0, -1.0}) {
      add_to_best(kept, raised_on_sketch(factor, k, sign * c), kRaised);
    }
  };
  const auto best = [&] { return kept.empty() ? kNotMeasured : kept.front().value; };
  for (Index i = 0; i < d; ++i) {
    try_direction(Vector::Unit(d, i));
  }
  if (options.epsilon > 0) {
    const Matrix net = half_sphere_net(d, options.epsilon);
    for (Index i = 0; i < net.cols() && budget.next(best()); ++i) {
      try_direction(net.col(i));
    }
    return kept;
  }
  Random random(seed);
  Vector c(d);
  for (Index draw = 0; draw < options.draws && d > 1 && budget.next(best()); ++draw) {
    for (double& entry : c) {
      entry = random.normal();
    }
    try_direction(c.normalized());
  }
  return kept;
}

Solution solve_nonnegative(const Problem& problem, const NonnegativeOptions& options,
                           Budget& budget) {
  const Covariance& covariance = problem.covariance;
  const Index k = problem.cardinality[0];
  if (!has_positive_variance(covariance)) {
    return skipped(kNoVariance);
  }
  const LowRank low_rank = low_rank_approximation(covariance, options.rank, Copies::kAny);
  budget.phases().finish("eigenpairs");
  if (options.epsilon > 0 && net_points(low_rank.rank(), options.epsilon) > kMostNetPoints) {
    return skipped(
        fmt::format("the net has {:.3g} points; accepted: at most {:.3g}, by a larger "
                    "/options/epsilon or a smaller /options/rank",
                    net_points(low_rank.rank(), options.epsilon), kMostNetPoints));
  }
  const std::vector<Scored> on_sketch =
      low_rank.rank() > 0 ? best_on_sketch(low_rank.factor, k, options, problem.seed, budget)
                          : std::vector<Scored>{};
  budget.phases().finish("directions");
  const double low_rank_value = on_sketch.empty() ? kNotMeasured : on_sketch.front().value;
  Scored best;
  if (options.score == "low-rank" && !on_sketch.empty()) {
    best = on_sketch.front();
  } else {
    const auto raise = [&](const Component& start) {
      if (!best.component.support.empty() && budget.out_of_time()) {
        return;
      }
      Scored found = raised_on_covariance(covariance, start, k, options.tolerance, budget);
      if (found.value > best.value) {
        best = std::move(found);
      }
    };
    for (const Scored& start : on_sketch) {
      raise(start.component);
    }
    const Vector& variances = covariance.diagonal();
    for (const Index j :
         top_k_signed(variances, std::min(kVariablesAlone, covariance.variables()))) {
      if (variances[j] > 0) {
        raise({.support = {j}, .values = Vector::Ones(1)});
      }
    }
  }
  Solution solution = make_solution({std::move(best.component)}, budget);
  solution.facts = {{"rank", static_cast<double>(low_rank.rank())},
                    {"low_rank_value", low_rank_value}};
  return solution;
}

SPCA_SOLVER("nonnegative-low-rank", solve_nonnegative,
            (Traits{.summary = "nonnegative loadings, from directions of a low-rank span",
                    .problem = "max v'Sv  s.t. ||v|| = 1, ||v||_0 <= k, v >= 0",
                    .source = "Asteris, Papailiopoulos, Dimakis, ICML 2014",
                    .seeded = true}));

}  // namespace
}  // namespace spca::solver_nonnegative_low_rank
