/// Enumeration of every support: the optimum, for small C(p, k).
///
/// Problem  maximise v'Sv  s.t. ||v||_2 = 1, ||v||_0 <= k
/// Step     for each support I of k variables in lexicographic order, lambda_max(S_II). It is
///          skipped if a bound from running sums shows that it cannot exceed the best so far: with
///          m = Tr S_II / k and f = ||S_II||_F^2, lambda_max <= m + sqrt((k - 1) (f / k - m^2))
///          (H. Wolkowicz, G. Styan, Linear Algebra and its Applications 29:471, 1980, Theorem 2.1)
/// Start    ascents and exchanges (support_ascent.h), whose value is the first threshold of the
///          bound
/// Stops    when all are done. Among equal optima the lexicographically first is returned
/// Cost     C(p, k) times O(1) for a support that the bound rules out, O(k^3) for the others. An
///          iteration is 4096 supports
/// Source   the definition
/// Differs  nothing. Variables with a zero row of S are excluded first: they add nothing.
///          S may be indefinite, and the bound holds all the same. Threads take pieces of the
///          enumeration that are fixed before, so that neither the answer nor the counts depend on
///          the threads

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include "spca/base/binomial.h"
#include "spca/base/parallel.h"
#include "spca/dense/dense_decompositions.h"
#include "spca/dense/sparsify.h"
#include "spca/methods/ascent/support_ascent.h"
#include "spca/solving/solver.h"
#include "spca/spectrum/eigenpairs.h"
#include "spca/spectrum/remaining_variance.h"

namespace spca::solver_exhaustive {
namespace {

struct ExhaustiveOptions {
  Index largest_count = 50'000'000;  // some seconds

  void describe(OptionVisitor& visit) {
    visit("largest_count", largest_count, "skip the solve if C(p, k) is larger", between(1, 1e15));
  }
};

// At most this number of variables: S and the squares of its entries are stored, 200 MB each.
constexpr Index kMostVariablesStored = 5000;

// The limits of effort below were chosen by trial, not measured.

// At most this number of columns of S start ascents before the enumeration. A value near the
// optimum rules out most supports at once.
constexpr Index kStarts = 200;
// Relative rounding of the bound: under its root a difference of sums may lose half the digits.
constexpr double kRoundingOfBound = 1e-6;
// Number of supports in an iteration.
constexpr Index kSupportsOfIteration = 4096;
// Number of pieces of a round. It does not depend on the number of threads. The clock is checked
// after a round that completes an iteration.
constexpr Index kPieces = 16;
// The duration of the first round and the longest of a later one if the bound rules out nothing,
// and the time of a support then: kSupportSeconds + kSecondsPerCubedK k^3. The first round is
// short, because the time limit may be; later ones are longer, because starting threads has a cost.
constexpr double kFirstRoundSeconds = 0.05;
constexpr double kLongestRoundSeconds = 0.4;
constexpr double kSupportSeconds = 5e-7;
constexpr double kSecondsPerCubedK = 3e-9;

/// The support that has `rank` supports of k of p variables before it in lexicographic order.
Support support_of_rank(Index p, Index k, Index rank) {
  Support support;
  Index variable = 0;
  for (Index chosen = 0; chosen < k; ++chosen, ++variable) {
    // Number of supports with `variable` as the next member.
    for (Index count = 0; rank >= (count = binomial(p - 1 - variable, k - 1 - chosen));
         ++variable) {
      rank -= count;
    }
    support.push_back(variable);
  }
  return support;
}

struct Best {
  double value = -std::numeric_limits<double>::infinity();
  Support support;
};

/// The data that the pieces share. Whether a support is kept depends on its value alone, not on the
/// order of the threads: the bound rules out only supports certainly below `threshold`, and that
/// never exceeds the larger of the value of the start and the largest value of a support that was
/// enumerated or is being enumerated in this round.
struct Search {
  const Matrix& matrix;   // S
  const Matrix& squares;  // S_ij^2
  Index k;
  std::atomic<double> threshold{-std::numeric_limits<double>::infinity()};
};

/// Enumerates a piece. Level t holds the sums over the first t + 1 chosen variables, so that Tr
/// S_II and ||S_II||_F^2 of a support take O(1) operations more than those of its prefix.
class Enumeration {
 public:
  explicit Enumeration(Search& search)
      : search_(search),
        traces_(search.k),
        squared_norms_(search.k),
        squared_sums_(search.matrix.rows(), search.k),
        submatrix_(search.k, search.k) {}

