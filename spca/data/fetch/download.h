#pragma once

/// One file from an address, by libcurl: http, https and file.

#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>

#include "spca/data/fetch/part_file.h"

namespace spca {

/// The file did not arrive. One line that names the address.
class DownloadError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct DownloadRequest {
  std::string url;
  std::uint64_t bytes = 0;  // of the whole file; any other length is an error
  std::string sha256;       // that it will be held against
  /// Seconds to connect in, and the longest time with less than a hundred bytes a second.
  long timeout = 30;
  /// How often a transfer that broke off is taken up again, after 1, 2, 4, ... seconds.
  int retries = 3;
  std::function<void(std::uint64_t)> on_bytes;         // how many are there so far
  std::function<void(const std::string&)> on_message;  // why it is tried again
};

/// The version of libcurl; empty where the program was built without it.
std::string downloader_version();

/// Fills `part` with the bytes at the address. What is there already is kept where the server says
/// that its file is still the same, and only the rest is asked for. Throws DownloadError, and
/// InputError where the disk does not take the bytes; what has arrived stays for the next time
/// unless it is known to be wrong.
void download(const DownloadRequest& request, PartFile& part);

}  // namespace spca
