#pragma once

#include <filesystem>
#include <system_error>

#include "spca/io/temporary_folder.h"

namespace spca::cli {

/// A folder of its own, which is removed with its owner.
class TemporaryFolder {
 public:
  TemporaryFolder() : path_(make_temporary_folder()) {}
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code error;
    std::filesystem::remove_all(path_, error);
  }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace spca::cli
