#pragma once

/// Reads the JSON file that describes a peer.

#include <filesystem>

#include "harness/peers/peer.h"

namespace spca {

/// Reads a peer's file. Throws InputError "file:line:column: pointer: ..." if the file is not
/// valid.
Peer read_peer(const std::filesystem::path& file);

}  // namespace spca
