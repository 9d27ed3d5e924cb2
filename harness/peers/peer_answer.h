#pragma once

/// Reads the loadings that a peer writes.

#include <filesystem>
#include <vector>

#include "spca/base/types.h"

namespace spca {

/// Reads r components: p x r numbers as .npy, .csv or .mtx, or JSON {"loadings": [p rows of r
/// numbers]} or {"loadings": [r times {"indices": [...], "values": [...]}]}. Nothing is rounded,
/// scaled or sorted; zeros are left out. Throws InputError "FILE: ..." (without its folder) if the
/// file is missing, has another format or shape, or contains a number that is not finite.
std::vector<Component> read_peer_answer(const std::filesystem::path& file, Index p, Index r);

}  // namespace spca
