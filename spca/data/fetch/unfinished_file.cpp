#include "spca/data/fetch/unfinished_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <thread>
#include <utility>

namespace spca {
namespace {

constexpr std::chrono::milliseconds kBetweenLooks{200};

constexpr const char* kUnfinishedNotWritten = "cannot be written";

}  // namespace

UnfinishedFile::UnfinishedFile(std::filesystem::path target, const std::function<void()>& on_wait)
    : target_(std::move(target)), path_(target_.string() + ".part") {
  make_directory(target_.parent_path());
  while (!open_and_lock(on_wait)) {
  }
  struct stat status {};
  fstat(file_.get(), &status);
  size_ = static_cast<std::uint64_t>(status.st_size);
}

/// Returns false if another process renamed or removed the file while this process waited for the
/// lock. The lock is then on a file without this name, so the next file of this name is opened.
bool UnfinishedFile::open_and_lock(const std::function<void()>& on_wait) {
  // O_APPEND: a write never overwrites existing bytes.
  file_ = open_or_throw(path_, O_RDWR | O_CREAT | O_APPEND);
  for (bool has_said = false; !try_lock(file_, LOCK_EX); has_said = true) {
    if (errno != EWOULDBLOCK && errno != EINTR) {
      throw_file_error(path_, "cannot be locked", errno);
    }
    if (!has_said) {
      on_wait();
    }
    std::this_thread::sleep_for(kBetweenLooks);
  }
  struct stat locked {};
  struct stat named {};
  return fstat(file_.get(), &locked) == 0 && ::stat(path_.c_str(), &named) == 0 &&
         locked.st_ino == named.st_ino && locked.st_dev == named.st_dev;
}

void UnfinishedFile::append(std::string_view bytes) {
  write_all(file_, path_, bytes);
  size_ += bytes.size();
}

void UnfinishedFile::clear() {
  if (::ftruncate(file_.get(), 0) != 0) {
    throw_file_error(path_, kUnfinishedNotWritten, errno);
  }
  size_ = 0;
}

void UnfinishedFile::finish() {
  // The bytes are flushed before the file gets its name: a crash of the machine could otherwise
  // leave the name without the content.
  sync_to_disk(file_, target_);
  if (::rename(path_.c_str(), target_.c_str()) != 0) {
    throw_file_error(target_, kUnfinishedNotWritten, errno);
  }
}

void UnfinishedFile::remove() { ::unlink(path_.c_str()); }

}  // namespace spca
