#include "spca/methods/spannogram/elimination_by_boxes.h"

#include <algorithm>
#include <limits>
#include <queue>
#include <set>

#include "spca/methods/spannogram/direction_boxes.h"

namespace spca {
namespace {

// Each box costs some microseconds; a variable less saves the enumeration, which is O(p^d), far
// more.
constexpr int kMostBoxes = 4096;

struct Open {
  double upper;
  int order;  // the earlier first among equals
  Index axis;
  DirectionBox box;
  std::vector<int> active;
  bool operator<(const Open& other) const {
    return upper != other.upper ? upper < other.upper : order > other.order;
  }
};

}  // namespace

// At every time each direction is in a box that is open, or whose active variables are kept, or
// whose bound is below the floor. So it is safe to stop at any number of boxes.
std::vector<int> eliminate_by_boxes(const Matrix& factor, Index k,
                                    const std::vector<int>& variables, double floor) {
  if (static_cast<Index>(variables.size()) <= k) {
    return variables;
  }
  std::set<int> kept;
  std::priority_queue<Open> open;
  int made = 0;
  const auto take = [&](const DirectionBox& box, const std::vector<int>& candidates,
                        double parent_upper) {
    BoxBound bound = bound_box(factor, k, box, candidates, parent_upper);
    ++made;
    if (bound.upper < floor) {
      return;
    }
    if (bound.is_exact) {  // halving it would not make it smaller
      kept.insert(bound.active.begin(), bound.active.end());
    } else {
      open.push({bound.upper, made, bound.axis, box, std::move(bound.active)});
    }
  };
  for (const DirectionBox& face : all_directions(factor.cols())) {
    take(face, variables, std::numeric_limits<double>::infinity());
  }
  while (!open.empty() && made < kMostBoxes) {
    const Open widest = open.top();
    open.pop();
    take(widest.box.part(widest.axis, 0), widest.active, widest.upper);
    take(widest.box.part(widest.axis, 1), widest.active, widest.upper);
  }
  for (; !open.empty(); open.pop()) {
    kept.insert(open.top().active.begin(), open.top().active.end());
  }
  return {kept.begin(), kept.end()};
}

}  // namespace spca
