#include "spca/data/content/zip_archive.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>

#include "spca/base/error.h"
#include "spca/base/text.h"

namespace spca {
namespace {

constexpr std::uint32_t kLocalHeader = 0x04034b50;
constexpr std::uint32_t kDirectoryEntry = 0x02014b50;
constexpr std::uint32_t kEnd = 0x06054b50;
constexpr std::uint32_t kWideEnd = 0x06064b50;
constexpr std::uint32_t kWideLocator = 0x07064b50;
constexpr std::size_t kLocalBytes = 30;
constexpr std::size_t kEntryBytes = 46;
constexpr std::size_t kEndBytes = 22;
constexpr std::size_t kWideLocatorBytes = 20;
constexpr std::size_t kWideEndBytes = 56;
constexpr std::size_t kLongestComment = 65535;
/// The value of a field of 32 bits if the number is in the extra field of Zip64.
constexpr std::uint64_t kElsewhere = 0xffffffff;
constexpr std::uint64_t kWideTag = 1;
/// At most this number of members; a .npz file has about five.
constexpr std::uint64_t kMostMembers = 1 << 16;
constexpr std::size_t kPackedBlock = 1 << 16;

/// Returns the little-endian number of `size` bytes at `at`.
std::uint64_t number_at(std::string_view bytes, std::size_t at, std::size_t size) {
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < size; ++i) {
    number |= std::uint64_t{static_cast<unsigned char>(bytes[at + i])} << (8 * i);
  }
  return number;
}

/// Reads the numbers of an entry that do not fit into 32 bits from its extra field: the size of the
/// content, the packed size and the offset. They are stored in this order, each only if its own
/// field is kElsewhere.
void read_wide_numbers(std::string_view extra, ZipMember& member) {
  while (extra.size() >= 4) {
    const std::uint64_t tag = number_at(extra, 0, 2);
    const std::size_t size = std::min<std::size_t>(number_at(extra, 2, 2), extra.size() - 4);
    std::string_view content = extra.substr(4, size);
    extra.remove_prefix(4 + size);
    if (tag != kWideTag) {
      continue;
    }
    for (std::uint64_t* field : {&member.bytes, &member.packed_bytes, &member.header_at}) {
      if (*field == kElsewhere && content.size() >= 8) {
        *field = number_at(content, 0, 8);
        content.remove_prefix(8);
      }
    }
  }
}

}  // namespace

/// The content of one member.
class ZipContent final : public ByteSource {
 public:
  ZipContent(const ZipArchive& archive, const ZipMember& member)
      : archive_(archive), member_(member), name_(archive.name() + ":" + member.name) {
    const std::string header = archive.bytes_at(member.header_at, kLocalBytes);
    if (header.size() < kLocalBytes || number_at(header, 0, 4) != kLocalHeader) {
      fail("its header is not where the directory says");
    }
    // The name and the extra field may have other lengths here than in the directory.
    at_ = member.header_at + kLocalBytes + number_at(header, 26, 2) + number_at(header, 28, 2);
    if (at_ > archive.file_bytes() || member.packed_bytes > archive.file_bytes() - at_) {
      fail("it goes beyond the end of the file");
    }
    packed_left_ = member.packed_bytes;
    if (member.is_deflated) {
      constexpr int kRawDeflate = -15;  // makes zlib expect no header and no checksum
      SPCA_CHECK(inflateInit2(&inflate_, kRawDeflate) == Z_OK, "zlib cannot be started");
    }
  }
  ~ZipContent() override {
    if (member_.is_deflated) {
      inflateEnd(&inflate_);
    }
  }

