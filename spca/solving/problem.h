#pragma once

#include <cstdint>
#include <vector>

#include "spca/base/types.h"
#include "spca/covariance/covariance.h"

namespace spca {

/// The problem of one call of a solver. A solver of one component always gets a problem of one
/// component: the harness deflates and calls it again (solve.h).
struct Problem {
  /// S, deflated by the components found before. It outlives the call.
  const Covariance& covariance;
  /// r: 1, unless the solver's traits say that it takes several components at once.
  Index components = 1;
  /// k_j for each component, 1 <= k_j <= p, if the solver's rule is `cardinality`; otherwise empty.
  /// A penalty solver reads its penalty from its options. The harness tunes that penalty if a
  /// cardinality is asked for.
  std::vector<Index> cardinality = {};
  /// Null, or a component that is probably near the answer, of any cardinality (for example that of
  /// the next larger or smaller k). A solver whose traits say `warm_start` also starts from it.
  const Component* start = nullptr;
  /// Every random number of the solve derives from this.
  std::uint64_t seed = 0;
  /// A solver may use this many threads; its answer must not depend on the number.
  int threads = 1;
};

}  // namespace spca
