#pragma once

/// A solve by a peer: writes the problem, runs the program, and reads its answer.

#include "harness/peers/peer.h"

namespace spca {

/// Calls the peer. The status is skipped if the peer is missing or the matrix is too large to be
/// written. The status is failed if the program does not end with exit code 0, or its answer is not
/// a p x r matrix of finite numbers; the message then contains the last line of standard error.
Solution solve_with_peer(const Peer& peer, const PeerState& state, const Problem& problem,
                         const PeerOptions& options, Budget& budget);

}  // namespace spca
