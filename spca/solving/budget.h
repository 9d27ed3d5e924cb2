#pragma once

#include <cstdint>
#include <ctime>
#include <limits>
#include <string>
#include <vector>

#include "spca/base/types.h"
#include "spca/covariance/covariance.h"
#include "spca/solving/phase_timer.h"

namespace spca {

class SolveWatch;

/// One point of a solve's convergence trace.
struct TracePoint {
  Index iteration = 0;              // number of iterations that next() has allowed, over all loops
  double seconds = 0;               // wall time since the solve began
  std::uint64_t products = 0;       // with S, since the solve began
  double objective = kNotMeasured;  // the solver's own, in its own units
  double bound = kNotMeasured;      // on the objective; NaN if none is known yet
};

/// The clock, the limits and the trace of one solve, made by the harness. A solver's loop is
///
///   while (budget.next(objective)) { ...one iteration... }
///
/// A solver owns no timer. A limit of its own on the iterations is part of its stopping rule.
class Budget {
 public:
  /// The limits that end a solve before its own stopping rule does.
  struct Limits {
    double seconds = std::numeric_limits<double>::infinity();  // wall time
    Index iterations = 1'000'000;                              // of one loop (begin_loop())
    bool trace = false;                                        // whether trace() is kept
    SolveWatch* watch = nullptr;  // null, or the observer; it must outlive the budget
  };
  /// `counted`, if not null, supplies the products of the trace. It must outlive the budget.
  explicit Budget(Limits limits, const Covariance* counted = nullptr);
  /// Makes a budget without a time limit, and with a million iterations for each loop.
  Budget() : Budget(Limits{}) {}

  /// Counts an iteration and returns true if it may run. `objective` is the value so far, for the
  /// trace.
  bool next(double objective = kNotMeasured);
  /// Records that no answer has a larger objective than `bound`; `objective` is the value so far.
  /// Adds a point to the trace. This point and all later ones have the least bound so far. NaN is
  /// ignored, and so are bounds from a nested solver, which refer to its own problem
  /// (PhaseTimer::Nested).
  void add_bound(double bound, double objective);
  /// Records in out_of_time() whether the time is over, and adds a point to the trace. For a method
  /// that ends without asking next().
  void record_end(double objective);
  /// Begins a further loop. A solver with several loops (restarts, starts, cardinalities) calls
  /// this before each but the first. The iteration limit then holds for one loop, the clock for the
  /// whole solve.
  void begin_loop() { loop_iterations_ = 0; }

  /// Returns true if the time is over or a signal came. Counts nothing and may be called from
  /// several threads: for a long step between two calls of next().
  bool is_time_up() const;
  /// Returns true if next() has returned false because the time was over or a signal came, or if
  /// record_end() found that.
  bool out_of_time() const { return out_of_time_; }
  /// Returns true if next() has returned false because the iterations of a loop were over.
  bool out_of_iterations() const { return out_of_iterations_; }
  /// The number of iterations that next() allowed, over all loops.
  Index iterations() const { return iterations_; }
  /// Wall time since the budget was made.
  double elapsed_seconds() const;
  /// The remaining seconds: negative after the time limit; infinity if there is none.
  double seconds_left() const { return limits_.seconds - seconds_in_loop(); }
  /// Returns a budget for a part of the work: this share of the remaining seconds, and no limit of
  /// iterations.
  Budget part(double share) const;
  /// The timer of the phases of this solve.
  PhaseTimer& phases() { return phases_; }
  /// The same as phases() above, for reading.
  const PhaseTimer& phases() const { return phases_; }
  /// One point for each call of next(), record_end(), or add_bound() with a bound that counts, in
  /// order; empty unless Limits::trace was set. Iterations and seconds count from this budget's
  /// beginning, products from that of the covariance.
  const std::vector<TracePoint>& trace() const { return trace_; }
  /// Records that another program does the work. Its iterations and products with S cannot be
  /// counted here.
  void mark_external() { is_external_ = true; }
  /// Returns true if mark_external() was called.
  bool is_external() const { return is_external_; }

 private:
  /// Like elapsed_seconds(), but by a clock that may lag: for frequent calls (steady_now() in
  /// spca/base/shared_time.h).
  double seconds_in_loop() const;
  void add_to_trace(double objective);
  void update_watch(double objective);

  Limits limits_;
  const Covariance* counted_;
  std::timespec start_{};
  Index iterations_ = 0;
  Index loop_iterations_ = 0;
  bool out_of_time_ = false;
  bool out_of_iterations_ = false;
  bool is_external_ = false;
  std::vector<TracePoint> trace_;
  double bound_ = kNotMeasured;  // the least known bound, or NaN
  PhaseTimer phases_;
};

}  // namespace spca
