/// The cardinality is a step function of the penalty, usually but not always monotone. Bisection
/// finds one of its crossings in either case. If no value gives the cardinality, the answer is the
/// best feasible one found by the bisection, or a truncated one.
///
/// Truncation is needed for correlation matrices. Their variables have the same variance, and a
/// correlated group enters and leaves as a whole: one step of the function can lead from 1 to 20
/// nonzeros.

#include "spca/solving/tuning.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "spca/base/error.h"
#include "spca/dense/sparsify.h"
#include "spca/spectrum/eigenpairs.h"

namespace spca {
namespace {

// The limits of effort below were chosen by trial, not measured.

constexpr int kBisectionSteps = 60;
/// The narrowest interval, relative to the larger end. If a penalty is closer than this to a value
/// at which the support changes, rounding decides the support. The same data by rows, by columns or
/// as a covariance would then give different answers.
constexpr double kNarrowestInterval = 1e-9;
/// Number of bisection steps for one component: to a billionth of the range. A change of the value
/// of the next component moves the crossing by more.
constexpr int kComponentSteps = 30;
constexpr int kSweeps = 4;
/// Number of evenly spaced values at which the range is scanned for further crossings.
constexpr int kScanned = 16;
/// At most this number of larger answers are kept for truncation: those with the fewest nonzeros.
constexpr std::size_t kLargerAnswers = 32;

/// The interval between a value with too many nonzeros and one without too many. The ends of the
/// range are never evaluated, only approached. Invariant: `dense_` gave too many nonzeros (or is an
/// end of the range), `sparse_` did not. If the number of nonzeros is not monotone in the penalty,
/// one of the crossings is found.
class Interval {
 public:
  explicit Interval(const Tuning& tuning)
      : Interval(tuning, tuning.increasing ? tuning.maximum : tuning.minimum,
                 tuning.increasing ? tuning.minimum : tuning.maximum) {}
  Interval(const Tuning& tuning, double dense, double sparse) : logarithmic_(tuning.logarithmic) {
    dense_ = scaled(dense);
    sparse_ = scaled(sparse);
  }
  /// Moves the value to the middle. Returns false if the ends differ only by rounding.
  bool halve() {
    middle_ = 0.5 * (dense_ + sparse_);
    const double width = std::abs(dense_ - sparse_);
    return width >
           kNarrowestInterval * (logarithmic_ ? 1 : std::max(std::abs(dense_), std::abs(sparse_)));
  }
  double value() const { return logarithmic_ ? std::exp(middle_) : middle_; }
  /// The value at this share of the way from the dense end to the sparse one.
  double value_at(double share) const {
    const double scaled = dense_ + share * (sparse_ - dense_);
    return logarithmic_ ? std::exp(scaled) : scaled;
  }
  void narrow(bool too_many_nonzeros) { (too_many_nonzeros ? dense_ : sparse_) = middle_; }

 private:
  // Penalties that act over decades are bisected on the logarithm: the same number of steps per
  // decade.
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

/// A larger answer. Components that exceed their k_j have lost all but the k_j largest loadings.
struct Larger {
  Solution solution;
  Point point;
  Index total = 0;  // nonzeros before the truncation
};

class Search {
 public:
  Search(const Tuning& tuning, const std::vector<Index>& cardinality, const SolveWith& solve_with,
         const Covariance* truncated_on)
      : tuning_(tuning),
        cardinality_(cardinality),
        solve_with_(solve_with),
        truncated_on_(truncated_on) {}

  bool finished() const { return finished_; }
  /// The three stages. Each ends early if the search is finished.
  void bisect_all();
  void bisect_each();
  void scan();
  TunedSolution finish();

 private:
  bool is_met() const { return best_ && best_point_.nonzeros == cardinality_; }
  void evaluate(std::vector<double> values);
  void bisect(Interval interval, int steps);
  void sweep(Point at);
  std::optional<Point> bisect_component(const Point& held, std::size_t j);
  void store_last();
  bool refit(Larger& larger) const;
  double value_of(const Solution& solution) const;
  std::optional<TunedSolution> truncated();
  std::optional<TunedSolution> extended() const;
  void mark_if_late(Solution& solution) const;

