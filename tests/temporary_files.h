#pragma once

/// Files that a test writes, and the messages for files that cannot be read.

#include <gtest/gtest.h>
#include <unistd.h>
#include <zlib.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

#include "spca/base/error.h"
#include "spca/data/dataset.h"
#include "spca/data/files/read_dataset.h"

namespace spca {

namespace fs = std::filesystem;

/// A test with a temporary folder.
class TemporaryFiles : public testing::Test {
 protected:
  TemporaryFiles()
      : folder_(fs::temp_directory_path() / ("spca_files_" + std::to_string(getpid()))) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~TemporaryFiles() override { fs::remove_all(folder_); }

  fs::path write(const std::string& name, const std::string& bytes) const {
    std::ofstream(folder_ / name, std::ios::binary) << bytes;
    return folder_ / name;
  }

  fs::path write_gz(const std::string& name, const std::string& bytes) const {
    fs::path path = folder_ / name;
    gzFile file = gzopen(path.c_str(), "wb");
    gzwrite(file, bytes.data(), static_cast<unsigned>(bytes.size()));
    gzclose(file);
    return path;
  }

  fs::path folder_;
};

inline std::string bytes_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Returns the message of the InputError that `action` throws.
inline std::string error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

/// Expects that reading `path` fails with a message of one line that contains every part.
inline void expect_error(const fs::path& path, const std::vector<std::string>& parts,
                         bool is_covariance = false) {
  const std::string message = error_of(
      [&] { read_dataset({.path = path, .is_covariance = is_covariance, .centered = {}}); });
  EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  EXPECT_TRUE(message.starts_with(path.string())) << message;
  for (const std::string& part : parts) {
    EXPECT_NE(message.find(part), std::string::npos) << message << "\nlacks: " << part;
  }
}

}  // namespace spca
