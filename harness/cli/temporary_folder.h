#pragma once

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <system_error>

#include "spca/base/error.h"

namespace spca::cli {

/// A folder of its own, which is removed with its owner.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::error_code error;
    std::filesystem::path parent = std::filesystem::temp_directory_path(error);
    if (error) {
      parent = std::getenv("TMPDIR") == nullptr ? "/tmp" : std::getenv("TMPDIR");
    }
    std::string name = (parent / "spca_XXXXXX").string();
    if (error || mkdtemp(name.data()) == nullptr) {
      throw InputError(
          fmt::format("{}: a temporary folder cannot be made: {}; TMPDIR names another",
                      parent.string(), error ? error.message() : std::strerror(errno)));
    }
    path_ = name;
  }
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
