#pragma once

/// Downloads one file by libcurl: http, https and file.

#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>

#include "spca/data/fetch/unfinished_file.h"

namespace spca {

/// A failed download. The message is one line that names the address.
class DownloadError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// At most this number of bytes in a file whose length is not known.
inline constexpr std::uint64_t kLargestUnknownFile = std::uint64_t{1} << 30;

struct DownloadRequest {
  std::string url;
  /// The length of the whole file; any other is an error. 0 if it is not known: then any length
  /// from 1 to kLargestUnknownFile is accepted, and an interrupted transfer starts again from the
  /// first byte.
  std::uint64_t bytes = 0;
  /// At most this number of seconds to connect, and at most this number at less than 100 bytes a
  /// second.
  long timeout = 30;
  /// At most this number of times an interrupted transfer is tried again: after 1, 2, 4, ...
  /// seconds, or later if the server asks for it, but within 60 seconds.
  int retries = 3;
  std::function<void(std::uint64_t)> on_bytes;         // receives the number of bytes so far
  std::function<void(const std::string&)> on_message;  // receives the reason for a retry
};

/// Returns the version of libcurl; empty if the program was built without it.
std::string downloader_version();

/// Appends the missing bytes to `file`, until it has `request.bytes`. If the length is not known,
/// downloads the whole file.
///
/// Returns true if the bytes came in several pieces: they may then be pieces of different files,
/// which only a checksum detects. Throws DownloadError if the bytes do not arrive, and InputError
/// if they cannot be written. Bytes that have arrived stay in `file` unless they are known to be
/// wrong.
bool download(const DownloadRequest& request, UnfinishedFile& file);

}  // namespace spca
