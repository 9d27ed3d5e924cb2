#include "spca/methods/orthogonal/orthogonal_bound.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "spca/dense/dense_decompositions.h"
#include "spca/dense/dense_selections.h"
#include "spca/methods/orthogonal/all_supports.h"
#include "spca/methods/orthogonal/certified_maximum.h"
#include "spca/methods/orthogonal/near_supports.h"
#include "spca/methods/orthogonal/orthogonal_search.h"
#include "spca/methods/orthogonal/orthogonal_tree.h"
#include "spca/methods/orthogonal/price_bundle.h"

namespace spca {
namespace {

// The limits of effort below without a source were chosen by trial, not measured.

constexpr Index kMostNodes = 100'000;
// A check may take this many times the nodes of the search, and some more: it begins with a bound
// that was rounded otherwise, so it may divide the problem in another order.
constexpr Index kNodesOfCheck = 2;
constexpr Index kMoreNodesOfCheck = 100;
// The relaxation has the first share of the time, one certified search in it the second share of
// the relaxation's remaining time, and the division by supports the third share of the time that
// is then left. Components of many variables have less, and no gains: their searches seldom end,
// and the first one that does not stops the relaxation, because pairs need no search. Chosen by
// trial: bench/notes/2026-11-23-orthogonal-bound.md.
constexpr double kShareOfRelaxation = 0.5;
constexpr double kShareOfSearch = 0.5;
constexpr double kShareOfSupports = 0.9;
constexpr Index kManyOfComponent = 18;
constexpr double kShareOfRelaxationOfMany = 0.1;
constexpr double kShareOfSearchOfMany = 0.3;
// The descent with gains starts at this share of each variable.
constexpr double kFirstShare = 0.5;
// The enumeration of supports that may be in a better answer, the division by them, and the
// division if they are for a part of the gap only, have at most these shares of the time left. The
// first supports are those for the first share of the gap
// (bench/notes/2026-11-23-orthogonal-bound.md).
constexpr double kShareOfEnumeration = 0.15;
constexpr double kShareOfNear = 0.7;
constexpr double kShareOfPartOfGap = 0.3;
constexpr double kSharesOfGap[] = {0.125, 0.177, 0.25, 0.354, 0.5, 0.707, 1};
// At most this number of nodes of the division by overlaps.
constexpr Index kMostOverlapNodes = 20'000;

/// The number of components of each cardinality; max(lambda_max) is computed once for each
/// cardinality.
using Multiplicity = std::map<Index, double>;

Multiplicity multiplicity_of(const std::vector<Index>& cardinality) {
  Multiplicity result;
  for (const Index k : cardinality) {
    result[k] += 1;
  }
  return result;
}

/// Returns the variance that orthonormal components on the known supports explain, or that
/// deflation and exchanges reach, if that is more. Deflation and exchanges are tried only for few
/// variables or without a known value.
double known_value(const Matrix& matrix, const std::vector<Index>& cardinality,
                   const std::vector<Support>& known, const std::function<bool()>& keep_going) {
  const OrthogonalSearch search(matrix, cardinality, {.of_loadings = true, .of_scores = false});
  bool is_feasible = known.size() == cardinality.size();
  for (std::size_t t = 0; is_feasible && t < known.size(); ++t) {
    is_feasible = !known[t].empty() && std::ssize(known[t]) <= cardinality[t];
  }
  double value = 0;
  if (is_feasible) {
    const Matrix near = Matrix::Zero(matrix.rows(), std::ssize(cardinality));
    value = search.evaluate(known, near).value;
  }
  if (value > 0 && !has_orthogonal_tree(matrix.rows(), cardinality)) {
    return value;
  }
  OrthogonalComponents found = search.by_deflation();
  if (!found.is_empty()) {
    search.exchange(found, [&](double) { return keep_going(); });
    value = std::max(value, found.value);
  }
  return value;
}

/// Ky Fan's bound, which needs no search. `values`: the eigenvalues of S, ascending.
double bound_by_eigenvalues(const Vector& values, Index r) {
  return values.tail(r).sum() + kRoundingOfValues * values.cwiseAbs().maxCoeff();
}

/// The parts of f(Lambda): tr Lambda, and for each cardinality a bound on the largest value of
/// S - Lambda.
struct PartsOfBound {
  double total = std::numeric_limits<double>::infinity();  // f, or an upper bound on it
  std::map<Index, double> maxima = {};
};

/// The parts of the components: one for each cardinality.
std::vector<PricedPart> parts_of(const std::vector<Index>& cardinality) {
  std::vector<PricedPart> parts;
  for (const auto& [k, count] : multiplicity_of(cardinality)) {
    parts.push_back({.k = k, .count = count});
  }
  return parts;
}

PartsOfBound named(const std::vector<PricedPart>& parts, const PriceBundle& bundle) {
  PartsOfBound named{.total = bundle.total};
  for (std::size_t c = 0; c < bundle.maxima.size(); ++c) {
    named.maxima[parts[c].k] = bundle.maxima[c];
  }
  return named;
}

/// The problem, and what is known about it.
struct Request {
  const Matrix& matrix;
  const std::vector<Index>& cardinality;
  const std::vector<Support>& known;
  double accuracy = 0;
  double largest = 0;  // the largest eigenvalue of S
  double target = 0;
  int threads = 1;

