#pragma once

#include <functional>
#include <limits>
#include <map>
#include <utility>

#include "spca/base/types.h"
#include "spca/covariance/covariance.h"

namespace spca {

/// Eigenvalues of S that several metrics share. They are computed on first use, once for a data
/// set, within a time limit.
class Spectrum {
 public:
  /// `covariance` must outlive the object. Nothing is computed yet.
  explicit Spectrum(const Covariance& covariance) : covariance_(covariance) {}
  /// Limits the time for computing unknown values to `seconds` in all, until this is called again.
  /// The clock is read before each product with S, so one product, or a dense decomposition,
  /// may exceed the limit. `on_begin` is called before a computation begins.
  void limit(double seconds, std::function<void()> on_begin = {});
  /// Makes a computation end as at the limit also when a stop is requested (interrupt.h). For
  /// interactive commands only: records of a run must not depend on when a signal arrives.
  void end_at_stop() { ends_at_stop_ = true; }
  /// Adds values that another spectrum of the same S has computed. They are used only if exactly
  /// this number of values would be computed, so that no answer depends on the values added.
  void seed_with(const Vector& values) { known_[values.size()] = values; }
  /// Sets a function that is called with the values whenever values were computed.
  void set_observer(std::function<void(const Vector&)> on_computed) {
    on_computed_ = std::move(on_computed);
  }
  /// Returns true if a computation ended at the limit, or at a stop (end_at_stop()), since limit()
  /// was called.
  bool was_stopped() const { return was_stopped_; }

  /// Returns lambda_1 >= ... >= lambda_count, count <= p. The result may hold more than `count`
  /// values: use its head(count). Throws NumericalError if the eigenvalues do not converge, or if
  /// the limit is reached.
  const Vector& leading(Index count) const;
  /// Returns the best bound on one component of cardinality k that needs no search
  /// (cardinality_bound.h). It is at most lambda_1. Throws as leading() does.
  double cardinality_bound(Index k) const;

 private:
  Vector compute(Index count) const;

  const Covariance& covariance_;
  double limit_ = std::numeric_limits<double>::infinity();
  bool ends_at_stop_ = false;
  std::function<void()> on_begin_;
  std::function<void(const Vector&)> on_computed_;
  std::map<Index, Vector> known_;     // seeded values, by their number
  mutable double seconds_spent_ = 0;  // since the limit was set
  mutable bool was_stopped_ = false;
  mutable Vector values_;
  mutable std::map<Index, double> bounds_;
};

}  // namespace spca
