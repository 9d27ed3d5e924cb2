#include "spca/methods/spannogram/direction_boxes.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>

#include "spca/dense/dense_selections.h"
#include "spca/dense/sparsify.h"
#include "spca/spectrum/low_rank.h"

namespace spca {
namespace {

// The limits of effort below were chosen by trial, not measured.

// If the free variables of a box can be chosen in at most this number of ways, all ways are tried,
// and the box need not be split.
constexpr double kFewChoices = 64;
// The bound (3), which costs O(|A| d^2), is computed for at most kActivePerChosen * k active
// variables.
constexpr Index kActivePerChosen = 4;
// Bounds are raised by this share, far above the rounding of sums of a few thousand squares and of
// one d x d eigenvalue.
constexpr double kBoundsRaised = 1e-11;

/// n choose r, at most `cap`.
double choices(Index n, Index r, double cap) {
  double count = 1;
  for (Index i = 1; i <= std::min(r, n - r) && count < cap; ++i) {
    count *= static_cast<double>(n - i + 1) / static_cast<double>(i);
  }
  return std::min(std::round(count), cap);
}

struct Ranges {
  std::vector<double> lower, upper;  // bounds on |V_i c|, one for each candidate
};

/// Returns lower_i and upper_i of the header. The loops run over columns of V, whose entries lie
/// side by side in memory.
Ranges ranges_of(const Matrix& factor, const DirectionBox& box,
                 const std::vector<int>& candidates) {
  const std::size_t count = candidates.size();
  Ranges ranges{.lower = std::vector<double>(count), .upper = std::vector<double>(count)};
  std::vector<double>& center = ranges.lower;
  std::vector<double>& radius = ranges.upper;
  for (Index m = 0; m < factor.cols(); ++m) {
    const double* const column = factor.col(m).data();
    const double at = box.center[m];
    const double half = box.half[m];
    for (std::size_t i = 0; i < count; ++i) {
      const double entry = column[candidates[i]];
      center[i] += at * entry;
      radius[i] += half * std::abs(entry);
    }
  }
  for (std::size_t i = 0; i < count; ++i) {
    const double magnitude = std::abs(center[i]);
    const double wide = radius[i];
    ranges.upper[i] = magnitude + wide;
    ranges.lower[i] = std::max(magnitude - wide, 0.0);
  }
  return ranges;
}

/// Returns the m-th largest value, m >= 1; minus infinity if there are fewer.
double nth_largest(std::vector<double> values, Index m) {
  if (m > static_cast<Index>(values.size())) {
    return -std::numeric_limits<double>::infinity();
  }
  return kth_largest(values, m);
}

double sum_of_largest_squares(std::vector<double> values, Index m) {
  for (double& value : values) {
    value *= value;
  }
  return sum_of_largest(values, m);
}

/// Returns min |c|^2 over the box: at least 1, since one coordinate is 1.
double smallest_squared_length(const DirectionBox& box) {
  double sum = 0;
  for (Index m = 0; m < box.center.size(); ++m) {
    const double nearest = std::max(std::abs(box.center[m]) - box.half[m], 0.0);
    sum += nearest * nearest;
  }
  return sum;
}

/// Tries every way to complete the forced variables to k by some of the free ones.
void try_all(const Matrix& factor, Index k, const std::vector<int>& forced,
             const std::vector<int>& free, BoxBound& bound) {
  std::vector<bool> chosen(free.size(), false);
  std::fill_n(chosen.begin(), k - static_cast<Index>(forced.size()), true);
  bound.best_value = -1;
  do {
    Support support(forced.begin(), forced.end());
    for (std::size_t i = 0; i < free.size(); ++i) {
      if (chosen[i]) {
        support.push_back(free[i]);
      }
    }
    std::sort(support.begin(), support.end());
    const double value = low_rank_value(factor, support);
    if (value > bound.best_value) {
      bound.best_value = value;
      bound.best = support;
    }
  } while (std::prev_permutation(chosen.begin(), chosen.end()));
  bound.upper = std::min(bound.upper, bound.best_value);
  bound.is_exact = true;
}

/// Returns the axis m with the largest sum of (half_m V_im)^2 over the active variables i. Halving
/// the box along m halves the part half_m |V_im| of every r_i.
Index widest_axis(const Matrix& factor, const DirectionBox& box, const std::vector<int>& active) {
  Index widest = box.face == 0 ? std::min<Index>(1, box.half.size() - 1) : 0;
  double most = -1;
  for (Index m = 0; m < box.half.size(); ++m) {
    double squares = 0;
    for (const int i : active) {
      squares += factor(i, m) * factor(i, m);
    }
    const double width = box.half[m] * std::sqrt(squares);
    if (m != box.face && width > most) {
      most = width;
      widest = m;
    }
  }
  return widest;
}

/// Adds a candidate: the top-k set at the middle of the box.
void add_center(const Matrix& factor, Index k, const DirectionBox& box, BoxBound& bound) {
  const Vector at_center = factor(bound.active, Eigen::all) * box.center;
  for (const Index position : top_k(at_center, k)) {
    bound.best.push_back(bound.active[static_cast<std::size_t>(position)]);
  }
  bound.best_value = low_rank_value(factor, bound.best);
}

}  // namespace

DirectionBox DirectionBox::part(Index axis, int which) const {
  DirectionBox box = *this;
  box.half[axis] /= 2;
  box.center[axis] += which == 0 ? -box.half[axis] : box.half[axis];
  return box;
}

std::vector<DirectionBox> all_directions(Index d) { return all_directions(Vector::Ones(d)); }

std::vector<DirectionBox> all_directions(const Vector& stretch) {
  const Index d = stretch.size();
  std::vector<DirectionBox> faces;
  for (Index face = 0; face < d; ++face) {
    // |c_m| <= stretch_m and c_f = stretch_f, divided by stretch_f.
    DirectionBox box{.face = face, .center = SmallVector::Zero(d), .half = stretch / stretch[face]};
    box.center[face] = 1;
    box.half[face] = 0;
    faces.push_back(box);
  }
  return faces;
}

BoxBound bound_box(const Matrix& factor, Index k, const DirectionBox& box,
                   const std::vector<int>& candidates, double parent_upper) {
  const Ranges ranges = ranges_of(factor, box, candidates);
  // At every c of the box the k-th largest |V_i c| is at least `enters`, and the (k+1)-th largest
  // is at most `stays`.
  const double enters = nth_largest(ranges.lower, k);
  const double stays = nth_largest(ranges.upper, k + 1);
  std::vector<int> forced;
  std::vector<int> free;
  std::vector<double> free_upper;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (ranges.lower[i] > stays) {
      forced.push_back(candidates[i]);
    } else if (ranges.upper[i] >= enters) {
      free.push_back(candidates[i]);
      free_upper.push_back(ranges.upper[i]);
    }
  }
  BoxBound bound;
  std::merge(forced.begin(), forced.end(), free.begin(), free.end(),
             std::back_inserter(bound.active));
  // Computes (2) to (4), and all supports if they are few.
  const Index wanted = k - static_cast<Index>(forced.size());
  const double length = smallest_squared_length(box);
  const double of_forced =
      forced.empty() ? 0.0 : low_rank_value(factor, {forced.begin(), forced.end()});
  bound.upper = std::min(sum_of_largest_squares(ranges.upper, k) / length,
                         of_forced + sum_of_largest_squares(free_upper, wanted) / length);
  if (choices(static_cast<Index>(free.size()), wanted, 2 * kFewChoices) <= kFewChoices) {
    try_all(factor, k, forced, free, bound);
  } else {
    if (static_cast<Index>(bound.active.size()) <= kActivePerChosen * k) {
      bound.upper =
          std::min(bound.upper, low_rank_value(factor, {bound.active.begin(), bound.active.end()}));
    }
    add_center(factor, k, box, bound);
  }
  bound.upper = std::min(bound.upper * (1 + kBoundsRaised), parent_upper);
  bound.axis = widest_axis(factor, box, bound.active);
  return bound;
}

