#pragma once

/// Temporary folders.

#include <filesystem>

namespace spca {

/// Makes a new folder in std::filesystem::temp_directory_path(): TMPDIR if it is set, /tmp by
/// default. The caller removes the new folder. Throws InputError if it cannot be made.
std::filesystem::path make_temporary_folder();

/// A new folder for temporary files, which is removed with this object.
class TemporaryFolder {
 public:
  TemporaryFolder() : path_(make_temporary_folder()) {}
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder();
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace spca