  const Tuning& tuning_;
  const std::vector<Index>& cardinality_;
  const SolveWith& solve_with_;
  const Covariance* truncated_on_;  // null: larger answers are not truncated
  bool finished_ = false;           // met, out of time, or broken down
  Point point_;                     // the last one evaluated
  bool exceeds_ = false;            // some component there has too many nonzeros
  Solution last_;
  std::optional<Solution> best_;
  Point best_point_;
  Index best_nonzeros_ = 0;
  double crossing_ = 0;         // where the last bisection with one value for all ended
  std::vector<Larger> larger_;  // of different supports
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
  // More nonzeros explain more variance, so the feasible answer with the most nonzeros is kept.
  if (!exceeds_ && !has_empty && total > best_nonzeros_) {
    best_ = last_;
    best_point_ = point_;
    best_nonzeros_ = total;
  }
  if (exceeds_ && !has_empty && truncated_on_ != nullptr) {
    store_last();
  }
  finished_ = point_.nonzeros == cardinality_ || last_.status == Status::kTimeLimit;
}

void Search::bisect(Interval interval, int steps) {
  for (int step = 0; step < steps && interval.halve(); ++step) {
    evaluate({interval.value()});
    if (finished_) {
      return;
    }
    interval.narrow(exceeds_);
  }
  crossing_ = interval.value();
}

void Search::bisect_all() { bisect(Interval(tuning_), kBisectionSteps); }

/// Looks for crossings other than the one that the bisection of the whole range has found.
void Search::scan() {
  const double known = crossing_;
  const Interval range(tuning_);
  std::vector<std::pair<double, bool>> scanned;  // a value, and whether it exceeds
  for (int i = 1; i <= kScanned && !finished_; ++i) {
    const double value = range.value_at(static_cast<double>(i) / (kScanned + 1));
    evaluate({value});
    scanned.emplace_back(value, exceeds_);
  }
  for (std::size_t i = 1; i < scanned.size() && !finished_; ++i) {
    const auto& [before, exceeded] = scanned[i - 1];
    const auto& [value, exceeds] = scanned[i];
    const bool is_known = std::min(before, value) <= known && known <= std::max(before, value);
    if (exceeded != exceeds && !is_known) {
      bisect(exceeded ? Interval(tuning_, before, value) : Interval(tuning_, value, before),
             kComponentSteps);
    }
  }
}

/// Stores the last answer, truncated, unless an answer with the same supports is stored.
void Search::store_last() {
  Larger larger{.solution = last_, .point = point_};
  for (std::size_t j = 0; j < cardinality_.size(); ++j) {
    Component& component = larger.solution.components[j];
    larger.total += component.cardinality();
    if (component.cardinality() > cardinality_[j]) {
      Component kept{.support = {}, .values = Vector(cardinality_[j])};
      for (const Index i : top_k(component.values, cardinality_[j])) {
        kept.values[kept.cardinality()] = component.values[i];
        kept.support.push_back(component.support[static_cast<std::size_t>(i)]);
      }
      component = std::move(kept);
    }
  }
  larger.solution.path.clear();
  const auto same = std::find_if(larger_.begin(), larger_.end(), [&](const Larger& other) {
    return std::equal(
        other.solution.components.begin(), other.solution.components.end(),
        larger.solution.components.begin(), larger.solution.components.end(),
        [](const Component& a, const Component& b) { return a.support == b.support; });
  });
  if (same != larger_.end()) {
    // Among several answers with the same truncation, the smallest gives the values.
    if (larger.total < same->total) {
      *same = std::move(larger);
    }
    return;
  }
  larger_.push_back(std::move(larger));
  if (larger_.size() > kLargerAnswers) {
    larger_.erase(
        std::max_element(larger_.begin(), larger_.end(),
                         [](const Larger& a, const Larger& b) { return a.total < b.total; }));
  }
}

/// Returns the point at which component j has the most nonzeros within k_j. Empty if the component
/// is empty at all points that do not exceed k_j, or if the search is finished.
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

/// Sweeps from the answer with one value for all components, then from the middle of the range. At
/// the first start the components can be so sparse that no component changes alone.
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

double Search::value_of(const Solution& solution) const {
  double value = 0;
  for (const Component& component : solution.components) {
    value += truncated_on_->quadratic_form(component);
  }
  return value;
}

/// Replaces truncated loadings by the best loadings on their variables. Returns false if there are
/// none.
bool Search::refit(Larger& larger) const {
  for (std::size_t j = 0; j < cardinality_.size(); ++j) {
    Component& component = larger.solution.components[j];
    if (larger.point.nonzeros[j] <= cardinality_[j]) {
      continue;
    }
    try {
      component = best_on_support(*truncated_on_, component.support).component;
    } catch (const NumericalError&) {
      return false;
    }
    if (component.support.empty()) {
      return false;
    }
  }
  return true;
}

/// Returns the best of the larger answers after truncation, if there is any.
std::optional<TunedSolution> Search::truncated() {
  std::optional<TunedSolution> best;
  double best_value = 0;
  for (Larger& larger : larger_) {
    if (!refit(larger)) {
      continue;
    }
    const double value = value_of(larger.solution);
    if (!best || value > best_value) {
      best_value = value;
      best = TunedSolution{
          .solution = larger.solution, .values = larger.point.values, .truncated = true};
      best->solution.message =
          fmt::format("truncated from {} to {} nonzeros", fmt::join(larger.point.nonzeros, ","),
                      fmt::join(cardinality_, ","));
    }
  }
  return best;
}

/// Returns the best smaller answer of one component, extended to k variables by those of largest
/// |(Sv)_j|, and refitted. Empty if the extended answer explains no more.
std::optional<TunedSolution> Search::extended() const {
  if (!best_ || cardinality_.size() != 1) {
    return std::nullopt;
  }
  const Component& from = best_->components[0];
  Vector product;
  truncated_on_->multiply(from, product);
  product = (truncated_on_->diagonal().array() > 0).select(product, 0.0);
  product(from.support).setZero();
  const Component added =
      restrict_to(product, top_k(product, cardinality_[0] - from.cardinality()));
  Support support;
  std::merge(from.support.begin(), from.support.end(), added.support.begin(), added.support.end(),
             std::back_inserter(support));
  TunedSolution larger{.solution = *best_, .values = best_point_.values, .truncated = true};
  larger.solution.path.clear();
  try {
    larger.solution.components[0] = best_on_support(*truncated_on_, support).component;
  } catch (const NumericalError&) {
    return std::nullopt;
  }
  if (!(value_of(larger.solution) > value_of(*best_))) {
    return std::nullopt;
  }
  larger.solution.message = fmt::format("extended from {} to {} nonzeros", from.cardinality(),
                                        larger.solution.components[0].cardinality());
  return larger;
}

/// Sets the status time_limit if the time limit ended the search: another machine may then find
/// another answer.
void Search::mark_if_late(Solution& solution) const {
  if (last_.status != Status::kTimeLimit) {
    return;
  }
  solution.status = Status::kTimeLimit;
  std::vector<Index> found;
  for (const Component& component : solution.components) {
    found.push_back(component.cardinality());
  }
  if (!solution.message.empty()) {
    solution.message =
        fmt::format("the search for {} was cut; {}", tuning_.option, solution.message);
  } else if (found != cardinality_) {
    solution.message = fmt::format("the search for {} was cut at {} of {} nonzeros", tuning_.option,
                                   fmt::join(found, ","), fmt::join(cardinality_, ","));
  }
}

TunedSolution Search::finish() {
  // No value so far gave too many nonzeros, or the method broke down.
  if (!is_met() && truncated_on_ != nullptr && larger_.empty() &&
      last_.status != Status::kTimeLimit && last_.status != Status::kSkipped) {
    evaluate({tuning_.increasing ? tuning_.maximum : tuning_.minimum});
  }
  if (!is_met() && truncated_on_ != nullptr) {
    std::optional<TunedSolution> larger = truncated();
    if (last_.status == Status::kTimeLimit) {
      std::optional<TunedSolution> other = extended();
      constexpr double kMore = 1e-9;  // above rounding: equal supports get the same message
      if (other &&
          (!larger || value_of(other->solution) > value_of(larger->solution) * (1 + kMore))) {
        larger = std::move(other);
      }
    }
    if (larger && (!best_ || value_of(larger->solution) > value_of(*best_))) {
      for (std::size_t j = 0; j < cardinality_.size(); ++j) {
        larger->cardinality_missed =
            larger->cardinality_missed ||
            larger->solution.components[j].cardinality() != cardinality_[j];
      }
      mark_if_late(larger->solution);
      return std::move(*larger);
    }
  }
  if (best_) {
    mark_if_late(*best_);
    return {.solution = std::move(*best_),
            .values = best_point_.values,
            .cardinality_missed = !is_met()};
  }
  if (last_.status == Status::kTimeLimit) {
    // The components exceed the cardinality, so they are not an answer to the problem.
    last_.components.clear();
    return {.solution = std::move(last_), .values = {}};
  }
  if (is_usable(last_.status)) {
    last_.status = Status::kNumericalFailure;
    last_.message = fmt::format(
        "no {} that was tried in [{}, {}] gives every component between 1 and {} nonzeros",
        tuning_.option, tuning_.minimum, tuning_.maximum, fmt::join(cardinality_, ","));
  }
  return {.solution = std::move(last_), .values = {}};
}

}  // namespace

bool wants_truncation(const Json& options) {
  const auto found = options.find(kTruncateOption);
  return found != options.end() && found->is_boolean() && found->get<bool>();
}

TunedSolution tune(const Tuning& tuning, const std::vector<Index>& cardinality, bool one_for_each,
                   const SolveWith& solve_with, const Covariance* truncated_on) {
  Search search(tuning, cardinality, solve_with, truncated_on);
  search.bisect_all();
  if (!search.finished() && one_for_each && cardinality.size() > 1) {
    search.bisect_each();
  }
  if (!search.finished() && truncated_on != nullptr) {
    search.scan();
  }
  return search.finish();
}

}  // namespace spca
