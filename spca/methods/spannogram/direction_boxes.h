#pragma once

/// Branch and bound over the directions c in R^d. It solves, for V of p x d,
///
///   max over unit c of the sum of the k largest (V_i c)^2
///     = max over supports I of cardinality k of lambda_max(V_I'V_I)                            (1)
///
/// The equation holds since lambda_max(V_I'V_I) is the maximum over unit c of ||V_I c||^2.
///
/// c and -c are the same, so the d faces c_f = 1, |c_m| <= 1 of a cube cover all directions. A box
/// lies in one of the faces, |c_m - center_m| <= half_m. There V_i c is linear in c, so it lies
/// between g_i - r_i and g_i + r_i, with g_i = V_i center and r_i = sum_m |V_im| half_m. Let
/// upper_i = |g_i| + r_i and lower_i = max(|g_i| - r_i, 0); |V_i c| lies between them.
///
///   - A variable whose upper_i is below the k-th largest lower_j is in no top-k set of the box or
///     of any part of it. The other variables are `active`.
///   - A variable whose lower_i is above the (k+1)-th largest upper_j is in all of them: `forced`.
///   - Let A be the active variables and F the forced ones. At no c of the box is the sum of the k
///     largest (V_i c)^2 / |c|^2 above the smallest of
///       the sum of the k largest upper_i^2 / min |c|^2                                         (2)
///       lambda_max(V_A'V_A)                                                                    (3)
///       lambda_max(V_F'V_F) + the sum of the k - |F| largest upper_i^2 of the rest / min |c|^2 (4)
///     for the top-k set I lies in A and holds F, and the sum is |V_I c|^2 / |c|^2. If the rest can
///     be chosen in few ways, all of them are tried, and the largest lambda_max(V_I'V_I) bounds the
///     box as well.
///
/// The maximum (1) is attained in some box, so the largest bound of boxes that cover all directions
/// bounds every support.
///
/// The top-k set does not depend on the length of c, so c is not scaled to unit length and no angle
/// is computed.
///
/// Source  (1): D. Papailiopoulos, A. Dimakis, S. Korokythakis, ICML 2013, section 3; the boxes are
///         this project's

#include <cstdint>
#include <functional>
#include <vector>

#include "spca/base/types.h"

namespace spca {

/// Largest d: a box has space for this number of coordinates.
inline constexpr Index kLargestRank = 16;

using SmallVector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, kLargestRank, 1>;

struct DirectionBox {
  Index face = 0;
  SmallVector center;  // d; 1 at `face`
  SmallVector half;    // d; 0 at `face`

  /// Returns the lower (0) or upper (1) half along `axis`.
  DirectionBox part(Index axis, int which) const;
};

/// Returns the d faces of the cube; 1 <= d <= kLargestRank.
std::vector<DirectionBox> all_directions(Index d);
/// The same as all_directions(d) for a cube stretched by stretch_m > 0 along axis m. The faces of
/// the cube take this form if column m of V is divided by stretch_m.
std::vector<DirectionBox> all_directions(const Vector& stretch);

struct BoxBound {
  double upper = 0;  // upper bound on the sum of the k largest (V_i c)^2 / |c|^2 over the box
  std::vector<int> active;  // ascending
  /// The axis along which to split: the one along which the box widens the bounds most.
  Index axis = 0;
  /// If `is_exact`, all supports of the box were tried: `best` is the best of them and `upper` its
  /// value (up to rounding), so halving the box would not lower the bound. Otherwise `best` is
  /// I_k(V center).
  bool is_exact = false;
  Support best;
  double best_value = 0;  // on S_d
};

/// Bounds a box. `candidates`: the active variables of a box that contains this one, ascending; all
/// variables for a face. 1 <= k < candidates.size(), or `candidates` is the only support.
/// `parent_upper` is the bound of the containing box, which holds for this box as well. O(d
/// |candidates| + d^3), plus the cost of the few supports that are tried.
BoxBound bound_box(const Matrix& factor, Index k, const DirectionBox& box,
                   const std::vector<int>& candidates, double parent_upper);

/// Describes how a search split the directions, which suffices to check its bound. Node i < d is
/// the i-th face. A node that was split along `axis` has the children `child` and `child` + 1; a
/// leaf has child 0.
struct BoxTree {
  struct Node {
    std::uint32_t child = 0;
    std::uint8_t axis = 0;
  };
  std::vector<Node> nodes;
};

/// Returns the largest bound of a leaf, recomputed from V. The leaves cover all directions for any
/// contents of the tree, so no support of cardinality k has a larger value on S_d. `faces`: the
/// boxes of the first d nodes. `keep_going` is called before each node; once it returns false, the
/// remaining boxes count with the bounds of their parents.
double bound_by_tree(const Matrix& factor, Index k, const BoxTree& tree,
                     const std::vector<DirectionBox>& faces,
                     const std::function<bool()>& keep_going);

}  // namespace spca
