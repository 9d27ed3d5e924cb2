#pragma once

/// Writes the matrix that a peer reads.

#include <filesystem>
#include <string>

#include "spca/covariance/covariance.h"

namespace spca {

/// At most this number of entries in a file: 200 MB as .npy, S for p = 5000.
inline constexpr Index kLargestPeerMatrix = 25'000'000;
/// At most this p for a square root of S, which takes all eigenvectors of S.
inline constexpr Index kLargestPeerRoot = 3000;

/// The shape and file of a matrix that was written.
struct WrittenMatrix {
  std::filesystem::path file;
  Index rows = 0;
  Index columns = 0;
  /// The reason why nothing was written, or empty.
  std::string too_large;
};

/// The matrix that a peer reads.
enum class PeerMatrix {
  kCovariance,  // S, p x p
  /// A matrix B with S = B'B. If the covariance has a data form, B is n x p: sqrt(scale) (X - 1m'),
  /// centred and scaled as S is. Otherwise B is the symmetric square root of S, p x p.
  kData,
};
/// The file that a peer reads.
enum class PeerFormat {
  kNpy,           // matrix.npy: 8-byte numbers, by columns
  kMatrixMarket,  // matrix.mtx: coordinate, without the zeros; symmetric if the matrix is
};

/// Writes the matrix that the peer reads. In Matrix Market's format sparse data that are not
/// centred stay sparse. Only some columns are in memory at a time, except that a square root of S
/// is computed as a whole. Throws InputError if the file cannot be written (a full disk).
WrittenMatrix write_peer_matrix(const Covariance& covariance, PeerMatrix matrix, PeerFormat format,
                                const std::filesystem::path& folder);

}  // namespace spca
