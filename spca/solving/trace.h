#pragma once

#include <vector>

#include "spca/solving/budget.h"

namespace spca {

/// Keeps some points of a solve's trace: all before iteration 64, then each whose iteration is
/// about 5 % beyond that of the last one kept. The last point of all is always kept. A million
/// iterations with one point each leave fewer than 300 points.
class Trace {
 public:
  void add(const TracePoint& point);
  const std::vector<TracePoint>& points() const { return points_; }

 private:
  std::vector<TracePoint> points_;
  Index next_kept_ = 0;         // the iteration from which on a point is kept
  bool last_is_spare_ = false;  // the next point replaces the last
};

}  // namespace spca
