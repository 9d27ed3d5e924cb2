#pragma once

#include <atomic>
#include <cstddef>
#include <filesystem>

namespace spca {

/// A file as memory. What is read comes from the disk when it is first touched, and stays counted
/// to this process until it is released; released bytes come back on the next touch. If the file is
/// shortened while it is mapped, touching what is gone ends the process (SIGBUS).
class MappedFile {
 public:
  /// Maps a whole file to be read. Throws InputError "path: ..." if it cannot be opened or mapped,
  /// is no regular file, or is empty.
  explicit MappedFile(const std::filesystem::path& path);
  /// Maps the first `bytes` >= 1 of an open file, to be read and written. The descriptor may be
  /// closed afterwards. `path` is for messages only.
  MappedFile(int descriptor, std::size_t bytes, const std::filesystem::path& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  /// The first byte. The memory is the object's.
  const std::byte* data() const { return data_; }
  /// Of the second constructor only.
  std::byte* writable() { return data_; }
  /// How many bytes there are.
  std::size_t size() const { return size_; }

  /// Asks the system to read [begin, end) ahead.
  void will_need(const void* begin, const void* end) const;
  /// Gives the memory of [begin, end) back. What was written stays in the file.
  void release(const void* begin, const void* end) const;
  /// The same for all of it.
  void release_all() const { release(data_, data_ + size_); }
  /// To be called after `places` reads of `bytes` each, scattered over the file. Looks now and then
  /// how much memory this process holds of files, and releases all of this one beyond
  /// kMappedResident. How much the system maps around a byte that is touched is not known.
  void touched(std::size_t places, std::size_t bytes) const;

 private:
  void map(int descriptor, int protection, const std::filesystem::path& path);

  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
  mutable std::atomic<std::size_t> places_{0};  // since the last look
};

/// So many bytes of a mapped file are read before they are released, and as many are asked for
/// ahead. Large against what the system needs for a call, small against any machine's memory.
inline constexpr std::size_t kMappedWindow = std::size_t{1} << 26;
/// The most memory that scattered reads of mapped files leave behind.
inline constexpr std::size_t kMappedResident = 2 * kMappedWindow;

}  // namespace spca
