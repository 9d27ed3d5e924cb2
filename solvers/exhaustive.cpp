/// Enumeration of every support: the optimum, for small C(p, k).
///
/// Problem  maximise v'Sv  s.t. ||v||_2 = 1, ||v||_0 <= k
/// Step     for each support I of k variables in lexicographic order, lambda_max(S_II). It is left
///          out if a bound that running sums give shows that it cannot exceed the best so far: with
///          m = Tr S_II / k and f = ||S_II||_F^2, lambda_max <= m + sqrt((k - 1) (f / k - m^2))
///          (H. Wolkowicz, G. Styan, Linear Algebra and its Applications 29:471, 1980, Theorem 2.1)
/// Start    the first support in lexicographic order
/// Stops    when all are done. Among equal optima the lexicographically first is returned
/// Cost     C(p, k) times O(1) for a support that the bound rules out, O(k^3) for the others
/// Source   the definition
/// Differs  nothing. Variables of variance zero are left out first: they add nothing

#include <atomic>
#include <chrono>
#include <cmath>
#include <functional>
#include <limits>
#include <thread>

#include "spca/algebra/dense_decompositions.h"
#include "spca/algebra/eigenpairs.h"
#include "spca/algebra/sparsify.h"
#include "spca/methods/ascent/support_ascent.h"
#include "spca/solving/solver.h"

namespace spca {
namespace {

struct ExhaustiveOptions {
  Index largest_count = 50'000'000;  // some seconds

  void describe(OptionVisitor& visit) {
    visit("largest_count", largest_count, "skip where C(p, k) is larger", at_least(1));
  }
};

// S whole is held: 200 MB for so many variables.
constexpr Index kLargestP = 5000;
// Relative rounding of the bound: under its root a difference of sums may lose half the digits.
constexpr double kBoundSlack = 1e-6;
// Supports between two looks at the clock or at the other threads.
constexpr Index kStride = 4096;

/// C(p, k), or infinity if that overflows.
double count_supports(Index p, Index k) {
  double count = 1;
  for (Index i = 1; i <= std::min(k, p - k); ++i) {
    count *= static_cast<double>(p - i + 1) / static_cast<double>(i);
  }
  return std::round(count);
}

struct Best {
  double value = -std::numeric_limits<double>::infinity();
  Support support;
};

/// What the threads share. A support is decided by its value alone, never by who came first: the
/// bound rules out only what is certainly below `threshold`, and that never exceeds the optimum.
struct Search {
  const Matrix& matrix;   // S
  const Matrix& squares;  // S_ij^2
  Index k;
  std::atomic<double> threshold{-std::numeric_limits<double>::infinity()};
  std::atomic<Index> next_task{0};
  std::atomic<Index> running{0};
  std::atomic<bool> stop{false};
};

/// Enumerates depth first. Level t holds the sums over the first t chosen variables, so that Tr
/// S_II and ||S_II||_F^2 of a support take O(1) operations more than those of the support it
/// continues.
class Enumeration {
 public:
  /// `keep_going` is asked every kStride supports.
  Enumeration(Search& search, std::function<bool()> keep_going)
      : search_(search),
        keep_going_(std::move(keep_going)),
        chosen_(static_cast<std::size_t>(search.k)),
        squared_sums_(search.matrix.rows(), search.k),
        submatrix_(search.k, search.k) {}

  /// All supports whose smallest variable is `first`.
  void run(Index first) {
    if (search_.k == 1) {
      chosen_[0] = first;
      consider(search_.matrix(first, first));
      return;
    }
    choose(0, first, 0, 0);
  }

  const Best& best() const { return best_; }

 private:
  /// `trace` and `squared_norm` are those of the first `level` variables' submatrix.
  void choose(Index level, Index variable, double trace, double squared_norm) {
    const double variance = search_.matrix(variable, variable);
    double added = search_.squares(variable, variable);
    if (level > 0) {
      added += 2 * squared_sums_(variable, level - 1);
    }
    chosen_[static_cast<std::size_t>(level)] = variable;
    trace += variance;
    squared_norm += added;
    if (level + 1 == search_.k) {
      evaluate_leaf(trace, squared_norm);
      return;
    }
    const Index p = search_.matrix.rows();
    const Index rest = p - variable - 1;
    squared_sums_.col(level).tail(rest) = search_.squares.col(variable).tail(rest);
    if (level > 0) {
      squared_sums_.col(level).tail(rest) += squared_sums_.col(level - 1).tail(rest);
    }
    const Index last = p - (search_.k - level - 1);
    for (Index next = variable + 1; next <= last && !stopped_; ++next) {
      choose(level + 1, next, trace, squared_norm);
    }
  }