// Descends the tree from each face. A part is bounded on the active variables of its parent, so
// this takes the same work as the search did.
double bound_by_tree(const Matrix& factor, Index k, const BoxTree& tree,
                     const std::vector<DirectionBox>& faces,
                     const std::function<bool()>& keep_going) {
  const std::vector<int> all = all_candidates(factor.rows());
  double largest = 0;
  const std::function<void(std::size_t, const DirectionBox&, const std::vector<int>&, double)>
      visit = [&](std::size_t node, const DirectionBox& box, const std::vector<int>& candidates,
                  double parent_upper) {
        if (!keep_going()) {
          largest = std::max(largest, parent_upper);
          return;
        }
        const BoxBound bound = bound_box(factor, k, box, candidates, parent_upper);
        const BoxTree::Node& here = tree.nodes[node];
        // A node that cannot be split as the tree requires is a leaf: its bound holds for all its
        // parts.
        if (here.child <= node || here.child + 1 >= tree.nodes.size() || bound.is_exact ||
            here.axis >= factor.cols() || here.axis == box.face) {
          largest = std::max(largest, bound.upper);
          return;
        }
        for (int which : {0, 1}) {
          visit(here.child + static_cast<std::size_t>(which), box.part(here.axis, which),
                bound.active, bound.upper);
        }
      };
  for (std::size_t face = 0; face < faces.size(); ++face) {
    visit(face, faces[face], all, std::numeric_limits<double>::infinity());
  }
  return largest;
}

}  // namespace spca
