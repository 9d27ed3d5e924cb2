#pragma once

/// Input that can be read only once: pipes, FIFOs, standard input, `<(...)` of a shell.

#include <cstdint>
#include <filesystem>
#include <memory>

namespace spca {

/// A file to be read. Input other than a regular file is read once, to its end, into a temporary
/// file without a name; readers then open the copy, any number of times and at any position. While
/// an InputFile of a path exists, other objects for the same path share its copy.
class InputFile {
 public:
  /// Copies the input unless it is a regular file. /dev/stdin is copied from the current position
  /// of standard input, also if that is a regular file of which a part was read. Throws InputError
  /// "path: ..." if reading or copying fails, or if there are more bytes than `limit`.
  explicit InputFile(const std::filesystem::path& path) : InputFile(path, 0) {}
  /// A limit of 0 is largest_piped_input().
  InputFile(const std::filesystem::path& path, std::uint64_t limit);

  /// The path to be opened: that of the file, or that of the copy, which is valid while this object
  /// exists. A folder, or a file that is missing or cannot be opened, keeps its path.
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  std::shared_ptr<const void> copy_;  // null for a regular file
};

/// Keeps every copy until the process ends. A program that runs one command calls this once, so
/// that a pipe may be read for a checksum, for the data and for the scores. In a long-running
/// program, another read of a FIFO must get the data of its next writer instead.
void retain_piped_input();

/// Returns the largest number of bytes that a pipe may have: a tenth of the available memory,
/// because the numbers of a text may take eight times its bytes while they are read; or, if less,
/// half of the free space of the folder for temporary files (TMPDIR, otherwise /tmp).
std::uint64_t largest_piped_input();

}  // namespace spca
