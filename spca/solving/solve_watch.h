#pragma once

#include <atomic>

#include "spca/base/types.h"

namespace spca {

/// The progress of a running solve. The solver's thread writes, and any other thread may read: each
/// number is one that was written, but the numbers need not belong together.
class SolveWatch {
 public:
  struct View {
    Index component = 0;  // the current component, from 1; 0 before the solver begins
    Index iterations = 0;
    double objective = kNotMeasured;  // the solver's own
    double bound = kNotMeasured;      // on the objective
  };

  /// Sets the component for which the solver is called, or the first of several.
  void begin_component(Index component) {
    if (component_.exchange(component, std::memory_order_relaxed) != component) {
      objective_.store(kNotMeasured, std::memory_order_relaxed);
      bound_.store(kNotMeasured, std::memory_order_relaxed);
    }
  }
  /// Updates the numbers. A NaN leaves the old number.
  void update(Index iterations, double objective, double bound) {
    iterations_.store(iterations, std::memory_order_relaxed);
    if (objective == objective) {
      objective_.store(objective, std::memory_order_relaxed);
    }
    if (bound == bound) {
      bound_.store(bound, std::memory_order_relaxed);
    }
  }
  View view() const {
    return {.component = component_.load(std::memory_order_relaxed),
            .iterations = iterations_.load(std::memory_order_relaxed),
            .objective = objective_.load(std::memory_order_relaxed),
            .bound = bound_.load(std::memory_order_relaxed)};
  }

 private:
  std::atomic<Index> component_{0};
  std::atomic<Index> iterations_{0};
  std::atomic<double> objective_{kNotMeasured};
  std::atomic<double> bound_{kNotMeasured};
};

}  // namespace spca
