#include "spca/methods/joint/matching_search.h"

#include <algorithm>
#include <limits>

#include "spca/base/parallel.h"
#include "spca/dense/dense_products.h"
#include "spca/dense/dense_selections.h"
#include "spca/dense/leading_eigenpair.h"

namespace spca {
namespace {

// Number of candidates between two checks of the clock, and number that share one thread's memory.
// Chosen by trial, not measured.
constexpr std::size_t kCandidatesBetweenChecks = 64;
constexpr std::size_t kCandidatesOfThread = 8;
// Two eigenvalues with a smaller relative difference are equal up to rounding.
constexpr double kSameEigenvalue = 1e-12;

/// FNV-1a over the indices, each component ended by a mark. If two candidates have the same hash,
/// which happens once in 2^64 pairs, the second may be lost.
std::uint64_t hash_of(const std::vector<Support>& supports) {
  std::uint64_t hash = 14695981039346656037U;
  const auto add = [&](std::uint64_t word) { hash = (hash ^ word) * 1099511628211U; };
  for (const Support& support : supports) {
    for (const Index i : support) {
      add(static_cast<std::uint64_t>(i));
    }
    add(std::numeric_limits<std::uint64_t>::max());
  }
  return hash;
}

}  // namespace

MatchingSearch::MatchingSearch(const Problem& problem, SpanScore score, const LowRank& low_rank)
    : problem_(problem),
      low_rank_(low_rank),
      score_(score),
      known_(problem.covariance),
      assignments_(kCandidatesBetweenChecks / kCandidatesOfThread,
                   SpanAssignment(low_rank.factor, problem.cardinality)) {}

void MatchingSearch::run(const Directions& directions, Budget& budget) {
  std::vector<SpanCandidate> batch;
  while (!is_complete_ && budget.next(best_.score)) {
    batch.resize(kCandidatesBetweenChecks);
    std::size_t count = 0;
    while (count < kCandidatesBetweenChecks && directions(batch[count].directions)) {
      ++count;
    }
    is_complete_ = count < kCandidatesBetweenChecks;
    batch.resize(count);
    find_supports(batch);
    score(batch);
    tried_ += static_cast<double>(count);
  }
}

void MatchingSearch::find_supports(std::vector<SpanCandidate>& batch) {
  const std::size_t chunks = (batch.size() + kCandidatesOfThread - 1) / kCandidatesOfThread;
  parallel_for(chunks, problem_.threads, [&](std::size_t chunk) {
    for (std::size_t i = chunk * kCandidatesOfThread;
         i < std::min(batch.size(), (chunk + 1) * kCandidatesOfThread); ++i) {
      SpanCandidate& candidate = batch[i];
      candidate.supports = assignments_[chunk].solve(candidate.directions);
      candidate.values.clear();
      candidate.low_rank = 0;
      candidate.score = 0;
      for (const Support& support : candidate.supports) {
        candidate.values.push_back(low_rank_value(low_rank_.factor, support));
        candidate.low_rank += candidate.values.back();
      }
    }
  });
}

void MatchingSearch::score(std::vector<SpanCandidate>& batch) {
  if (score_ != SpanScore::kCovariance) {
    for (SpanCandidate& candidate : batch) {
      candidate.score =
          score_ == SpanScore::kPrinted ? value_by_directions(candidate) : candidate.low_rank;
    }
  } else {
    std::vector<std::size_t> promising;
    for (std::size_t i = 0; i < batch.size(); ++i) {
      double upper = 0;
      for (std::size_t j = 0; j < batch[i].supports.size(); ++j) {
        upper += bound(batch[i], j);
      }
      if (upper * (1 + kSameEigenvalue) > best_.score &&
          seen_.insert(hash_of(batch[i].supports)).second) {
        promising.push_back(i);
        known_.learn(batch[i].supports);
      }
    }
    scored_ += static_cast<double>(promising.size());
    // The floor is fixed for the batch: a floor that rose within the batch would depend on the
    // timing of the threads.
    const double floor = best_.score;
    parallel_for(promising.size(), problem_.threads, [&](std::size_t i) {
      batch[promising[i]].score = score_on_covariance(batch[promising[i]], floor);
    });
  }
  for (const SpanCandidate& candidate : batch) {
    best_low_rank_ = std::max(best_low_rank_, candidate.low_rank);
    if (candidate.score > best_.score) {
      best_ = candidate;
    }
  }
}

/// Tr(X'S_d X) for the X of Algorithm 2, which line 8 of Algorithm 1 maximises.
double MatchingSearch::value_by_directions(const SpanCandidate& candidate) const {
  double sum = 0;
  for (std::size_t j = 0; j < candidate.supports.size(); ++j) {
    const Component x = loadings_of_direction(low_rank_.factor, candidate.supports[j],
                                              candidate.directions.col(static_cast<Index>(j)));
    if (!x.support.empty()) {
      sum += (low_rank_.factor(x.support, Eigen::all).transpose() * x.values).squaredNorm();
    }
  }
  return sum;
}

/// Bounds lambda_max(S_II) from above, I the j-th support: by its value on S_d plus the residual,
/// and by Tr S_II less the other eigenvalues, which are not below -sigma if S + sigma I is positive
/// semidefinite.
double MatchingSearch::bound(const SpanCandidate& candidate, std::size_t j) const {
  const Support& support = candidate.supports[j];
  const auto others = static_cast<double>(std::max(std::ssize(support) - 1, Index{0}));
  return std::min(candidate.values[j] + low_rank_.residual,
                  problem_.covariance.diagonal()(support).sum() +
                      others * problem_.covariance.semidefinite_shift());
}

/// Returns the score, or 0 as soon as it is known to be no more than `floor`. `open` bounds the
/// amount that the supports not yet scored can add.
double MatchingSearch::score_on_covariance(const SpanCandidate& candidate, double floor) const {
  double open = 0;
  for (std::size_t j = 0; j < candidate.supports.size(); ++j) {
    open += bound(candidate, j);
  }
  double sum = 0;
  for (std::size_t j = 0; j < candidate.supports.size(); ++j) {
    if ((sum + open) * (1 + kSameEigenvalue) <= floor) {
      return 0;
    }
    const Support& support = candidate.supports[j];
    open -= bound(candidate, j);
    if (!support.empty()) {
      // V_I c_j, the loadings of Algorithm 2, saves steps of the eigensolver.
      const Vector start = times_vector(selected_rows(low_rank_.factor, support),
                                        candidate.directions.col(static_cast<Index>(j)));
      sum += leading_eigenpair(known_.submatrix(support), start).value;
    }
  }
  return sum;
}

}  // namespace spca
