#include "harness/runs/cache_segment.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <nlohmann/json.hpp>
#include <utility>

#include "harness/records/record_line.h"
#include "spca/io/json_file.h"

namespace spca {
namespace {

constexpr std::size_t kChecksumDigits = 8;
constexpr std::string_view kRecordOpening = "{\"key\":\"";
constexpr std::string_view kForgottenOpening = "{\"forgotten\":\"";
constexpr std::string_view kIdentityOpening = "{\"identity\":\"";
constexpr std::string_view kOriginOpening = "{\"origin\":";
constexpr std::size_t kKeyDigits = 64;

struct IndexHeader {
  std::uint64_t magic = 0x31'78'64'69'63'70'73'0a;  // also tells the order of bytes
  std::uint64_t covered = 0;                        // bytes of the segment
  std::uint64_t entries = 0;
  std::uint64_t damaged = 0;
  std::uint64_t checksum = 0;  // CRC-32 of the entries
};

std::uint32_t checksum_of(std::string_view bytes) {
  return static_cast<std::uint32_t>(
      crc32_z(0, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()));
}

std::string_view bytes_of(const std::vector<CacheEntry>& entries) {
  return {reinterpret_cast<const char*>(entries.data()), entries.size() * sizeof(CacheEntry)};
}

/// A line without its line feed; the payload, or nothing where the checksum is another.
std::string_view verified(std::string_view line) {
  if (line.size() <= kChecksumDigits || line[line.size() - kChecksumDigits - 1] != '\t') {
    return {};
  }
  const std::string_view payload = line.substr(0, line.size() - kChecksumDigits - 1);
  std::uint32_t stated = 0;
  const char* end = line.data() + line.size();
  const auto [stop, error] = std::from_chars(end - kChecksumDigits, end, stated, 16);
  return error == std::errc() && stop == end && stated == checksum_of(payload) ? payload
                                                                               : std::string_view();
}

std::uint64_t read_at(const FileDescriptor& file, char* to, std::uint64_t bytes,
                      std::uint64_t offset) {
  std::uint64_t done = 0;
  while (done < bytes) {
    const ssize_t count =
        ::pread(file.get(), to + done, bytes - done, static_cast<off_t>(offset + done));
    if (count <= 0) {
      break;
    }
    done += static_cast<std::uint64_t>(count);
  }
  return done;
}

std::uint64_t size_of(const FileDescriptor& file) {
  struct stat state {};
  return ::fstat(file.get(), &state) == 0 ? static_cast<std::uint64_t>(state.st_size) : 0;
}

}  // namespace

CellKey cell_key_from(std::string_view digits) {
  constexpr std::size_t kDigitsOfAWord = 16;
  CellKey key{};
  std::size_t end = digits.size();
  for (std::size_t word = key.size(); word-- > 0 && end > 0;) {
    const std::size_t begin = end > kDigitsOfAWord ? end - kDigitsOfAWord : 0;
    std::from_chars(digits.data() + begin, digits.data() + end, key[word], 16);
    end = begin;
  }
  return key;
}

std::string cache_line(std::string_view payload) {
  return fmt::format("{}\t{:08x}\n", payload, checksum_of(payload));
}

std::string identity_payload(std::string_view digest, const Json& identity) {
  return fmt::format("{}{}\",\"of\":{}}}", kIdentityOpening, digest, identity.dump());
}

std::string forgotten_payload(std::string_view key) {
  return fmt::format("{}{}\"}}", kForgottenOpening, key);
}

std::string origin_payload(const Json& origin) {
  return fmt::format("{}{}}}", kOriginOpening,
                     origin.dump(-1, ' ', false, Json::error_handler_t::replace));
}

std::filesystem::path CacheSegment::index_path(const std::filesystem::path& segment) {
  return std::filesystem::path(segment).replace_extension(".index");
}

CacheSegment::CacheSegment(std::filesystem::path path) : path_(std::move(path)) {
  file_ = open_or_throw(path_, O_RDONLY);
  in_use_ = !try_lock(file_, LOCK_EX);
  bytes_ = size_of(file_);
  if (!read_index()) {
    read_lines();
    if (!in_use_) {
      write_index();
    }
  }
  close();  // gives the lock back too
}

bool CacheSegment::read_index() {
  const FileDescriptor index(::open(index_path(path_).c_str(), O_RDONLY | O_CLOEXEC));
  IndexHeader header;
  const std::uint64_t magic = header.magic;
  if (!index.is_open() ||
      read_at(index, reinterpret_cast<char*>(&header), sizeof header, 0) != sizeof header ||
      header.magic != magic || header.covered != bytes_ ||
      size_of(index) != sizeof header + header.entries * sizeof(CacheEntry)) {
    return false;
  }
  entries_.resize(header.entries);
  const std::uint64_t size = header.entries * sizeof(CacheEntry);
  if (read_at(index, reinterpret_cast<char*>(entries_.data()), size, sizeof header) != size ||
      checksum_of(bytes_of(entries_)) != header.checksum) {
    entries_.clear();
    return false;
  }
  damaged_ = header.damaged;
  return true;
}

void CacheSegment::read_lines() {
  std::string buffer;
  std::uint64_t begin = 0;  // of the buffer, in the file
  constexpr std::uint64_t kReadBytes = std::uint64_t{1} << 22;
  while (begin + buffer.size() < bytes_) {
    const std::size_t kept = buffer.size();
    const std::uint64_t wanted = std::min(kReadBytes, bytes_ - begin - kept);
    buffer.resize(kept + wanted);
    if (read_at(file_, buffer.data() + kept, wanted, begin + kept) != wanted) {
      bytes_ = begin + kept;  // cut short by somebody else
      buffer.resize(kept);
      break;
    }
    std::size_t line = 0;
    for (std::size_t end = 0; (end = buffer.find('\n', line)) != std::string::npos;
         line = end + 1) {
      add_line(std::string_view(buffer).substr(line, end - line), begin + line);
    }
    buffer.erase(0, line);
    begin += line;
  }
  damaged_ +=
      buffer.empty() || in_use_ ? 0 : 1;  // the end that is still being written is no damage
}

void CacheSegment::add_line(std::string_view line, std::uint64_t offset) {
  const std::string_view payload = verified(line);
  CacheEntry entry{.offset = offset,
                   .origin = origin_,
                   .seconds = kNotMeasured,
                   .length = static_cast<std::uint32_t>(line.size() + 1)};
  if (payload.starts_with(kOriginOpening)) {
    entry.kind = CacheEntryKind::kOrigin;
    origin_ = entry.origin = offset;
  } else if (payload.starts_with(kIdentityOpening)) {
    entry.kind = CacheEntryKind::kIdentity;
    entry.key = cell_key_from(payload.substr(kIdentityOpening.size(), kKeyDigits / 2));
  } else if (payload.starts_with(kForgottenOpening)) {
    entry.kind = CacheEntryKind::kForgotten;
    entry.key = cell_key_from(payload.substr(kForgottenOpening.size(), kKeyDigits));
  } else if (payload.starts_with(kRecordOpening)) {
    try {
      const RecordLine record = scan_record_line(payload);
      entry.key = cell_key_from(record.key);
      entry.status = static_cast<std::uint8_t>(record.status);
      entry.seconds = record.solve_seconds;
    } catch (const InputError&) {
      ++damaged_;  // the record of another version of this program
      return;
    }
  } else {
    ++damaged_;
    return;
  }
  entries_.push_back(entry);
}

void CacheSegment::write_index() const {
  const std::string_view entries = bytes_of(entries_);
  IndexHeader header;
  header.covered = bytes_;
  header.entries = entries_.size();
  header.damaged = damaged_;
  header.checksum = checksum_of(entries);
  std::string bytes(sizeof header, '\0');
  std::memcpy(bytes.data(), &header, sizeof header);
  bytes += entries;
  try {
    write_file_atomically(index_path(path_), bytes);
  } catch (const InputError&) {
    // The cache may be readable only, or the disk full: the next reader takes as long as this one.
  }
}

std::string CacheSegment::payload(std::uint64_t offset, std::uint32_t length) const {
  if (!file_.is_open()) {
    file_ = open_or_throw(path_, O_RDONLY);
  }
  std::string line(length, '\0');
  if (length == 0 || read_at(file_, line.data(), length, offset) != length || line.back() != '\n') {
    return "";
  }
  return std::string(verified(std::string_view(line).substr(0, length - 1)));
}

Json CacheSegment::origin(const CacheEntry& entry) const {
  for (const CacheEntry& line : entries_) {
    if (line.kind == CacheEntryKind::kOrigin && line.offset == entry.origin) {
      const Json json = Json::parse(payload(line), nullptr, false);
      return json.is_object() ? json.at("origin") : Json();
    }
  }
  return {};
}

}  // namespace spca