  /// The best of `count` >= 1 supports, the first of which has the rank `begin`.
  Best run(Index begin, Index count) {
    const Index p = search_.matrix.rows();
    const Index last = search_.k - 1;
    chosen_ = support_of_rank(p, search_.k, begin);
    for (Index level = 0; level < last; ++level) {
      add(level);
    }
    for (;;) {
      for (Index& variable = chosen_[at(last)]; variable < p; ++variable) {
        evaluate();
        if (--count == 0) {
          return best_;
        }
      }
      // Raises the last place that can be raised, and resets those after it.
      Index level = last;
      do {
        --level;
      } while (++chosen_[at(level)] > p - search_.k + level);
      add(level);
      for (++level; level <= last; ++level) {
        chosen_[at(level)] = chosen_[at(level - 1)] + 1;
        if (level < last) {
          add(level);
        }
      }
    }
  }

 private:
  static std::size_t at(Index i) { return static_cast<std::size_t>(i); }

  double trace_before(Index level) const { return level == 0 ? 0 : traces_[level - 1]; }
  /// The amount that `variable` adds to ||S_II||_F^2 if it is chosen at this level.
  double added_squares(Index level, Index variable) const {
    return search_.squares(variable, variable) +
           (level == 0 ? 0 : 2 * squared_sums_(variable, level - 1));
  }

  /// Sets the sums of a level that is not the last.
  void add(Index level) {
    const Index variable = chosen_[at(level)];
    traces_[level] = trace_before(level) + search_.matrix(variable, variable);
    squared_norms_[level] =
        (level == 0 ? 0 : squared_norms_[level - 1]) + added_squares(level, variable);
    const Index rest = search_.matrix.rows() - variable - 1;
    squared_sums_.col(level).tail(rest) = search_.squares.col(variable).tail(rest);
    if (level > 0) {
      squared_sums_.col(level).tail(rest) += squared_sums_.col(level - 1).tail(rest);
    }
  }

  void evaluate() {
    const Index last = search_.k - 1;
    const Index variable = chosen_[at(last)];
    const double trace = trace_before(last) + search_.matrix(variable, variable);
    const double squared_norm =
        (last == 0 ? 0 : squared_norms_[last - 1]) + added_squares(last, variable);
    const auto k = static_cast<double>(search_.k);
    const double mean = trace / k;
    const double spread = std::sqrt((k - 1) * std::max(squared_norm / k - mean * mean, 0.0));
    // The slack is a share of both terms: the mean may be negative.
    if (mean + spread + kRoundingOfBound * (std::abs(mean) + spread) <
        search_.threshold.load(std::memory_order_relaxed)) {
      return;
    }
    for (Index j = 0; j < search_.k; ++j) {
      for (Index i = j; i < search_.k; ++i) {
        submatrix_(i, j) = search_.matrix(chosen_[at(i)], chosen_[at(j)]);
      }
    }
    consider(symmetric_eigenvalues(submatrix_)[last]);
  }

  void consider(double value) {
    if (value > best_.value) {
      best_ = {.value = value, .support = chosen_};
      double threshold = search_.threshold.load();
      while (threshold < value && !search_.threshold.compare_exchange_weak(threshold, value)) {
      }
    }
  }

