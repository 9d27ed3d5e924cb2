#include "spca/data/fetch/verified_download.h"

#include <fmt/format.h>

#include "spca/base/error.h"
#include "spca/base/sha256.h"
#include "spca/base/standard_error.h"
#include "spca/data/fetch/download.h"
#include "spca/io/progress.h"

namespace spca {
namespace {

/// Downloads the missing bytes. Returns true if the bytes came in several pieces.
bool fill(const VerifiedDownload& request, UnfinishedFile& unfinished) {
  const bool is_known = request.wanted.bytes > 0;
  // If the length is not known, no bar can be drawn.
  Progress progress(request.wanted.name, request.wanted.bytes, unfinished.size());
  const bool is_pieced = download({.url = request.url,
                                   .bytes = request.wanted.bytes,
                                   .timeout = request.timeout,
                                   .retries = request.retries,
                                   .on_bytes =
                                       [&](std::uint64_t bytes) {
                                         if (is_known) {
                                           progress.update(bytes, 0);
                                         }
                                       },
                                   .on_message =
                                       [&](const std::string& message) {
                                         if (is_known && unfinished.size() > 0) {
                                           progress.finish();  // a line of its own for the message
                                         }
                                         say_line(message);
                                       }},
                                  unfinished);
  if (is_known) {
    progress.update(unfinished.size(), 0);
    progress.finish();
  }
  return is_pieced;
}

}  // namespace

std::string difference(const std::filesystem::path& path, const FileFingerprint& expected) {
  if (expected.sha256.empty()) {
    return "";
  }
  std::error_code error;
  // The length is compared first: that may save reading a file of gigabytes.
  const std::uintmax_t bytes = std::filesystem::file_size(path, error);
  if (!error && bytes != expected.bytes) {
    return fmt::format("found {} bytes; expected: {}", bytes, expected.bytes);
  }
  const std::string found = sha256_of_file(path);
  return found == expected.sha256
             ? ""
             : fmt::format("found SHA-256 {}; expected: {}", found, expected.sha256);
}

UnfinishedFile open_unfinished(const std::filesystem::path& target, const std::string& name) {
  return UnfinishedFile(target, [&] { say_line(name + ": another process fetches it; waiting"); });
}

void finish_after(UnfinishedFile& unfinished, const std::function<void()>& fill) {
  try {
    fill();
    unfinished.finish();
  } catch (...) {
    if (unfinished.size() == 0) {
      unfinished.remove();
    }
    throw;
  }
}

void download_verified(const VerifiedDownload& download, UnfinishedFile& unfinished) {
  if (downloader_version().empty()) {
    throw InputError(
        "fetch: this program was built without libcurl; accepted: a build with "
        "libcurl4-openssl-dev installed, or files that are put into the data folder by hand");
  }
  const bool is_pieced = fill(download, unfinished);
  std::string wrong = difference(unfinished.path(), download.wanted);
  // Pieces may come from different files, so the download is tried once more from the first byte. A
  // wrong file that came in one piece is the server's fault.
  if (!wrong.empty() && is_pieced) {
    say_line(fmt::format("{}: the partial download does not match; starting again",
                         download.wanted.name));
    unfinished.clear();
    fill(download, unfinished);
    wrong = difference(unfinished.path(), download.wanted);
  }
  if (!wrong.empty()) {
    unfinished.clear();
    throw DownloadError(fmt::format("{}: {}; what came was deleted", download.url, wrong));
  }
}

}  // namespace spca
