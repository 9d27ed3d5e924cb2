/// Tests of replacing a file as a whole, and of writing all bytes.

#include "spca/io/file_descriptor.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
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

TEST_F(ReplaceFile, AfterAnyExceptionOnlyTheOldContentRemains) {
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

TEST_F(ReplaceFile, ALinkStaysAndTheFileToWhichItLeadsIsReplaced) {
  namespace fs = std::filesystem;
  fs::create_directory(folder_ / "below");
  write_file_atomically(folder_ / "below" / "target", "old");
  fs::create_symlink("below/target", folder_ / "first");
  fs::create_symlink(folder_ / "first", folder_ / "second");
  fs::permissions(folder_ / "below" / "target", fs::perms::owner_read | fs::perms::owner_write);
  write_file_atomically(folder_ / "second", "new");
  EXPECT_TRUE(fs::is_symlink(folder_ / "second"));
  EXPECT_TRUE(fs::is_symlink(folder_ / "first"));
  EXPECT_FALSE(fs::is_symlink(folder_ / "below" / "target"));
  EXPECT_EQ(content_of(folder_ / "below" / "target"), "new");
  EXPECT_EQ(fs::status(folder_ / "below" / "target").permissions(),
            fs::perms::owner_read | fs::perms::owner_write);
  fs::create_symlink("below/nothing-yet", folder_ / "dangling");
  write_file_atomically(folder_ / "dangling", "made");
  EXPECT_TRUE(fs::is_symlink(folder_ / "dangling"));
  EXPECT_EQ(content_of(folder_ / "below" / "nothing-yet"), "made");
  fs::create_symlink("loop", folder_ / "loop");
  EXPECT_NE(error_of([&] { write_file_atomically(folder_ / "loop", "x"); }).find("symbolic links"),
            std::string::npos);
  EXPECT_TRUE(fs::is_symlink(folder_ / "loop"));
}

TEST_F(ReplaceFile, AFifoIsWrittenTo) {
  const std::filesystem::path path = folder_ / "fifo";
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  // Open for both directions, so that neither side waits for the other.
  const FileDescriptor fifo(::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NONBLOCK));
  ASSERT_TRUE(fifo.is_open());
  write_file_atomically(path, "through");
  EXPECT_TRUE(std::filesystem::is_fifo(path));
  char bytes[16] = {};
  EXPECT_EQ(::read(fifo.get(), bytes, sizeof bytes), 7);
  EXPECT_STREQ(bytes, "through");
}

TEST_F(ReplaceFile, ADeviceIsWrittenToAndStaysOne) {
  const std::filesystem::path path = folder_ / "full";
  // The same device as /dev/full, so that a failure of this test cannot replace /dev/full.
  if (mknod(path.c_str(), S_IFCHR | 0600, makedev(1, 7)) != 0) {
    GTEST_SKIP() << "only root makes devices";
  }
  if (const FileDescriptor device(::open(path.c_str(), O_WRONLY | O_CLOEXEC)); !device.is_open()) {
    GTEST_SKIP() << "devices cannot be opened here";
  }
  const std::string message = error_of([&] { write_file_atomically(path, "x"); });
  EXPECT_TRUE(std::filesystem::is_character_file(path));
  EXPECT_NE(message.find("No space left"), std::string::npos) << message;
}

TEST_F(ReplaceFile, ADescriptorIsAppendedTo) {
  const std::filesystem::path path = folder_ / "out";
  const FileDescriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
  ASSERT_EQ(try_write_all(file.get(), "before "), 0);
  write_file_atomically("/proc/self/fd/" + std::to_string(file.get()), "between");
  ASSERT_EQ(try_write_all(file.get(), " after"), 0);
  EXPECT_EQ(content_of(path), "before between after");
}

TEST_F(ReplaceFile, AFolderIsNoFile) {
  EXPECT_NE(error_of([&] { write_file_atomically(folder_, "x"); }).find("directory"),
            std::string::npos);
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
