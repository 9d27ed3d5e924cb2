#pragma once

#include <vector>

#include "spca/solving/budget.h"

namespace spca {

/// The points of a solve's trace that are kept: the first 64, then those whose iteration is at
/// least 5 % beyond the one kept before, and always the last. A million iterations leave less than
/// 300.
class Trace {
 public:
  void add(const TracePoint& point);
  const std::vector<TracePoint>& points() const { return points_; }

 private:
  std::vector<TracePoint> points_;
  Index next_kept_ = 0;         // the iteration from which on a point is kept
  bool last_is_spare_ = false;  // the last point gives way to the next
};

}  // namespace spca
