#include "spca/data/content/byte_stream.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <optional>

#include "spca/base/error.h"
#include "spca/base/text.h"
#include "spca/data/built_in_files.h"

namespace spca {
namespace {

constexpr std::size_t kInputBytes = 1 << 16;
/// Number of bytes in a block: half of a common L2 cache, so that a block is scanned while in the
/// cache.
constexpr std::size_t kBlockBytes = 1 << 18;
constexpr int kGzipWindow = 15 + 16;  // makes zlib expect a gzip header and checksum

/// `name` is for messages.
std::FILE* open_file(const std::filesystem::path& path, const std::string& name) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) {
    throw InputError(fmt::format("{}: is a folder; accepted: a file", name));
  }
  std::FILE* file = std::fopen(path.c_str(), "rb");
  if (file == nullptr) {
    throw InputError(fmt::format("{}: cannot be opened ({}); accepted: a readable file", name,
                                 std::strerror(errno)));
  }
  std::setvbuf(file, nullptr, _IONBF, 0);  // every read here is a large block already
  return file;
}

/// Opens bytes in memory, which must outlive the file.
std::FILE* open_content(std::string_view content, const std::string& name) {
  // The mode is "read only", so that fmemopen() does not change the bytes.
  std::FILE* file = ::fmemopen(const_cast<char*>(content.data()), content.size(), "rb");
  if (file == nullptr) {
    throw InputError(fmt::format("{}: cannot be opened ({})", name, std::strerror(errno)));
  }
  return file;
}

}  // namespace

ByteStream::ByteStream(const std::filesystem::path& path)
    : name_(path.string()), input_file_(path) {
  if (const std::optional<std::string_view> content = built_in_content(path)) {
    file_.reset(open_content(*content, name_));
    file_bytes_ = content->size();
  } else {
    file_.reset(open_file(input_file_.path(), name_));
    std::error_code error;
    const std::uintmax_t bytes = std::filesystem::file_size(input_file_.path(), error);
    file_bytes_ = error ? 0 : bytes;
  }
  unsigned char magic[2] = {0, 0};
  is_compressed_ =
      std::fread(magic, 1, 2, file_.get()) == 2 && magic[0] == 0x1f && magic[1] == 0x8b;
  std::rewind(file_.get());
  if (is_compressed_) {
    input_.resize(kInputBytes);
    SPCA_CHECK(inflateInit2(&inflate_, kGzipWindow) == Z_OK, "zlib cannot be started");
  }
}

ByteStream::~ByteStream() {
  if (is_compressed_) {
    inflateEnd(&inflate_);
  }
}

std::uint64_t ByteStream::largest_content() const {
  return is_compressed_ ? file_bytes_ * kLargestDeflateRatio : file_bytes_;
}

std::size_t ByteStream::read(char* out, std::size_t size) {
  return is_compressed_ ? read_compressed(out, size) : read_plain(out, size);
}

std::uint64_t ByteStream::skip(std::uint64_t size) {
  const off_t at = is_compressed_ ? -1 : ::ftello(file_.get());
  if (at < 0 || static_cast<std::uint64_t>(at) > file_bytes_) {
    return ByteSource::skip(size);
  }
  const std::uint64_t left = file_bytes_ - static_cast<std::uint64_t>(at);
  const std::uint64_t passed = std::min(size, left);
  return ::fseeko(file_.get(), static_cast<off_t>(passed), SEEK_CUR) == 0 ? passed
                                                                          : ByteSource::skip(size);
}

std::size_t ByteStream::read_plain(char* out, std::size_t size) {
  const std::size_t count = std::fread(out, 1, size, file_.get());
  if (count < size && std::ferror(file_.get()) != 0) {
    throw InputError(fmt::format("{}: cannot be read ({})", name_, std::strerror(errno)));
  }
  return count;
}

bool ByteStream::fill_input() {
  const std::size_t count = read_plain(input_.data(), input_.size());
  inflate_.next_in = reinterpret_cast<Bytef*>(input_.data());
  inflate_.avail_in = static_cast<uInt>(count);
  return count > 0;
}

std::size_t ByteStream::read_compressed(char* out, std::size_t size) {
  std::size_t count = 0;
  while (count < size && !at_end_) {
    if (inflate_.avail_in == 0 && !fill_input()) {
      throw InputError(
          fmt::format("{}: the gzip data end early; accepted: a complete file", name_));
    }
    const std::size_t room = std::min<std::size_t>(size - count, kBlockBytes);
    inflate_.next_out = reinterpret_cast<Bytef*>(out + count);
    inflate_.avail_out = static_cast<uInt>(room);
    const int status = inflate(&inflate_, Z_NO_FLUSH);
    count += room - inflate_.avail_out;
    if (status == Z_STREAM_END) {
      // A gzip file may consist of several members. Anything else behind the first member is
      // reported by the next inflate() as corrupted data.
      at_end_ = inflate_.avail_in == 0 && !fill_input();
      inflateReset(&inflate_);
    } else if (status != Z_OK) {
      throw InputError(
          fmt::format("{}: the gzip data are corrupted ({}); accepted: a file that "
                      "passes gzip -t",
                      name_, inflate_.msg != nullptr ? inflate_.msg : "no progress"));
    }
  }
  return count;
}

LineBlocks::LineBlocks(const std::filesystem::path& path) : stream_(path), buffer_(kBlockBytes) {}

/// Reads the next block. buffer_[begin_, end_) holds the beginning of a line that the last block
/// cut.
std::string_view LineBlocks::next_bytes() {
  std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
  end_ -= begin_;
  begin_ = 0;
  while (!at_end_) {
    // One byte stays free for the '\n' that the last line may lack.
    const std::size_t room = buffer_.size() - 1 - end_;
    const std::size_t count = stream_.read(buffer_.data() + end_, room);
    const std::size_t searched = end_;
    end_ += count;
    if (count < room) {
      at_end_ = true;
      // Scanners of a block rely on a '\n' after the last byte, so they need no check of the end.
      if (end_ > 0 && buffer_[end_ - 1] != '\n') {
        buffer_[end_++] = '\n';
      }
      break;
    }
    const std::size_t last = std::string_view(buffer_.data() + searched, count).rfind('\n');
    if (last != std::string_view::npos) {
      begin_ = searched + last + 1;
      return {buffer_.data(), begin_};
    }
    buffer_.resize(2 * buffer_.size());  // the line is longer than the buffer
  }
  begin_ = end_;
  return {buffer_.data(), end_};
}

std::string_view LineBlocks::next() {
  std::string_view block = next_bytes();
  if (is_first_ && block.starts_with(kByteOrderMark)) {
    block.remove_prefix(kByteOrderMark.size());
  }
  is_first_ = false;
  return block;
}

bool Lines::next(std::string_view& line) {
  if (rest_.empty()) {
    rest_ = blocks_.next();
    if (rest_.empty()) {
      return false;
    }
  }
  const std::size_t length = rest_.find('\n');
  line = rest_.substr(0, length);
  rest_.remove_prefix(length + 1);
  if (!line.empty() && line.back() == '\r') {
    line.remove_suffix(1);
  }
  ++number_;
  return true;
}

}  // namespace spca
