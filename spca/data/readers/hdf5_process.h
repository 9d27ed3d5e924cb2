#pragma once

/// What a process sends that reads a matrix out of an HDF5 file.

#include <cstdint>
#include <filesystem>
#include <string>

#include "spca/data/readers/read_rows.h"

namespace spca {

/// Dense or sparse, by rows or by columns.
enum class Hdf5Layout : std::uint32_t { kDense, kDenseColumns, kRows, kColumns };

struct Hdf5Shape {
  Hdf5Layout layout = Hdf5Layout::kDense;
  std::uint32_t unused = 0;
  std::int64_t n = 0;
  std::int64_t p = 0;
};

enum class Hdf5MessageKind : std::uint32_t {
  kError,  // a text: nothing follows
  kShape,  // Hdf5Shape, first
  kName,   // of the next variable
  kSampleName,
  kNote,     // for the user
  kStarts,   // some 64-bit numbers
  kIndices,  // likewise
  kValues,   // some doubles; of dense data row by row or column by column
  kEnd,      // all was sent
};

struct Hdf5MessageHeader {
  Hdf5MessageKind kind = Hdf5MessageKind::kError;
  std::uint32_t unused = 0;
  std::uint64_t bytes = 0;
};

struct Hdf5Message {
  Hdf5MessageKind kind = Hdf5MessageKind::kError;
  std::string bytes;
};

/// No message is longer. A process whose memory is damaged may announce anything.
inline constexpr std::uint64_t kLargestHdf5Message = std::uint64_t{1} << 24;

/// Reads `matrix` of the file, as read_hdf5 says, and writes messages to the descriptor `out`. Of a
/// dense or CSR matrix come the rows that are chosen; of CSR all starts. Never throws. Ends early
/// if nobody listens.
void send_hdf5(const std::filesystem::path& path, const std::string& matrix, const RowShare& share,
               int out) noexcept;

/// That of libhdf5 with which the program runs, as "1.10.8".
std::string hdf5_version();

}  // namespace spca