  std::size_t read(char* out, std::size_t size) override {
    const auto wanted =
        static_cast<std::size_t>(std::min<std::uint64_t>(size, member_.bytes - content_bytes_));
    const std::size_t count =
        member_.is_deflated ? read_deflated(out, wanted) : read_stored(out, wanted);
    if (count < wanted) {
      fail("its data end early");
    }
    for (std::size_t done = 0; done < count;) {
      const auto part = static_cast<uInt>(std::min<std::size_t>(count - done, kPackedBlock));
      checksum_ = crc32(checksum_, reinterpret_cast<const Bytef*>(out + done), part);
      done += part;
    }
    content_bytes_ += count;
    if (content_bytes_ == member_.bytes && checksum_ != member_.checksum) {
      fail("its data do not have the checksum of the directory");
    }
    return count;
  }

  const std::string& name() const override { return name_; }
  std::uint64_t largest_content() const override { return member_.bytes; }
  std::uint64_t file_bytes() const override { return member_.packed_bytes; }

 private:
  std::size_t read_stored(char* out, std::size_t size) {
    const std::string bytes = archive_.bytes_at(at_, std::min<std::uint64_t>(size, packed_left_));
    std::memcpy(out, bytes.data(), bytes.size());
    at_ += bytes.size();
    packed_left_ -= bytes.size();
    return bytes.size();
  }

  std::size_t read_deflated(char* out, std::size_t size) {
    std::size_t count = 0;
    while (count < size) {
      if (inflate_.avail_in == 0) {
        packed_ = archive_.bytes_at(at_, std::min<std::uint64_t>(kPackedBlock, packed_left_));
        at_ += packed_.size();
        packed_left_ -= packed_.size();
        inflate_.next_in = reinterpret_cast<Bytef*>(packed_.data());
        inflate_.avail_in = static_cast<uInt>(packed_.size());
      }
      const std::size_t room = std::min<std::size_t>(size - count, kPackedBlock);
      inflate_.next_out = reinterpret_cast<Bytef*>(out + count);
      inflate_.avail_out = static_cast<uInt>(room);
      const int status = inflate(&inflate_, Z_NO_FLUSH);
      count += room - inflate_.avail_out;
      if (status == Z_STREAM_END || (status == Z_BUF_ERROR && packed_left_ == 0)) {
        break;
      }
      if (status != Z_OK && status != Z_BUF_ERROR) {
        fail("its deflated data are corrupted");
      }
    }
    return count;
  }

  [[noreturn]] void fail(const char* what) const {
    throw InputError(fmt::format("{}: {}; accepted: a file that passes unzip -t", name_, what));
  }

  const ZipArchive& archive_;
  const ZipMember member_;
  const std::string name_;
  std::uint64_t at_ = 0;  // in the file
  std::uint64_t packed_left_ = 0;
  std::uint64_t content_bytes_ = 0;
  uLong checksum_ = 0;
  std::string packed_;
  z_stream inflate_{};
};

ZipArchive::ZipArchive(const std::filesystem::path& path)
    : name_(path.string()), input_file_(path) {
  file_.reset(std::fopen(input_file_.path().c_str(), "rb"));
  if (file_ == nullptr) {
    throw InputError(fmt::format("{}: cannot be opened ({}); accepted: a readable file", name_,
                                 std::strerror(errno)));
  }
  std::error_code error;
  const std::uintmax_t bytes = std::filesystem::file_size(input_file_.path(), error);
  file_bytes_ = error ? 0 : bytes;
  read_directory();
}

void ZipArchive::fail(const std::string& message) const {
  throw InputError(
      fmt::format("{}: {}; accepted: a complete zip file of one part", name_, message));
}

/// Returns `count` bytes from `offset` on, or fewer at the end of the file.
std::string ZipArchive::bytes_at(std::uint64_t offset, std::uint64_t count) const {
  if (offset >= file_bytes_) {
    return {};
  }
  std::string bytes(static_cast<std::size_t>(std::min(count, file_bytes_ - offset)), '\0');
  const bool exists = ::fseeko(file_.get(), static_cast<off_t>(offset), SEEK_SET) == 0;
  bytes.resize(exists ? std::fread(bytes.data(), 1, bytes.size(), file_.get()) : 0);
  return bytes;
}

