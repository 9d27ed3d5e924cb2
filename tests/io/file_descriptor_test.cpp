/// Files that are replaced as a whole, and bytes that all arrive.

#include "spca/io/file_descriptor.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <thread>

#include "spca/base/error.h"
#include "tests/temporary_files.h"

namespace spca::file_descriptor_test {
namespace {

class ReplaceFile : public TemporaryFiles {};

std::string content_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST_F(ReplaceFile, AReaderSeesTheOldContentUntilAllIsWritten) {
  const std::filesystem::path path = folder_ / "out";
  write_file_atomically(path, "old");
  replace_file(path, [](const FileDescriptor& file, const std::filesystem::path& name) {
    write_all(file, name, "new, ");
    EXPECT_EQ(content_of(name), "old");
    write_all(file, name, "whole");
  });
  EXPECT_EQ(content_of(path), "new, whole");
}

TEST_F(ReplaceFile, WhateverIsThrownTheOldContentStaysAndNothingElse) {
  const std::filesystem::path path = folder_ / "out";
  write_file_atomically(path, "old");
  const auto write = [](const FileDescriptor& file, const std::filesystem::path& name) {
    write_all(file, name, "half");
    throw std::runtime_error("no more");
  };
  EXPECT_THROW(replace_file(path, write), std::runtime_error);
  EXPECT_EQ(content_of(path), "old");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 1);
}

TEST(TryWriteAll, GoesOnAfterWritesOfAPart) {
  int ends[2] = {-1, -1};
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  const FileDescriptor out(ends[0]);
  FileDescriptor in(ends[1]);
  const std::string sent(1 << 20, 'x');  // more than a pipe holds
  std::string received;
  std::thread reader([&] {
    char bytes[4096];
    for (ssize_t count = 0; (count = ::read(out.get(), bytes, sizeof bytes)) > 0;) {
      received.append(bytes, static_cast<std::size_t>(count));
    }
  });
  EXPECT_EQ(try_write_all(in.get(), sent), 0);
  in.close();
  reader.join();
  EXPECT_EQ(received, sent);
}

TEST(TryWriteAll, GivesTheErrorOfTheSystem) {
  EXPECT_EQ(try_write_all(-1, "x"), EBADF);
  EXPECT_EQ(try_write_all(-1, ""), 0);
  const FileDescriptor full(::open("/dev/full", O_WRONLY | O_CLOEXEC));
  ASSERT_TRUE(full.is_open());
  EXPECT_EQ(try_write_all(full.get(), "x"), ENOSPC);
  EXPECT_THROW(write_all(full, "/dev/full", "x"), InputError);
}

}  // namespace
}  // namespace spca::file_descriptor_test
