#include "spca/spectrum/spectrum.h"

#include <utility>

#include "spca/base/error.h"
#include "spca/base/interrupt.h"
#include "spca/base/shared_time.h"
#include "spca/spectrum/cardinality_bound.h"
#include "spca/spectrum/eigenpairs.h"

namespace spca {
namespace {

/// S with a time limit. Once the time is up, or a stop is requested and `ends_at_stop` is true,
/// each function that reads S throws NumericalError.
class TimedCovariance final : public Covariance {
 public:
  TimedCovariance(const Covariance& base, double seconds, bool ends_at_stop)
      : base_(base), begin_(steady_now_exactly()), seconds_(seconds), ends_at_stop_(ends_at_stop) {}

  double elapsed_seconds() const { return seconds_between(begin_, steady_now_exactly()); }
  bool is_time_up() const {
    return seconds_between(begin_, steady_now()) >= seconds_ || (ends_at_stop_ && stop_requested());
  }

  Index variables() const override { return base_.variables(); }
  Index samples() const override { return base_.samples(); }
  Matrix submatrix(const Support& support) const override { return timely().submatrix(support); }
  Matrix columns(const Support& support) const override { return timely().columns(support); }
  const Vector& diagonal() const override { return timely().diagonal(); }
  double semidefinite_shift() const override { return base_.semidefinite_shift(); }
  const Vector& largest_variances() const override { return timely().largest_variances(); }
  bool has_data_form() const override { return base_.has_data_form(); }
  bool is_centered() const override { return base_.is_centered(); }
  std::optional<Matrix> gram() const override { return timely().gram(); }
  Vector transpose_product(const Vector& u) const override { return timely().transpose_product(u); }

 protected:
  void do_multiply(const Vector& v, Vector& out) const override {
    multiply_uncounted(timely(), v, out);
  }
  void do_multiply(const Component& v, Vector& out) const override {
    multiply_uncounted(timely(), v, out);
  }
  void do_multiply_block(const Matrix& v, Matrix& out) const override {
    multiply_uncounted(timely(), v, out);
  }

 private:
  const Covariance& timely() const {
    if (is_time_up()) {
      throw NumericalError("the time for eigenvalues ran out");
    }
    return base_;
  }

  const Covariance& base_;
  std::timespec begin_;
  double seconds_;
  bool ends_at_stop_;
};

}  // namespace

void Spectrum::limit(double seconds, std::function<void()> on_begin) {
  limit_ = seconds;
  on_begin_ = std::move(on_begin);
  seconds_spent_ = 0;
  was_stopped_ = false;
}

Vector Spectrum::compute(Index count) const {
  if (const auto known = known_.find(count); known != known_.end()) {
    return known->second;
  }
  if (on_begin_) {
    on_begin_();
  }
  const TimedCovariance timed(covariance_, limit_ - seconds_spent_, ends_at_stop_);
  try {
    Vector values = leading_eigenvalues(timed, count);
    seconds_spent_ += timed.elapsed_seconds();
    if (on_computed_) {
      on_computed_(values);
    }
    return values;
  } catch (const NumericalError&) {
    was_stopped_ = was_stopped_ || timed.is_time_up();
    seconds_spent_ += timed.elapsed_seconds();
    throw;
  }
}

const Vector& Spectrum::leading(Index count) const {
  SPCA_CHECK(count >= 0 && count <= covariance_.variables(), "more eigenvalues than variables");
  // The known values suffice for every smaller count; more are computed only on request.
  if (values_.size() < count) {
    values_ = compute(count);
  }
  return values_;
}

double Spectrum::cardinality_bound(Index k) const {
  // At most this number of multiplications, about 0.1 s, because every cell needs this bound.
  constexpr double kWork = 2e8;
  const auto known = bounds_.find(k);
  if (known != bounds_.end()) {
    return known->second;
  }
  const double bound = cardinality_bounds(covariance_, {k}, leading(1)[0], kWork).front().value;
  bounds_.emplace(k, bound);
  return bound;
}

}  // namespace spca
