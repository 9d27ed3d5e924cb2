#include "spca/methods/spannogram/elimination_by_boxes.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <queue>
#include <set>

#include "spca/dense/dense_selections.h"
#include "spca/methods/spannogram/direction_boxes.h"
#include "spca/spectrum/low_rank.h"

namespace spca {
namespace {

// Number of boxes after which the elimination stops. Each costs some microseconds; eliminating one
// more variable saves far more in the enumeration, which is O(p^d). Chosen by trial, not measured.
constexpr int kMostBoxes = 4096;

struct Open {
  double upper;
  int order;  // among equals the earlier box comes first
  Index axis;
  DirectionBox box;
  std::vector<int> active;
  bool operator<(const Open& other) const {
    return upper != other.upper ? upper < other.upper : order > other.order;
  }
};

/// Returns a number that no top-k set of the box exceeds on S_d, for Keep::kEveryCandidate. It is
/// raised to cover rounding, as in bound_box().
double largest_value(const Matrix& factor, Index k, const BoxBound& bound) {
  constexpr double kBoundRaise = 1e-11;
  if (bound.is_exact) {
    return bound.best_value * (1 + kBoundRaise);
  }
  std::vector<double> squares;
  for (const int i : bound.active) {
    squares.push_back(factor.row(i).squaredNorm());
  }
  return std::min(sum_of_largest(squares, k),
                  low_rank_value(factor, {bound.active.begin(), bound.active.end()})) *
         (1 + kBoundRaise);
}

}  // namespace

// Invariant: each direction is in a box that is open, or whose active variables are kept, or whose
// bound is below the floor. So the elimination may stop after any number of boxes.
std::vector<int> eliminate_by_boxes(const Matrix& factor, Index k,
                                    const std::vector<int>& variables, double floor, Keep keep) {
  if (static_cast<Index>(variables.size()) <= k) {
    return variables;
  }
  std::set<int> kept;
  std::priority_queue<Open> open;
  int made = 0;
  const auto add = [&](const DirectionBox& box, const std::vector<int>& candidates) {
    BoxBound bound = bound_box(factor, k, box, candidates, std::numeric_limits<double>::infinity());
    ++made;
    const double upper =
        keep == Keep::kEveryCandidate ? largest_value(factor, k, bound) : bound.upper;
    if (upper < floor) {
      return;
    }
    if (bound.is_exact) {  // halving the box would not lower the bound
      kept.insert(bound.active.begin(), bound.active.end());
    } else {
      open.push({upper, made, bound.axis, box, std::move(bound.active)});
    }
  };
  for (const DirectionBox& face : all_directions(factor.cols())) {
    add(face, variables);
  }
  while (!open.empty() && made < kMostBoxes) {
    const Open widest = open.top();
    open.pop();
    add(widest.box.part(widest.axis, 0), widest.active);
    add(widest.box.part(widest.axis, 1), widest.active);
  }
  for (; !open.empty(); open.pop()) {
    kept.insert(open.top().active.begin(), open.top().active.end());
  }
  return {kept.begin(), kept.end()};
}

}  // namespace spca
