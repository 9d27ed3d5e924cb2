#pragma once

/// The messages of the process that reads a matrix from an HDF5 file.

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
  kError,  // a text; the last message
  kShape,  // an Hdf5Shape; before the names and numbers
  kName,   // the name of the next variable
  kSampleName,
  kNote,     // a text for the user
  kStarts,   // 64-bit integers
  kIndices,  // 64-bit integers
  kValues,   // doubles; dense data row by row or column by column
  kEnd,      // the last message
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

/// At most this number of bytes in a message. A process with damaged memory may announce any
/// length.
inline constexpr std::uint64_t kLargestHdf5Message = std::uint64_t{1} << 24;

/// Reads `matrix` of the file, as read_hdf5() specifies, and writes messages to the descriptor
/// `out`. Of a matrix that is dense by rows or CSR, only the rows of `share` are sent, with all
/// starts of CSR; any other matrix is sent whole. Never throws. Ends the calling process if the
/// receiver is gone.
void send_hdf5(const std::filesystem::path& path, const std::string& matrix, const RowShare& share,
               int out) noexcept;

/// Returns the version of the linked libhdf5, such as "1.10.8".
std::string hdf5_version();

}  // namespace spca
