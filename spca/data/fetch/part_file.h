#pragma once

/// The part of a download that has arrived, beside the file that it will be: FILE.part, with
/// FILE.part.json saying what it is a part of.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "spca/io/file_descriptor.h"

namespace spca {

/// What a server said of the file whose part is there. A part is continued only where all of it
/// still holds.
struct PartOrigin {
  std::string url;
  std::string sha256;  // that the whole file must have
  std::string etag;
  std::string last_modified;

  /// The server can be asked whether the file is still the one of which a part is there.
  bool has_validator() const { return !etag.empty() || !last_modified.empty(); }
  bool operator==(const PartOrigin&) const = default;
};

/// Locked against other processes for as long as it lives. Every function throws InputError that
/// names the file and the system's reason.
class PartFile {
 public:
  /// Makes the folder and the file where they are not there. `on_wait` is called once if another
  /// process holds the file.
  PartFile(std::filesystem::path target, const std::function<void()>& on_wait);

  const std::filesystem::path& path() const { return part_; }
  std::uint64_t size() const { return size_; }
  /// Of the bytes that are there; empty where they are of unknown origin.
  const PartOrigin& origin() const { return origin_; }

  /// Nothing is there any more.
  void start_again();
  /// To be called before the first byte, so that what arrives has an origin whenever the program
  /// ends.
  void set_origin(const PartOrigin& origin);
  void append(std::string_view bytes);
  /// The part is the whole: it gets its name, on the disk as well.
  void finish();
  void remove();

 private:
  bool open_and_lock(const std::function<void()>& on_wait);
  void read_origin();

  std::filesystem::path target_, part_, origin_path_;
  FileDescriptor file_;
  std::uint64_t size_ = 0;
  PartOrigin origin_;
};

}  // namespace spca
