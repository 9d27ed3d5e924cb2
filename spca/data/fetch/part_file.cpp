#include "spca/data/fetch/part_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <thread>

#include "spca/base/error.h"
#include "spca/io/json_file.h"

namespace spca {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::milliseconds kBetweenLooks{200};

constexpr const char* kNotWritten = "cannot be written";

}  // namespace

PartFile::PartFile(fs::path target, const std::function<void()>& on_wait)
    : target_(std::move(target)),
      part_(target_.string() + ".part"),
      origin_path_(part_.string() + ".json") {
  make_directory(target_.parent_path());
  while (!open_and_lock(on_wait)) {
  }
  struct stat status {};
  fstat(file_.get(), &status);
  size_ = static_cast<std::uint64_t>(status.st_size);
  read_origin();
}

/// False where the file that was locked is not the one of this name any more: the process that held
/// it has given it its final name or removed it.
bool PartFile::open_and_lock(const std::function<void()>& on_wait) {
  file_ = open_or_throw(part_, O_RDWR | O_CREAT | O_APPEND);
  for (bool has_said = false; !try_lock(file_, LOCK_EX); has_said = true) {
    if (errno != EWOULDBLOCK && errno != EINTR) {
      throw_file_error(part_, "cannot be locked", errno);
    }
    if (!has_said) {
      on_wait();
    }
    std::this_thread::sleep_for(kBetweenLooks);
  }
  struct stat locked {};
  struct stat named {};
  return fstat(file_.get(), &locked) == 0 && ::stat(part_.c_str(), &named) == 0 &&
         locked.st_ino == named.st_ino && locked.st_dev == named.st_dev;
}

void PartFile::read_origin() {
  if (size_ == 0) {
    return;
  }
  try {
    const Json json = read_json_file(origin_path_).json();
    origin_ = {.url = json.at("url").get<std::string>(),
               .sha256 = json.at("sha256").get<std::string>(),
               .etag = json.at("etag").get<std::string>(),
               .last_modified = json.at("last_modified").get<std::string>()};
  } catch (const InputError&) {
    // Missing or damaged: the bytes are of unknown origin and will be fetched anew.
  } catch (const Json::exception&) {
  }
}

void PartFile::start_again() {
  if (::ftruncate(file_.get(), 0) != 0) {
    throw_file_error(part_, kNotWritten, errno);
  }
  size_ = 0;
  origin_ = {};
}

void PartFile::set_origin(const PartOrigin& origin) {
  origin_ = origin;
  write_json_file(origin_path_, {{"url", origin.url},
                                 {"sha256", origin.sha256},
                                 {"etag", origin.etag},
                                 {"last_modified", origin.last_modified}});
}

void PartFile::append(std::string_view bytes) {
  write_all(file_, part_, bytes);
  size_ += bytes.size();
}

void PartFile::finish() {
  // Without this a crash of the machine could leave the name with no content.
  if ((::fsync(file_.get()) != 0 && errno != EINVAL) ||
      ::rename(part_.c_str(), target_.c_str()) != 0) {
    throw_file_error(target_, kNotWritten, errno);
  }
  ::unlink(origin_path_.c_str());
}

void PartFile::remove() {
  ::unlink(origin_path_.c_str());
  ::unlink(part_.c_str());
}

}  // namespace spca
