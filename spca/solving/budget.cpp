#include "spca/solving/budget.h"

#include <algorithm>
#include <cmath>

#include "spca/base/interrupt.h"
#include "spca/base/shared_time.h"
#include "spca/solving/solve_watch.h"

namespace spca {

Budget::Budget(Limits limits, const Covariance* counted)
    : limits_(limits), counted_(counted), start_(steady_now_exactly()) {}

double Budget::elapsed_seconds() const { return seconds_between(start_, steady_now_exactly()); }

double Budget::seconds_in_loop() const { return seconds_between(start_, steady_now()); }

Budget Budget::part(double share) const {
  return Budget({.seconds = share * std::max(0.0, seconds_left()),
                 .iterations = std::numeric_limits<Index>::max()});
}

void Budget::add_to_trace(double objective) {
  if (limits_.trace) {
    trace_.push_back({.iteration = iterations_,
                      .seconds = seconds_in_loop(),
                      .products = counted_ == nullptr ? 0 : counted_->products(),
                      .objective = objective,
                      .bound = bound_});
  }
}

void Budget::add_bound(double bound, double objective) {
  if (!phases_.is_nested() && !std::isnan(bound)) {
    bound_ = std::isnan(bound_) ? bound : std::min(bound_, bound);
    add_to_trace(objective);
    update_watch(objective);
  }
}

void Budget::update_watch(double objective) {
  // A nested solver reports on a problem of its own.
  if (limits_.watch != nullptr && !phases_.is_nested()) {
    limits_.watch->update(iterations_, objective, bound_);
  }
}

// A signal counts as the end of the time: the solver returns its best answer so far. Reading the
// clock costs about 25 ns, less than an iteration of the cheapest solver on the smallest data set.
bool Budget::is_time_up() const {
  return stop_requested() || (limits_.seconds < std::numeric_limits<double>::infinity() &&
                              seconds_in_loop() >= limits_.seconds);
}

void Budget::record_end(double objective) {
  add_to_trace(objective);
  update_watch(objective);
  out_of_time_ = out_of_time_ || is_time_up();
}

bool Budget::next(double objective) {
  // Recorded before the limits are checked, so that the trace ends with the value that is returned.
  add_to_trace(objective);
  update_watch(objective);
  // The iteration limit is checked first: unlike the clock, it is the same on every machine.
  if (loop_iterations_ >= limits_.iterations) {
    out_of_iterations_ = true;
    return false;
  }
  if (is_time_up()) {
    out_of_time_ = true;
    return false;
  }
  ++iterations_;
  ++loop_iterations_;
  return true;
}

}  // namespace spca