  void evaluate_leaf(double trace, double squared_norm) {
    if (++seen_ % kStride == 0 && !keep_going_()) {
      stopped_ = true;
      return;
    }
    const auto k = static_cast<double>(search_.k);
    const double mean = trace / k;
    const double spread = std::max(squared_norm / k - mean * mean, 0.0);
    const double bound = mean + std::sqrt((k - 1) * spread);
    if (bound * (1 + kBoundSlack) < search_.threshold.load(std::memory_order_relaxed)) {
      return;
    }
    for (Index j = 0; j < search_.k; ++j) {
      for (Index i = j; i < search_.k; ++i) {
        submatrix_(i, j) = search_.matrix(chosen_[static_cast<std::size_t>(i)],
                                          chosen_[static_cast<std::size_t>(j)]);
      }
    }
    consider(symmetric_eigenvalues(submatrix_)[search_.k - 1]);
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
  std::function<bool()> keep_going_;
  Support chosen_;
  Matrix squared_sums_;  // column t: for every i the sum over the first t + 1 variables j of S_ij^2
  Matrix submatrix_;
  Best best_;
  Index seen_ = 0;
  bool stopped_ = false;
};

void take_tasks(Search& search, Enumeration& enumeration) {
  const Index tasks = search.matrix.rows() - search.k + 1;
  for (Index task; !search.stop && (task = search.next_task++) < tasks;) {
    enumeration.run(task);
  }
}

/// The budget belongs to this thread; it tells the others to stop.
Best search_all(Search& search, int threads, Budget& budget) {
  const auto spend = [&] {
    budget.begin_loop();  // looks at the clock; there is nothing to iterate
    if (!search.stop && !budget.next(search.threshold)) {
      search.stop = true;
    }
    return !search.stop;
  };
  std::vector<Enumeration> others;
  others.reserve(static_cast<std::size_t>(threads));
  std::vector<std::thread> pool;
  for (int t = 1; t < threads; ++t) {
    others.emplace_back(search, [&search] { return !search.stop.load(); });
    ++search.running;
    pool.emplace_back([&search, &own = others.back()] {
      take_tasks(search, own);
      --search.running;
    });
  }
  Enumeration own(search, spend);
  take_tasks(search, own);
  while (search.running > 0) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    spend();
  }
  Best best = own.best();
  for (std::size_t t = 0; t < pool.size(); ++t) {
    pool[t].join();
    const Best& found = others[t].best();
    if (found.value > best.value || (found.value == best.value && found.support < best.support)) {
      best = found;
    }
  }
  return best;
}

Solution solve_exhaustive(const Problem& problem, const ExhaustiveOptions& options,
                          Budget& budget) {
  const Vector variances = problem.covariance.diagonal().cwiseMax(0.0);
  const Support variables = restrict_to(variances, top_k(variances, variances.size())).support;
  if (variables.empty()) {
    return skipped("no variable with positive variance is left");
  }
  const auto p = std::ssize(variables);
  const Index k = std::min(problem.cardinality[0], p);
  const double count = count_supports(p, k);
  if (count > static_cast<double>(options.largest_count)) {
    return skipped(
        fmt::format("{:.3g} supports of {} out of {} variables; option largest_count "
                    "allows {}",
                    count, k, p, options.largest_count));
  }
  const Matrix matrix = problem.covariance.submatrix(variables);
  const Matrix squares = matrix.cwiseAbs2();
  Search search{.matrix = matrix, .squares = squares, .k = k};
  const Best best = search_all(search, problem.threads, budget);
  if (best.support.empty()) {
    return make_solution({}, budget);  // out of time before the first support
  }
  const Support support = take_from(variables, best.support);
  return make_solution({best_on_support(problem.covariance, support).component}, budget);
}

SPCA_SOLVER("exhaustive", solve_exhaustive,
            (Traits{.summary = "every support: the optimum, for small C(p, k)",
                    .problem = "max v'Sv  s.t. ||v|| = 1, ||v||_0 <= k",
                    .source = "enumeration",
                    .exact = true,
                    .largest_p = kLargestP}));

}  // namespace
}  // namespace spca
