#pragma once

#include <atomic>
#include <cstddef>
#include <filesystem>

namespace spca {

/// A file as memory. Pages come from the disk when they are first touched, and count as memory of
/// this process until they are released; released pages come back on the next touch. If the file is
/// shortened while it is mapped, touching the missing part ends the process (SIGBUS).
class MappedFile {
 public:
  /// Maps a whole file to be read. Throws InputError "path: ..." if it cannot be opened or mapped,
  /// is not a regular file, or is empty.
  explicit MappedFile(const std::filesystem::path& path);
  /// Maps the first `bytes` >= 1 of an open file, to be read and written. The descriptor may be
  /// closed afterwards. `path` is for messages only.
  MappedFile(int descriptor, std::size_t bytes, const std::filesystem::path& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  /// The first byte. The object owns the memory.
  const std::byte* data() const { return data_; }
  /// The first byte, for objects made by the second constructor only.
  std::byte* writable() { return data_; }
  /// The number of bytes.
  std::size_t size() const { return size_; }

  /// Asks the system to read [begin, end) ahead.
  void will_need(const void* begin, const void* end) const;
  /// Returns the memory of [begin, end) to the system. Written bytes stay in the file.
  void release(const void* begin, const void* end) const;
  /// The same as release(), for the whole file.
  void release_all() const { release(data_, data_ + size_); }
  /// Records `places` reads of `bytes` each, scattered over the file. Now and then, checks how much
  /// memory of this process maps files, and releases this whole file if that exceeds
  /// kMappedResident. The check is needed because the system maps an unknown number of pages around
  /// a touched byte.
  void touched(std::size_t places, std::size_t bytes) const;

 private:
  void map(int descriptor, int protection, const std::filesystem::path& path);

  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
  mutable std::atomic<std::size_t> places_{0};  // since the last check of the memory
};

/// Number of bytes of a mapped file that are read before they are released; the same number is
/// prefetched. Reading them takes much longer than a system call, and they are a small part of the
/// memory of any machine.
inline constexpr std::size_t kMappedWindow = std::size_t{1} << 26;
/// At most this number of bytes stay resident after scattered reads of mapped files.
inline constexpr std::size_t kMappedResident = 2 * kMappedWindow;

}  // namespace spca
