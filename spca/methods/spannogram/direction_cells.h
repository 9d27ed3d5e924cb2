#pragma once

/// Branch and bound over the directions c of the span of V, p x d, for
///
///   max over unit c of the sum of the k largest (V_i c)^2  =  max over supports of
///   lambda_max(V_I'V_I)
///
/// c and -c are the same, so that the d faces c_f = 1, |c_m| <= 1 of a cube cover all directions. A
/// cell is a box in one of them, |c_m - center_m| <= half_m. There V_i c is linear in c, hence
/// between g_i - r_i and g_i + r_i with g_i = V_i center and r_i = sum_m |V_im| half_m, and with
/// upper_i = |g_i| + r_i and lower_i = max(|g_i| - r_i, 0):
///
///   - a variable whose upper_i is below the k-th largest lower_j is in no top-k set of the cell,
///   nor
///     of any part of it; the others are `active`;
///   - one whose lower_i is above the (k+1)-th largest upper_j is in all of them: `forced`;
///   - no support of the cell has a value on S_d above the smallest of
///       sum of the k largest upper_i^2 / min |c|^2
///       lambda_max(V_A'V_A) over the active variables A
///       lambda_max(V_F'V_F) over the forced ones F + the sum of the k - |F| largest upper_i^2 of
///       the rest / min |c|^2                                              (Weyl)
///     and where the rest can be chosen in few ways, the largest lambda_max of these is the value.
///
/// Lengths of c cancel in the first two, so that no angle is ever computed.

#include <cstdint>
#include <vector>

#include "spca/base/types.h"

namespace spca {

/// d, and with it the size of a cell, is at most this.
inline constexpr Index kLargestRank = 16;

using SmallVector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, kLargestRank, 1>;

struct DirectionCell {
  Index face = 0;
  SmallVector center;  // d; 1 at `face`
  SmallVector half;    // d; 0 at `face`

  /// The lower (0) or upper (1) half along `axis`.
  DirectionCell part(Index axis, int which) const;
};

/// The d faces, 1 <= d <= kLargestRank.
std::vector<DirectionCell> all_directions(Index d);
/// The same of a cube that is `stretch`_m > 0 times as long along axis m: the cells of V with its
/// columns divided by `stretch`.
std::vector<DirectionCell> all_directions(const Vector& stretch);

struct CellBound {
  double upper = 0;
  std::vector<int> active;  // ascending
  /// The axis along which to split: that which widens the bounds most.
  Index axis = 0;
  /// Where `is_exact`, `upper` is the value of the best support of the cell, which is `best`.
  /// Otherwise `best` is I_k(V center).
  bool is_exact = false;
  Support best;
  double best_value = 0;  // on S_d
};

/// `candidates`: the active variables of a cell that contains this one, ascending; all variables
/// for a face. 1 <= k < candidates.size(), or `candidates` is the only support. `parent_upper`
/// bounds this cell as well.
CellBound bound_cell(const Matrix& factor, Index k, const DirectionCell& cell,
                     const std::vector<int>& candidates, double parent_upper);

/// How a search split the directions: what is needed to check its bound. Node i < d is the i-th
/// face; a node that was split along `axis` has the children `child` and `child` + 1, a leaf has
/// child 0.
struct CellTree {
  struct Node {
    std::uint32_t child = 0;
    std::uint8_t axis = 0;
  };
  std::vector<Node> nodes;
};

/// The largest bound of a leaf, everything recomputed from V: whatever the tree says, no support of
/// cardinality k has a larger value on S_d. `faces`: the cells of the first d nodes.
double bound_by_tree(const Matrix& factor, Index k, const CellTree& tree,
                     const std::vector<DirectionCell>& faces);

}  // namespace spca
