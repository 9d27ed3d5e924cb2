#pragma once

/// The files between the harness and a peer: the matrix that it reads, the loadings that it writes.

#include <filesystem>
#include <string>
#include <vector>

#include "spca/algebra/covariance.h"

namespace spca {

/// The most numbers that are written to a file: 200 MB as .npy, S for p = 5000.
inline constexpr Index kLargestPeerMatrix = 25'000'000;
/// The largest p for which a square root of S is written: it takes all eigenvectors of S.
inline constexpr Index kLargestPeerRoot = 3000;

/// A matrix as it was written.
struct WrittenMatrix {
  std::filesystem::path file;
  Index rows = 0;
  Index columns = 0;
  /// Why nothing was written. Empty if something was.
  std::string too_large;
};

/// Writes the matrix that the peer reads. If not `data`, that is S, p x p. If `data`, it is a B
/// with S = B'B: if the covariance has a data form, sqrt(scale) (X - 1m'), n x p, centred and scaled
/// as S is; else the symmetric square root of S, p x p.
///
/// The file is matrix.npy (8-byte numbers, by columns) or, if `matrix_market`, matrix.mtx
/// (coordinate, without the zeros; symmetric if the matrix is). So data that are sparse and not
/// centred stay sparse. Only some columns are in memory at a time. Throws InputError if the file
/// cannot be written (a full disk).
WrittenMatrix write_peer_matrix(const Covariance& covariance, bool data, bool matrix_market,
                                const std::filesystem::path& folder);

/// Reads r components: p x r numbers as .npy, .csv or .mtx, or JSON {"loadings": [p rows of r
/// numbers]} or {"loadings": [r times {"indices": [...], "values": [...]}]}. Nothing is rounded,
/// scaled or sorted; zeros are left out. Throws InputError "FILE: ..." (without its folder) if the
/// file is missing, is none of these, has another shape or a number that is not finite.
std::vector<Component> read_peer_answer(const std::filesystem::path& file, Index p, Index r);

}  // namespace spca
