#include "spca/solving/trace.h"

namespace spca {

void Trace::add(const TracePoint& point) {
  // All points before iteration kDense are stored, then one each time the iterations have grown by
  // 1 / kShare. Chosen by trial, not measured.
  constexpr Index kDense = 64;
  constexpr Index kShare = 20;
  // The latest point is always stored, because it might be the last of all. If it is not due, the
  // next point replaces it.
  if (last_is_spare_) {
    points_.back() = point;
  } else {
    points_.push_back(point);
  }
  last_is_spare_ = point.iteration < next_kept_;
  if (!last_is_spare_) {
    // Geometric spacing: the curve is drawn over a logarithmic axis, and its file stays small.
    next_kept_ =
        point.iteration < kDense ? point.iteration : point.iteration + point.iteration / kShare;
  }
}

}  // namespace spca
