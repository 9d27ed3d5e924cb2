#include "spca/methods/orthogonal/orthogonal_bound.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "spca/base/binomial.h"
#include "spca/covariance/covariance.h"
#include "spca/covariance/covariance_explicit.h"
#include "spca/dense/dense_decompositions.h"
#include "spca/dense/dense_products.h"
#include "spca/dense/dense_selections.h"
#include "spca/dense/small_eigenpair.h"
#include "spca/dense/sparsify.h"
#include "spca/methods/ascent/support_ascent.h"
#include "spca/methods/bounds/certified_search.h"
#include "spca/methods/orthogonal/all_supports.h"
#include "spca/methods/orthogonal/near_supports.h"
#include "spca/methods/orthogonal/orthogonal_search.h"
#include "spca/methods/orthogonal/orthogonal_tree.h"
#include "spca/methods/orthogonal/pooled_relaxation.h"

namespace spca {
namespace {

// The limits of effort below without a source were chosen by trial, not measured.

// At most this number of supports are enumerated.
constexpr Index kMostSupportsEnumerated = 20'000;
// At most kMostJoiningPool of the evaluated supports join the pool: those that are below the best
// by at most this share of the largest eigenvalue of S (or kNearSmoothing mu, if that is more).
constexpr double kNearBest = 0.01;
constexpr std::size_t kMostJoiningPool = 60;
// The smoothing mu, relative to the largest eigenvalue of S: first, last, and the factor between
// two.
constexpr double kFirstSmoothing = 0.03;
constexpr double kLastSmoothing = 1e-4;
constexpr double kSmoothingFall = 0.4;
constexpr int kMostRounds = 400;
// After more than this number of rounds in a row without improvement, the smoothing falls, or the
// search ends.
constexpr int kRoundsWithoutGain = 5;
constexpr Index kMostNodes = 100'000;
// A check may take this many times the nodes of the search, and some more: it begins with a bound
// that was rounded otherwise, so it may divide the problem in another order.
constexpr Index kNodesOfCheck = 2;
constexpr Index kMoreNodesOfCheck = 100;
// The relaxation has the first share of the time, one certified search in it the second share of
// the relaxation's remaining time, and the division by supports the third share of the time that
// is then left. Components of many variables have less: their searches seldom end, and the first
// search that does not end stops the relaxation, because pairs need no search. Chosen by trial:
// bench/notes/2026-11-23-orthogonal-bound.md.
constexpr double kShareOfRelaxation = 0.75;
constexpr double kShareOfSearch = 0.5;
constexpr Index kManyOfComponent = 18;
constexpr double kShareOfRelaxationOfMany = 0.1;
constexpr double kShareOfSearchOfMany = 0.3;
constexpr double kShareOfSupports = 0.9;
// The enumeration of supports that may be in a better answer, and the division by them if they are
// for a part of the gap only, have at most these shares of the time left. The first supports are
// those for the first share of the gap (bench/notes/2026-11-23-orthogonal-bound.md).
constexpr double kShareOfEnumeration = 0.15;
constexpr double kShareOfPartOfGap = 0.3;
constexpr double kSharesOfGap[] = {0.125, 0.177, 0.25, 0.354, 0.5, 0.707, 1};
// At most this number of nodes of the division by overlaps.
constexpr Index kMostOverlapNodes = 20'000;
// Supports within this number of mu of the best count in the smoothed model.
constexpr double kNearSmoothing = 4;
// Values of supports are sums of about k^2 products; the bound is raised by this share of the
// largest value against rounding.
constexpr double kRoundingOfValues = 1e-10;

using Pool = std::vector<Support>;

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

/// The certified maximum of lambda_max(A_II), |I| = k, and the supports found during the search.
struct OracleAnswer {
  double bound = std::numeric_limits<double>::infinity();
  Pool supports = {};    // supports of large value
  bool is_exact = true;  // no search was ended by its time
};

using Scored = std::vector<std::pair<double, Support>>;

/// Sorts in descending order of value.
void sort_by_value(Scored& scored) {
  std::stable_sort(scored.begin(), scored.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
}

Pool best_of(Scored scored, double margin) {
  sort_by_value(scored);
  Pool pool;
  for (auto& [value, support] : scored) {
    if (pool.size() == kMostJoiningPool || value < scored[0].first - margin) {
      break;
    }
    pool.push_back(std::move(support));
  }
  return pool;
}

/// Returns local optima on A, by ascents from each variable and then exchanges from the best.
Pool local_optima(const Matrix& matrix, Index k, double margin,
                  const std::function<bool()>& keep_going) {
  std::set<Support> seen;
  Scored scored;
  const auto add = [&](const SupportAscent& ascent) {
    if (!ascent.support().empty() && seen.insert(ascent.support()).second) {
      scored.emplace_back(ascent.value(), ascent.support());
    }
  };
  SupportAscent whole(matrix, k);
  whole.consider(top_k(matrix.diagonal(), k));
  for (Index j = 0; j < matrix.cols() && keep_going(); ++j) {
    SupportAscent ascent(matrix, k);
    ascent.ascend(matrix.col(j));
    add(ascent);
    if (!ascent.support().empty()) {
      whole.consider(ascent.support());
    }
  }
  whole.exchange([&](double) { return keep_going(); });
  add(whole);
  return best_of(std::move(scored), margin);
}

/// Returns sigma, with which A + sigma I is positive semidefinite.
double shift_of(const Matrix& matrix) {
  const double least = symmetric_eigenvalues(matrix)[0];
  const double largest = largest_magnitude(matrix);
  return std::max(0.0, -least) + kRoundingOfValues * largest;
}

OracleAnswer enumerate(const Matrix& matrix, Index k, double margin) {
  OracleAnswer answer{.bound = -std::numeric_limits<double>::infinity()};
  Scored scored;
  for_all_supports(matrix.rows(), k, [&](const Support& support) {
    if (is_below(matrix, support, answer.bound - margin)) {
      return;
    }
    const double value = small_leading_eigenvalue(matrix, support);
    answer.bound = std::max(answer.bound, value);
    scored.emplace_back(value, support);
  });
  answer.supports = best_of(std::move(scored), margin);
  answer.bound += kRoundingOfValues * largest_magnitude(matrix);
  return answer;
}

/// Maximises by the searches of branch-bound on A + sigma I. `by_pairs`: pairs bound the maximum if
/// the time ends the searches. The caller wants this only with several cardinalities: with one, the
/// sum of such bounds is never below the bound by pairs of all components (overlap_tree.h), which
/// has the best Lambda.
OracleAnswer search(const Matrix& matrix, Index k, double margin, bool by_pairs, double share,
                    int threads, const Budget& budget) {
  const double shift = shift_of(matrix);
  Matrix shifted = matrix;
  shifted.diagonal().array() += shift;
  OracleAnswer answer{.is_exact = false};
  const double largest = symmetric_eigenvalues(shifted)[shifted.rows() - 1];
  const double rounding = kRoundingOfValues * largest;
  answer.bound = largest - shift + rounding;
  answer.supports = local_optima(shifted, k, margin, [&] { return !budget.is_time_up(); });
  if (answer.supports.empty()) {
    return answer;
  }
  Support all = all_variables(matrix.rows());
  const auto covariance = make_explicit_covariance(shifted);
  const Problem problem{.covariance = *covariance, .cardinality = {k}, .threads = threads};
  const std::vector<std::string> no_feeds;
  Budget within = budget.part(share);
  CertifiedSearch tree(problem, no_feeds, all, shifted, answer.supports[0], within);
  while (!tree.is_finished() && within.next(tree.value())) {
    tree.advance();
  }
  if (!within.out_of_time() || tree.is_finished() || within.iterations() > 0) {
    answer.bound = std::min(answer.bound, tree.bound() - shift + rounding);
  }
  answer.supports.push_back(tree.support());
  answer.is_exact = tree.is_finished();
  if (by_pairs && !tree.is_finished()) {
    Budget for_pairs = budget.part(share);
    const PairBound bound = pair_bound(shifted, {k}, OutsideVariables(), tree.value(),
                                       [&](double) { return !for_pairs.is_time_up(); });
    answer.bound = std::min(answer.bound, bound.value - shift + rounding);
  }
  return answer;
}

OracleAnswer certified_maximum(const Matrix& matrix, Index k, double margin, bool by_pairs,
                               double share, int threads, const Budget& budget) {
  if (binomial(matrix.rows(), k) <= kMostSupportsEnumerated) {
    return enumerate(matrix, k, margin);
  }
  return search(matrix, k, margin, by_pairs, share, threads, budget);
}

/// Returns L, of at most 2r + 2 columns, with LL' near half of (S - lambda_{r+1} I)_+. The columns
/// beyond the first r have small entries, so that the rank can rise.
Matrix first_factor(const Matrix& matrix, Index r) {
  const Index p = matrix.rows();
  const SymmetricEigenpairs pairs = symmetric_eigenpairs(matrix);
  const Index q = std::min(p, 2 * r + 2);
  const double rest = p > r ? pairs.values[p - r - 1] : 0;
  Matrix factor(p, q);
  const double least = 1e-2 * std::sqrt(std::max(pairs.values[p - 1], 0.0));
  for (Index j = 0; j < q; ++j) {
    const double value = 0.5 * std::max(pairs.values[p - 1 - j] - rest, 0.0);
    factor.col(j) = std::max(std::sqrt(value), least) * pairs.vectors.col(p - 1 - j);
  }
  return factor;
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

/// Lowers the bound by the bundle method, down to the target at most, and returns the least f.
/// `scale`: the largest eigenvalue of S.
PartsOfBound relax(const Matrix& matrix, const std::vector<Index>& cardinality,
                   const std::vector<Support>& known, double accuracy, double scale, double target,
                   int threads, Budget& budget, OrthogonalBound& best) {
  const Index p = matrix.rows();
  const auto r = std::ssize(cardinality);
  const Multiplicity multiplicity = multiplicity_of(cardinality);
  const bool by_pairs = multiplicity.size() > 1;
  const bool has_many = multiplicity.rbegin()->first >= kManyOfComponent;
  const Budget part = budget.part(r == 1     ? 1
                                  : has_many ? kShareOfRelaxationOfMany
                                             : kShareOfRelaxation);
  const double share = r == 1 ? 1 : has_many ? kShareOfSearchOfMany : kShareOfSearch;
  const auto keep_going = [&] { return !part.is_time_up(); };
  std::vector<double> counts;
  std::map<Index, std::size_t> part_of;  // by cardinality
  for (const auto& [k, count] : multiplicity) {
    part_of[k] = counts.size();
    counts.push_back(count);
  }
  PooledRelaxation model(matrix, counts);
  PartsOfBound least;  // Ky Fan's bound may be lower
  // The value of f at L, whether the pool has grown, and whether all searches ended.
  struct Asked {
    double value = 0;
    bool has_grown = false;
    bool is_exact = true;
  };
  const auto ask = [&](const Matrix& factor, double mu) {
    const Matrix left = left_of(matrix, factor);
    const double margin = std::max(kNearBest * scale, kNearSmoothing * mu);
    PartsOfBound parts{.total = factor.squaredNorm()};
    Asked asked;
    for (const auto& [k, count] : multiplicity) {
      OracleAnswer answer = certified_maximum(left, k, margin, by_pairs, share, threads, part);
      parts.total += count * answer.bound;
      parts.maxima[k] = answer.bound;
      for (const Support& support : answer.supports) {
        asked.has_grown = model.add(part_of[k], support) || asked.has_grown;
      }
      asked.is_exact = asked.is_exact && answer.is_exact;
    }
    ++best.oracles;
    best.value = std::min(best.value, parts.total);
    budget.add_bound(best.value, kNotMeasured);
    asked.value = parts.total;
    if (parts.total < least.total) {
      least = std::move(parts);
      best.proof.factor = factor;
    }
    return asked;
  };
  for (const Support& support : known) {
    const auto position = part_of.find(std::ssize(support));
    if (position != part_of.end()) {
      model.add(position->second, support);
    }
  }
  double mu = kFirstSmoothing * scale;
  ask(Matrix::Zero(p, 1), mu);
  Matrix factor = first_factor(matrix, r);
  int idle = 0;
  for (int round = 0; round < kMostRounds && best.value > target && keep_going() && budget.next();
       ++round) {
    model.minimise(factor, {.mu = mu, .keep_going = keep_going});
    bool has_grown = false;
    const Matrix left = left_of(matrix, factor);
    const double before = model.value(factor);
    for (const auto& [k, count] : multiplicity) {
      if (binomial(p, k) > kMostSupportsEnumerated && keep_going()) {
        for (const Support& support : local_optima(left, k, kNearBest * scale, keep_going)) {
          has_grown = model.add(part_of[k], support) || has_grown;
        }
      }
    }
    // The supports of the ascents matter only if they raise the model.
    if (has_grown && model.value(factor) > before + accuracy * best.value && keep_going()) {
      continue;
    }
    const double last = best.value;
    const Asked asked = ask(factor, mu);
    if (r > 1 && has_many && !asked.is_exact) {
      break;
    }
    idle = best.value < last * (1 - accuracy) ? 0 : idle + 1;
    model.trim(factor);
    const bool is_met = asked.value <= before + std::max(accuracy * best.value, mu);
    if (mu > kLastSmoothing * scale) {
      if (is_met || idle > kRoundsWithoutGain) {
        mu *= kSmoothingFall;
        idle = 0;
      }
    } else if (!asked.has_grown || idle > kRoundsWithoutGain) {
      break;
    }
  }
  best.supports = model.size();
  return least;
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
SupportsAbove enumerate_near(const Matrix& matrix, const Matrix& factor, const PartsOfBound& parts,
                             double target, Budget& budget) {
  NearSupportSearch search(left_of(matrix, factor), parts.maxima.rbegin()->first);
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
void divide_by_supports(const Matrix& matrix, const std::vector<Index>& cardinality,
                        const PartsOfBound& parts, double target, Budget& budget,
                        OrthogonalBound& best) {
  Budget for_enumeration = budget.part(kShareOfEnumeration);
  const SupportsAbove above =
      has_orthogonal_tree(matrix.rows(), cardinality)
          ? SupportsAbove{.near = every_support(matrix.rows(), cardinality), .target = target}
          : enumerate_near(matrix, best.proof.factor, parts, target, for_enumeration);
  if (above.near.is_empty() || above.target >= best.value) {
    return;
  }
  const bool are_all = above.target <= target;
  const OrthogonalTreeBound tree =
      tree_bound_of(matrix, cardinality, above.near, best.proof.factor, best.value, above.target,
                    kMostNodes, budget, are_all ? kShareOfSupports : kShareOfPartOfGap);
  best.value = tree.value;
  best.nodes = tree.nodes;
  best.proof.target = above.target;
  best.proof.nodes = std::max<Index>(tree.nodes, 1);  // 0 stands for no division
}

/// Divides the problem by the number of supports that contain each variable.
void divide_by_overlaps(const Matrix& matrix, const std::vector<Index>& cardinality, double target,
                        int threads, Budget& budget, OrthogonalBound& best) {
  OverlapTree tree(matrix, cardinality, target);
  tree.run(kMostOverlapNodes, threads, budget);
  best.nodes += tree.nodes();
  if (tree.bound() < best.value) {
    best.value = tree.bound();
    best.proof = {.overlap = tree.proof()};
  }
}

PartsOfBound parts_at(const Matrix& matrix, const std::vector<Index>& cardinality,
                      const Matrix& factor, Budget& budget) {
  const Matrix left = left_of(matrix, factor);
  PartsOfBound parts{.total = factor.squaredNorm()};
  const Multiplicity counts = multiplicity_of(cardinality);
  for (const auto& [k, count] : counts) {
    parts.maxima[k] = certified_maximum(left, k, 0, counts.size() > 1, 1, 1, budget).bound;
    parts.total += count * parts.maxima[k];
  }
  return parts;
}

}  // namespace

double orthogonal_bound_at(const Matrix& matrix, const std::vector<Index>& cardinality,
                           const Matrix& factor, Budget& budget) {
  return parts_at(matrix, cardinality, factor, budget).total;
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
  const double target = (1 + accuracy) * value;
  const PartsOfBound parts =
      relax(matrix, cardinality, known, accuracy, scale, target, threads, budget, best);
  const bool has_all = has_orthogonal_tree(matrix.rows(), cardinality);
  const bool has_many = parts.maxima.rbegin()->first >= kManyOfComponent;
  if (best.value > target && keep_going() && (has_all || (r > 1 && !has_many))) {
    divide_by_supports(matrix, cardinality, parts, target, budget, best);
  }
  if (best.value > target && keep_going() && r > 1) {
    divide_by_overlaps(matrix, cardinality, target, threads, budget, best);
  }
  return best;
}

double check_orthogonal_proof(const Matrix& matrix, const std::vector<Index>& cardinality,
                              const OrthogonalProof& proof, Budget& budget) {
  double bound = bound_by_eigenvalues(symmetric_eigenvalues(matrix), std::ssize(cardinality));
  if (!proof.overlap.nodes.empty()) {
    bound = std::min(bound, check_overlap_proof(matrix, cardinality, proof.overlap, budget));
  }
  if (proof.factor.rows() != matrix.rows() || !proof.factor.allFinite()) {
    return bound;
  }
  const PartsOfBound parts = parts_at(matrix, cardinality, proof.factor, budget);
  bound = std::min(bound, parts.total);
  if (proof.nodes == 0 || !(proof.target < bound)) {
    return bound;
  }
  const NearSupports near =
      has_orthogonal_tree(matrix.rows(), cardinality)
          ? every_support(matrix.rows(), cardinality)
          : NearSupportSearch(left_of(matrix, proof.factor), parts.maxima.rbegin()->first)
                .above(levels_of(parts, proof.target), budget);
  return near.is_empty()
             ? bound
             : tree_bound_of(matrix, cardinality, near, proof.factor, bound, proof.target,
                             kNodesOfCheck * std::min(proof.nodes, kMostNodes) + kMoreNodesOfCheck,
                             budget, 1)
                   .value;
}

}  // namespace spca
