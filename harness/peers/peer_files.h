#pragma once

/// What a peer reads and what it writes.

#include <filesystem>
#include <string>
#include <vector>

#include "spca/algebra/covariance.h"

namespace spca {

/// Numbers that are written to a file at most: 200 MB as .npy, S for p = 5000.
inline constexpr Index kLargestPeerMatrix = 25'000'000;
/// Where S itself was given its square root takes the eigenvectors of S.
inline constexpr Index kLargestPeerRoot = 3000;

/// A matrix as it was written.
struct WrittenMatrix {
  std::filesystem::path file;
  Index rows = 0;
  Index columns = 0;
  /// Why nothing was written; "" where it was.
  std::string too_large;
};

/// `data` false: S, p x p. `data` true: some B with S = B'B, which is sqrt(scale) (X - 1m'), n x p,
/// where the covariance has a data form (so centred and scaled already), else the symmetric square
/// root of S, p x p. As matrix.npy (8-byte numbers, by columns), or as matrix.mtx (Matrix Market,
/// coordinate; S symmetric, B general), without the zeros; data that are sparse and not centred
/// stay sparse. Nothing is held in memory but some columns. Throws InputError where it cannot be
/// written (a full disk).
WrittenMatrix write_peer_matrix(const Covariance& covariance, bool data, bool matrix_market,
                                const std::filesystem::path& folder);

/// r components from a file: p x r numbers as .npy, .csv or .mtx, or JSON {"loadings": [p rows of r
/// numbers]} or {"loadings": [r times {"indices": [...], "values": [...]}]}. Nothing is rounded,
/// scaled or sorted; zeros are left out. Throws InputError "FILE: ..." (without its folder) for
/// what is missing, is no such thing, is of another shape or is not finite.
std::vector<Component> read_peer_answer(const std::filesystem::path& file, Index p, Index r);

}  // namespace spca
