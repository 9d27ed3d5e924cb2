#pragma once

/// Input that can be read only once: pipes, FIFOs, standard input, `<(...)` of a shell.

#include <cstdint>
#include <filesystem>
#include <memory>

namespace spca {

/// A file to be read. What is no regular file is read once, to its end, into a temporary file
/// without a name; readers then open that one, as often as they like and at any place. While an
/// InputFile of a path exists, others of the same path share its copy.
class InputFile {
 public:
  /// Reads what is no regular file; /dev/stdin from where standard input stands.
  /// Throws InputError "path: ..." if it cannot be read, or if it has more bytes than `limit`.
  explicit InputFile(const std::filesystem::path& path) : InputFile(path, 0) {}
  /// A limit of 0 is largest_piped_input().
  InputFile(const std::filesystem::path& path, std::uint64_t limit);

  /// The path to be opened: that of the file, or that of the copy, which is valid while this object
  /// exists. What is missing or a folder keeps its path.
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  std::shared_ptr<const void> copy_;  // null for a regular file
};

/// Keeps every copy until the process ends. A program of one command calls this once, so that a pipe
/// may be read for a checksum, for the data and for the scores. In a program that goes on, another
/// read of a FIFO must get what its next writer writes.
void keep_piped_input();

/// The most bytes of a pipe: a tenth of the available memory, because the numbers of a text may take
/// eight times its bytes while they are read; or, if that is less, half of the free space of the
/// folder for temporary files (TMPDIR, otherwise /tmp).
std::uint64_t largest_piped_input();

}  // namespace spca
