/// The cardinality is a step function of the penalty, usually but not always monotone. Bisection
/// finds one of its crossings in either case. If no value meets the cardinality, the best feasible
/// answer on the way counts.

#include "spca/solving/tuning.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace spca {
namespace {

constexpr int kBisectionSteps = 60;
/// The narrowest interval, relative to the larger end. If a penalty is nearer than this to one that
/// changes a support, rounding decides which support results. The same data by rows, by columns or
/// as a covariance would then differ.
constexpr double kNarrowest = 1e-9;
/// To a billionth of the range. The next value that changes moves the border by more.
constexpr int kComponentSteps = 30;
constexpr int kSweeps = 4;

/// The values between one that gives too many nonzeros and one that gives few enough. The ends of
/// the range are never evaluated, only approached. Invariant: `dense_` gave too many nonzeros (or
/// is an end of the range), `sparse_` did not. The number of nonzeros need not be monotone in the
/// penalty; then one of its crossings is found.
class Interval {
 public:
  explicit Interval(const Tuning& tuning) : logarithmic_(tuning.logarithmic) {
    dense_ = scaled(tuning.increasing ? tuning.maximum : tuning.minimum);
    sparse_ = scaled(tuning.increasing ? tuning.minimum : tuning.maximum);
  }
  /// Returns false if nothing but rounding is left between the ends.
  bool halve() {
    middle_ = 0.5 * (dense_ + sparse_);
    const double width = std::abs(dense_ - sparse_);
    return width > kNarrowest * (logarithmic_ ? 1 : std::max(std::abs(dense_), std::abs(sparse_)));
  }
  double value() const { return logarithmic_ ? std::exp(middle_) : middle_; }
  void narrow(bool too_many_nonzeros) { (too_many_nonzeros ? dense_ : sparse_) = middle_; }

 private:
  // Penalties that act over decades are bisected on the logarithm: as many steps for each decade.
  double scaled(double x) const { return logarithmic_ ? std::log(x) : x; }

  bool logarithmic_;
  double dense_ = 0;
  double sparse_ = 0;
  double middle_ = 0;
};

/// Values of the option and the nonzeros that they give.
struct Point {
  std::vector<double> values;
  std::vector<Index> nonzeros;  // r
};

class Search {
 public:
  Search(const Tuning& tuning, const std::vector<Index>& cardinality, const SolveWith& solve_with)
      : tuning_(tuning), cardinality_(cardinality), solve_with_(solve_with) {}

  /// Returns true if the search is over.
  bool bisect_all();
  void bisect_each();
  TunedSolution finish();

 private:
  void evaluate(std::vector<double> values);
  void sweep(Point at);
  std::optional<Point> bisect_component(const Point& held, std::size_t j);

  const Tuning& tuning_;
  const std::vector<Index>& cardinality_;
  const SolveWith& solve_with_;
  bool finished_ = false;  // met, out of time, or broken down
  Point point_;            // the last one evaluated
  bool exceeds_ = false;   // some component there has too many nonzeros
  Solution last_;
  std::optional<Solution> best_;
  Point best_point_;
  Index best_nonzeros_ = 0;
};

void Search::evaluate(std::vector<double> values) {
  last_ = solve_with_(values);
  if (!is_usable(last_.status)) {
    finished_ = true;
    return;
  }
  point_ = {.values = std::move(values), .nonzeros = std::vector<Index>(cardinality_.size(), 0)};
  exceeds_ = false;
  bool has_empty = false;
  Index total = 0;
  for (std::size_t j = 0; j < cardinality_.size(); ++j) {
    const Index found = j < last_.components.size() ? last_.components[j].cardinality() : 0;
    point_.nonzeros[j] = found;
    exceeds_ = exceeds_ || found > cardinality_[j];
    has_empty = has_empty || found == 0;
    total += found;
  }
  // More nonzeros explain more variance, and so the nearest answer from below is kept.
  if (!exceeds_ && !has_empty && total > best_nonzeros_) {
    best_ = last_;
    best_point_ = point_;
    best_nonzeros_ = total;
  }
  finished_ = point_.nonzeros == cardinality_ || last_.status == Status::kTimeLimit;
}

bool Search::bisect_all() {
  Interval interval(tuning_);
  for (int step = 0; step < kBisectionSteps && interval.halve(); ++step) {
    evaluate({interval.value()});
    if (finished_) {
      return true;
    }
    interval.narrow(exceeds_);
  }
  return false;
}

/// Returns the point with the most nonzeros of component j that are not too many. Empty if the
/// component is empty in all points that come near.
std::optional<Point> Search::bisect_component(const Point& held, std::size_t j) {
  std::optional<Point> nearest;
  Interval interval(tuning_);
  for (int step = 0; step < kComponentSteps && interval.halve(); ++step) {
    std::vector<double> values = held.values;
    values[j] = interval.value();
    evaluate(std::move(values));
    if (finished_) {
      return std::nullopt;
    }
    const Index found = point_.nonzeros[j];
    if (found > 0 && found <= cardinality_[j] && (!nearest || found > nearest->nonzeros[j])) {
      nearest = point_;
    }
    if (found == cardinality_[j]) {
      break;
    }
    interval.narrow(found > cardinality_[j]);
  }
  return nearest;
}

/// Sweeps from the answer with one value for all, then from the middle of the range. In the first,
/// the components can be so sparse already that none of them moves alone.
void Search::bisect_each() {
  sweep(best_ ? best_point_ : point_);
  if (finished_) {
    return;
  }
  Interval interval(tuning_);
  interval.halve();
  evaluate({interval.value()});
  if (!finished_) {
    sweep(point_);
  }
}

void Search::sweep(Point at) {
  at.values.assign(cardinality_.size(), at.values.at(0));
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    const std::vector<Index> before = at.nonzeros;
    for (std::size_t j = 0; j < cardinality_.size(); ++j) {
      if (at.nonzeros[j] == cardinality_[j]) {
        continue;
      }
      const std::optional<Point> found = bisect_component(at, j);
      if (finished_) {
        return;
      }
      // The next component is bisected with this value held: a sweep of coordinate descent.
      at = found.value_or(at);
    }
    if (at.nonzeros == before) {
      return;
    }
  }
}

TunedSolution Search::finish() {
  if (best_) {
    return {.solution = std::move(*best_),
            .values = best_point_.values,
            .cardinality_missed = best_point_.nonzeros != cardinality_};
  }
  if (last_.status == Status::kTimeLimit) {
    // They exceed the cardinality, and so they are no answer to the problem.
    last_.components.clear();
    return {.solution = std::move(last_), .values = {}};
  }
  if (is_usable(last_.status)) {
    last_.status = Status::kNumericalFailure;
    last_.message = fmt::format(
        "no {} was found in [{}, {}] that gives every component between 1 and {} nonzeros",
        tuning_.option, tuning_.minimum, tuning_.maximum, fmt::join(cardinality_, ","));
  }
  return {.solution = std::move(last_), .values = {}};
}

}  // namespace

TunedSolution tune(const Tuning& tuning, const std::vector<Index>& cardinality, bool one_for_each,
                   const SolveWith& solve_with) {
  Search search(tuning, cardinality, solve_with);
  if (!search.bisect_all() && one_for_each && cardinality.size() > 1) {
    search.bisect_each();
  }
  return search.finish();
}

}  // namespace spca