  Index r() const { return std::ssize(cardinality); }
  /// Returns whether all supports can be enumerated.
  bool has_all() const { return has_orthogonal_tree(matrix.rows(), cardinality); }
  bool has_many() const {
    return *std::max_element(cardinality.begin(), cardinality.end()) >= kManyOfComponent;
  }
};

/// Lowers the bound by the bundle method, down to the target at most, and returns the least f.
PartsOfBound relax(const Request& asked, Budget& budget, OrthogonalBound& best) {
  const Index r = asked.r();
  const bool has_many = asked.has_many();
  const bool has_gains = r > 1 && !has_many && !asked.has_all();
  const std::vector<PricedPart> parts = parts_of(asked.cardinality);
  const Budget part = budget.part(r == 1     ? 1
                                  : has_many ? kShareOfRelaxationOfMany
                                             : kShareOfRelaxation);
  PricePoint first{.factor = first_factor(asked.matrix, r)};
  if (has_gains) {
    first.shares = Vector::Constant(asked.matrix.rows(), kFirstShare);
  }
  PriceBundle bundle =
      minimise_prices({.matrix = asked.matrix,
                       .parts = parts,
                       .known = asked.known,
                       .first = std::move(first),
                       .largest = asked.largest,
                       .bound = best.value,
                       .target = asked.target,
                       .accuracy = asked.accuracy,
                       .share = r == 1     ? 1
                                : has_many ? kShareOfSearchOfMany
                                           : kShareOfSearch,
                       .by_pairs = !has_gains && parts.size() > 1,
                       .ends_inexact = r > 1 && has_many,
                       .threads = asked.threads,
                       .on_bound = [&](double bound) { budget.add_bound(bound, kNotMeasured); }},
                      part, budget);
  best.value = bundle.bound;
  best.oracles = bundle.oracles;
  best.supports = bundle.supports;
  best.proof = {.point = std::move(bundle.point), .pricing = std::move(bundle.proofs)};
  return named(parts, bundle);
}

/// The levels of near_supports.h for components that explain more than `target`.
std::map<Index, double> levels_of(const PartsOfBound& parts, double target) {
  std::map<Index, double> levels;
  for (const auto& [k, largest] : parts.maxima) {
    levels[k] = largest - (parts.total - target);
  }
  return levels;
}

NearSupports every_support(Index p, const std::vector<Index>& cardinality) {
  return {.core = all_variables(p), .choices = all_choices(p, cardinality)};
}

/// Returns a bound by the division by supports that are complete above `target`.
OrthogonalTreeBound tree_bound_of(const Matrix& matrix, const std::vector<Index>& cardinality,
                                  const NearSupports& near, const Matrix& factor, double bound,
                                  double target, Index most_nodes, Budget& budget, double share) {
  const bool has_all = std::all_of(near.choices.begin(), near.choices.end(),
                                   [](const auto& of_k) { return !of_k.second.empty(); });
  if (!has_all) {
    return {.value = std::min(bound, target)};
  }
  return orthogonal_tree_bound(matrix(near.core, near.core), cardinality, near.choices,
                               factor(near.core, Eigen::all), bound, target, most_nodes, budget,
                               share);
}

/// The supports that may be in components that explain more than `target`.
struct SupportsAbove {
  NearSupports near = {};
  double target = 0;
};

/// Enumerates the supports for as much of the gap between f and `target` as can be. `near` is empty
/// if there are too many even for the first share.
SupportsAbove enumerate_near(const Matrix& matrix, const PricePoint& point,
                             const PartsOfBound& parts, double target, Budget& budget) {
  NearSupportSearch search(left_of(matrix, point.factor), point.gains(matrix.rows()));
  SupportsAbove last;
  for (const double share : kSharesOfGap) {
    SupportsAbove next{.target = std::lerp(parts.total, target, share)};
    next.near = search.above(levels_of(parts, next.target), budget);
    if (next.near.is_empty()) {
      break;
    }
    const auto before = static_cast<double>(last.near.size());
    const auto count = static_cast<double>(next.near.size());
    last = std::move(next);
    // The number grows about as much with the next share, which takes most of the time.
    if (before > 0 && count * (count / before) > static_cast<double>(kMostNear)) {
      break;
    }
  }
  return last;
}

/// Divides the problem by the supports that may be in a better answer, if they can be enumerated.
/// If only those for a part of the gap can, at most this part is closed.
void divide_by_supports(const Request& asked, const PartsOfBound& parts, Budget& budget,
                        OrthogonalBound& best) {
  if (parts.maxima.empty()) {
    return;  // no f was certified in time
  }
  Budget for_enumeration = budget.part(kShareOfEnumeration);
  const SupportsAbove above =
      asked.has_all()
          ? SupportsAbove{.near = every_support(asked.matrix.rows(), asked.cardinality),
                          .target = asked.target}
          : enumerate_near(asked.matrix, best.proof.point, parts, asked.target, for_enumeration);
  if (above.near.is_empty() || above.target >= best.value) {
    return;
  }
  const bool are_all = above.target <= asked.target;
  const OrthogonalTreeBound tree =
      tree_bound_of(asked.matrix, asked.cardinality, above.near, best.proof.point.factor,
                    best.value, above.target, kMostNodes, budget,
                    asked.has_all() ? kShareOfSupports
                    : are_all       ? kShareOfNear
                                    : kShareOfPartOfGap);
  best.value = tree.value;
  best.nodes = tree.nodes;
  best.proof.target = above.target;
  best.proof.nodes = std::max<Index>(tree.nodes, 1);  // 0 stands for no division
}

/// Divides the problem by the number of supports that contain each variable.
void divide_by_overlaps(const Request& asked, Budget& budget, OrthogonalBound& best) {
  OverlapTree tree(asked.matrix, asked.cardinality,
                   PairConditions::shared(asked.cardinality, asked.matrix.rows()), asked.target);
  tree.run(kMostOverlapNodes, asked.threads, budget);
  best.nodes += tree.nodes();
  if (tree.bound() < best.value) {
    best.value = tree.bound();
    best.proof = {.overlap = tree.proof()};
  }
}

PartsOfBound parts_at(const Matrix& matrix, const std::vector<Index>& cardinality,
                      const PricePoint& point, const std::vector<PricingProof>& pricing,
                      Budget& budget) {
  const std::vector<PricedPart> parts = parts_of(cardinality);
  return named(parts, prices_at({.matrix = matrix, .parts = parts, .by_pairs = parts.size() > 1},
                                point, pricing, budget));
}

/// Returns whether the point is one of p variables, with shares or without.
bool is_valid(const PricePoint& point, Index p) {
  return point.factor.rows() == p && point.factor.allFinite() &&
         (point.shares.size() == 0 ||
          (point.shares.size() == p && (point.shares.array() >= 0).all() &&
           (point.shares.array() <= 1).all()));
}

}  // namespace

double orthogonal_bound_at(const Matrix& matrix, const std::vector<Index>& cardinality,
                           const PricePoint& point, Budget& budget) {
  return parts_at(matrix, cardinality, point, {}, budget).total;
}

OrthogonalBound orthogonal_bound(const Matrix& matrix, const std::vector<Index>& cardinality,
                                 const std::vector<Support>& known, double accuracy, Budget& budget,
                                 double value, int threads) {
  const auto r = std::ssize(cardinality);
  const auto keep_going = [&] { return !budget.is_time_up(); };
  const Vector values = symmetric_eigenvalues(matrix);
  OrthogonalBound best{.value = bound_by_eigenvalues(values, r)};
  const double scale = values[matrix.rows() - 1];
  if (!(scale > 0)) {
    return best;
  }
  if (!(value > 0)) {
    value = known_value(matrix, cardinality, known, keep_going);
  }
  const Request asked{.matrix = matrix,
                      .cardinality = cardinality,
                      .known = known,
                      .accuracy = accuracy,
                      .largest = scale,
                      .target = (1 + accuracy) * value,
                      .threads = threads};
  const PartsOfBound parts = relax(asked, budget, best);
  if (best.value > asked.target && keep_going() &&
      (asked.has_all() || (r > 1 && !asked.has_many()))) {
    divide_by_supports(asked, parts, budget, best);
  }
  if (best.value > asked.target && keep_going() && r > 1) {
    divide_by_overlaps(asked, budget, best);
  }
  return best;
}

double check_orthogonal_proof(const Matrix& matrix, const std::vector<Index>& cardinality,
                              const OrthogonalProof& proof, Budget& budget) {
  const Index p = matrix.rows();
  double bound = bound_by_eigenvalues(symmetric_eigenvalues(matrix), std::ssize(cardinality));
  if (!proof.overlap.nodes.empty()) {
    bound = std::min(
        bound, check_overlap_proof(matrix, cardinality, PairConditions::shared(cardinality, p),
                                   proof.overlap, budget));
  }
  const PricePoint& point = proof.point;
  if (!is_valid(point, p)) {
    return bound;
  }
  const PartsOfBound parts = parts_at(matrix, cardinality, point, proof.pricing, budget);
  bound = std::min(bound, parts.total);
  if (proof.nodes == 0 || !(proof.target < bound)) {
    return bound;
  }
  const NearSupports near =
      has_orthogonal_tree(p, cardinality)
          ? every_support(p, cardinality)
          : NearSupportSearch(left_of(matrix, point.factor), point.gains(matrix.rows()))
                .above(levels_of(parts, proof.target), budget);
  return near.is_empty()
             ? bound
             : tree_bound_of(matrix, cardinality, near, point.factor, bound, proof.target,
                             kNodesOfCheck * std::min(proof.nodes, kMostNodes) + kMoreNodesOfCheck,
                             budget, 1)
                   .value;
}

}  // namespace spca
