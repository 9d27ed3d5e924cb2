#pragma once

/// One file from an address, by libcurl: http, https and file.

#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>

#include "spca/data/fetch/unfinished_file.h"

namespace spca {

/// The file did not arrive. One line that names the address.
class DownloadError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct DownloadRequest {
  std::string url;
  std::uint64_t bytes = 0;  // of the whole file; any other length is an error
  /// Seconds: the longest time to connect, and the longest with less than 100 bytes a second.
  long timeout = 30;
  /// How often a transfer that broke off is taken up again, after 1, 2, 4, ... seconds.
  int retries = 3;
  std::function<void(std::uint64_t)> on_bytes;         // how many bytes are there so far
  std::function<void(const std::string&)> on_message;  // why it is tried again
};

/// The version of libcurl. Empty if the program was built without it.
std::string downloader_version();

/// Appends to `file` what it lacks of the bytes at the address, until it has `request.bytes`.
///
/// Returns whether the bytes came in several pieces: then they may be pieces of different files,
/// and only a checksum tells. Throws DownloadError if the bytes do not come, and InputError if the
/// disk does not take them. What has arrived stays in `file` unless it is known to be wrong.
bool download(const DownloadRequest& request, UnfinishedFile& file);

}  // namespace spca