  Search& search_;
  Support chosen_;
  Vector traces_;         // of the first t + 1 variables
  Vector squared_norms_;  // of their submatrix
  Matrix squared_sums_;   // column t: the sum over these variables j of S_ij^2, i after all of them
  Matrix submatrix_;
  Best best_;
};

/// The best of all supports, or of those for which there was time.
Best search_all(Search& search, int threads, Budget& budget) {
  const Index p = search.matrix.rows();
  const Index count = binomial(p, search.k);
  const double seconds_each =
      kSupportSeconds + kSecondsPerCubedK * std::pow(static_cast<double>(search.k), 3);
  Best best;
  double round_seconds = kFirstRoundSeconds;
  for (Index done = 0; done < count;) {
    const auto piece =
        static_cast<Index>(std::ceil(round_seconds / seconds_each / static_cast<double>(kPieces)));
    const Index end = std::min(count, done + kPieces * piece);
    std::vector<Best> found(static_cast<std::size_t>((end - done + piece - 1) / piece));
    parallel_for(found.size(), threads, [&](std::size_t i) {
      const Index begin = done + static_cast<Index>(i) * piece;
      found[i] = Enumeration(search).run(begin, std::min(piece, end - begin));
    });
    for (Best& one : found) {
      // Strictly: of equal values the first in lexicographic order stays.
      if (one.value > best.value) {
        best = std::move(one);
      }
    }
    for (Index iteration = done / kSupportsOfIteration; iteration < end / kSupportsOfIteration;
         ++iteration) {
      budget.begin_loop();  // so that next() checks only the clock, not the number of iterations
      if (!budget.next(best.value)) {
        return best;
      }
    }
    if (end < count && budget.is_time_up()) {  // many supports, without an iteration
      budget.record_end(best.value);
      return best;
    }
    done = end;
    round_seconds = std::min(2 * round_seconds, kLongestRoundSeconds);
  }
  return best;
}

Solution solve_exhaustive(const Problem& problem, const ExhaustiveOptions& options,
                          Budget& budget) {
  const Support variables = varying_variables(problem.covariance);
  const auto p = std::ssize(variables);
  const Index k = std::min(problem.cardinality[0], p);
  const Index count = binomial(p, k);
  if (count > options.largest_count) {
    return skipped(
        fmt::format("{}{:.3g} supports of {} out of {} variables; option largest_count "
                    "allows {}",
                    count == kLargestBinomial ? "more than " : "", static_cast<double>(count), k, p,
                    options.largest_count));
  }
  const Matrix matrix = problem.covariance.submatrix(variables);
  const Matrix squares = matrix.cwiseAbs2();
  Search search{.matrix = matrix, .squares = squares, .k = k};
  SupportAscent start(matrix, k);
  start.ascend(matrix.diagonal());
  for (const Index j : top_k(matrix.diagonal(), std::min(kStarts, p))) {
    start.ascend(matrix.col(j));
  }
  start.grow();
  start.exchange();
  if (!start.support().empty()) {
    search.threshold = start.value();
  }
  Best best = search_all(search, problem.threads, budget);
  // Only if time ran out: otherwise the enumeration has the optimum, and the first of equal ones.
  if (budget.out_of_time() && start.value() > best.value) {
    best = {.value = start.value(), .support = start.support()};
  }
  // An indefinite S may have positive variance only on larger supports.
  if (!(best.value > 0) && !budget.out_of_time()) {
    return skipped(no_positive_support(k));
  }
  const Support support = members_at(variables, best.support);
  return make_solution({best_on_support(problem.covariance, support).component}, budget);
}

SPCA_SOLVER("exhaustive", solve_exhaustive,
            (Traits{.summary = "every support: the optimum, for small C(p, k)",
                    .problem = "max v'Sv  s.t. ||v|| = 1, ||v||_0 <= k",
                    .source = "enumeration",
                    .exact = true,
                    .largest_p = kMostVariablesStored}));

}  // namespace
}  // namespace spca::solver_exhaustive
