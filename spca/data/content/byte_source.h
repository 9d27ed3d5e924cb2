#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

namespace spca {

/// Bytes that are read once, from the first to the last: a file, or a part of one.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  ByteSource() = default;
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;

  /// Writes the next bytes to `out`. Returns their number: `size`, or less at the end. Throws
  /// InputError if the bytes are damaged.
  virtual std::size_t read(char* out, std::size_t size) = 0;
  /// Skips the next bytes. Returns their number: `size`, or less at the end.
  virtual std::uint64_t skip(std::uint64_t size) {
    char passed[1 << 12];
    std::uint64_t done = 0;
    while (done < size) {
      const std::size_t part = std::min<std::uint64_t>(size - done, sizeof passed);
      const std::size_t count = read(passed, part);
      done += count;
      if (count < part) {
        break;
      }
    }
    return done;
  }
  /// The name of the source in messages.
  virtual const std::string& name() const = 0;
  /// An upper bound on the number of bytes. A header that announces more is wrong.
  virtual std::uint64_t largest_content() const = 0;
  /// The number of bytes on the disk.
  virtual std::uint64_t file_bytes() const = 0;
};

/// The largest compression ratio of deflate: 258 bytes from two bits. A reader that accepts no
/// larger ratio from a header cannot be made to reserve memory that the file does not fill.
inline constexpr std::uint64_t kLargestDeflateRatio = 1032;

}  // namespace spca
