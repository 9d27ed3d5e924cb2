#pragma once

#include <string>

#include "tests/properties/hunt_case.h"

namespace spca::properties {

/// A case and the contradiction that it shows.
struct Shrunk {
  HuntCase hunted;
  Contradiction shown;
};

/// Makes the case smaller as long as it contradicts the same claim: fewer variables, samples and
/// components, smaller cardinalities, fewer digits, the defaults of the options. Each try runs in a
/// process of its own. There are at most kMostTries tries, fewer if each takes long.
Shrunk shrink(HuntCase hunted, const Contradiction& shown);
inline constexpr int kMostTries = 400;

}  // namespace spca::properties
