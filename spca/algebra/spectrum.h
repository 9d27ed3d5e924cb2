#pragma once

#include <functional>
#include <limits>
#include <map>
#include <utility>

#include "spca/algebra/covariance.h"
#include "spca/base/types.h"

namespace spca {

/// Eigenvalues of S that several metrics share. They are computed on first use, once for a data
/// set, within a limit of time.
class Spectrum {
 public:
  /// `covariance` outlives the object. Nothing is computed yet.
  explicit Spectrum(const Covariance& covariance) : covariance_(covariance) {}
  /// From now on, computing what is not known yet may take so many seconds in all, until this is
  /// called again. The clock is asked before each product with S, and so one product, or a dense
  /// decomposition, may take longer. `on_begin` is called before a computation begins.
  void limit(double seconds, std::function<void()> on_begin = {});
  /// From now on a computation ends as at the limit also if a stop is requested (interrupt.h). For
  /// who measures while a user waits: records of a run must not depend on when a signal comes.
  void end_at_stop() { ends_at_stop_ = true; }
  /// Takes values that another spectrum of the same S has computed. They are used if exactly so many
  /// would be computed, so that no answer depends on what is known.
  void know(const Vector& values) { known_[values.size()] = values; }
  /// Calls this with values whenever some were computed.
  void tell(std::function<void(const Vector&)> on_computed) {
    on_computed_ = std::move(on_computed);
  }
  /// Whether the limit was met since it was set.
  bool was_stopped() const { return was_stopped_; }

  /// Returns lambda_1 >= ... >= lambda_count, count <= p. The answer may hold more than `count`
  /// values: take its head(count). Throws NumericalError if the eigenvalues do not converge, or if
  /// the limit is met.
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
  std::map<Index, Vector> known_;     // by their number
  mutable double seconds_spent_ = 0;  // since the limit was set
  mutable bool was_stopped_ = false;
  mutable Vector values_;
  mutable std::map<Index, double> bounds_;
};

}  // namespace spca