void ZipArchive::read_directory() {
  const std::uint64_t tail_bytes =
      std::min<std::uint64_t>(file_bytes_, kEndBytes + kLongestComment);
  const std::uint64_t tail_at = file_bytes_ - tail_bytes;
  const std::string tail = bytes_at(tail_at, tail_bytes);
  const std::size_t end = tail.rfind("PK\5\6");
  if (end == std::string::npos || tail.size() - end < kEndBytes) {
    fail("has no directory at its end, so that it is truncated or no zip file");
  }
  std::uint64_t count = number_at(tail, end + 10, 2);
  std::uint64_t size = number_at(tail, end + 12, 4);
  std::uint64_t at = number_at(tail, end + 16, 4);
  if (end >= kWideLocatorBytes && number_at(tail, end - kWideLocatorBytes, 4) == kWideLocator) {
    const std::string wide =
        bytes_at(number_at(tail, end - kWideLocatorBytes + 8, 8), kWideEndBytes);
    if (wide.size() < kWideEndBytes || number_at(wide, 0, 4) != kWideEnd) {
      fail("has no Zip64 directory where it says");
    }
    count = number_at(wide, 32, 8);
    size = number_at(wide, 40, 8);
    at = number_at(wide, 48, 8);
  }
  if (count > kMostMembers || size > file_bytes_ || at > file_bytes_ - size) {
    fail(fmt::format("announces a directory of {} members in {} bytes", count, size));
  }
  const std::string directory = bytes_at(at, size);
  std::string_view rest = directory;
  for (std::uint64_t i = 0; i < count; ++i) {
    if (rest.size() < kEntryBytes || number_at(rest, 0, 4) != kDirectoryEntry) {
      fail(fmt::format("has a directory that ends after {} of {} members", i, count));
    }
    const std::size_t name_bytes = number_at(rest, 28, 2);
    const std::size_t extra_bytes = number_at(rest, 30, 2);
    const std::size_t all = kEntryBytes + name_bytes + extra_bytes + number_at(rest, 32, 2);
    if (rest.size() < all) {
      fail(fmt::format("has a directory that ends after {} of {} members", i, count));
    }
    ZipMember member{.name = std::string(rest.substr(kEntryBytes, name_bytes)),
                     .is_deflated = number_at(rest, 10, 2) == 8,
                     .checksum = static_cast<std::uint32_t>(number_at(rest, 16, 4)),
                     .packed_bytes = number_at(rest, 20, 4),
                     .bytes = number_at(rest, 24, 4),
                     .header_at = number_at(rest, 42, 4)};
    read_wide_numbers(rest.substr(kEntryBytes + name_bytes, extra_bytes), member);
    const std::uint64_t method = number_at(rest, 10, 2);
    if ((number_at(rest, 8, 2) & 1) != 0 || (method != 0 && method != 8)) {
      fail(fmt::format("has a member {} that is encrypted or packed by method {}",
                       in_quotes(member.name), method));
    }
    // A wrong header cannot cause a reservation of memory that the file does not fill.
    const std::uint64_t limit = member.packed_bytes > file_bytes_ ? 0
                                : member.is_deflated ? member.packed_bytes * kLargestDeflateRatio
                                                     : member.packed_bytes;
    if (member.bytes > limit) {
      fail(fmt::format("has a member {} that announces {} bytes in {}", in_quotes(member.name),
                       member.bytes, member.packed_bytes));
    }
    members_.push_back(std::move(member));
    rest.remove_prefix(all);
  }
}

const ZipMember* ZipArchive::find(const std::string& member) const {
  const auto position = std::find_if(members_.begin(), members_.end(),
                                     [&](const ZipMember& one) { return one.name == member; });
  return position == members_.end() ? nullptr : &*position;
}

std::unique_ptr<ByteSource> ZipArchive::open(const ZipMember& member) const {
  return std::make_unique<ZipContent>(*this, member);
}

}  // namespace spca
