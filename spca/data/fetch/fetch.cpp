#include "spca/data/fetch/fetch.h"

#include <fmt/format.h>

#include <cstdio>

#include "spca/base/error.h"
#include "spca/base/sha256.h"
#include "spca/base/standard_error.h"
#include "spca/data/fetch/download.h"
#include "spca/data/fetch/unfinished_file.h"
#include "spca/io/progress.h"

namespace spca {
namespace {

namespace fs = std::filesystem;

/// Returns the difference between the file and the expected bytes. Empty if there is none, or if
/// the expected bytes are not known.
std::string difference(const fs::path& path, const FileFingerprint& expected) {
  if (expected.sha256.empty()) {
    return "";
  }
  std::error_code error;
  // The length first: it may save reading a file of gigabytes.
  const std::uintmax_t bytes = fs::file_size(path, error);
  if (!error && bytes != expected.bytes) {
    return fmt::format("found {} bytes; expected: {}", bytes, expected.bytes);
  }
  const std::string found = sha256_of_file(path);
  return found == expected.sha256
             ? ""
             : fmt::format("found SHA-256 {}; expected: {}", found, expected.sha256);
}

/// The check and download of one file of a data set.
class FileFetch {
 public:
  FileFetch(const DataSource& source, const SourceFile& file, const FetchRequest& request)
      : file_(file), request_(request) {
    const bool is_known = file.unverified.empty();
    const FileFingerprint* download =
        request.mirror.empty() || !is_known ? file.downloadable() : &file.file;
    wanted_ = download != nullptr ? *download : file.file;
    is_fetchable_ = download != nullptr;
    result_.dataset = source.name;
    result_.is_optional = file.is_optional;
    describe(wanted_);
    result_.url = request.mirror.empty()
                      ? file.url
                      : request.mirror + (request.mirror.ends_with('/') ? "" : "/") + wanted_.name;
  }

  FetchResult run() {
    if (is_present(file_.file) ||
        (!file_.as_published.name.empty() && is_present(file_.as_published))) {
      return end(FetchStatus::kPresent, "");
    }
    if (!different_.empty() && (!request_.replace_different || !is_fetchable_)) {
      return end(FetchStatus::kDifferent, different_);
    }
    if (request_.check_only) {
      return end(FetchStatus::kMissing, fmt::format("{} does not exist", result_.path.string()));
    }
    if (!is_fetchable_) {
      return end(
          FetchStatus::kNotFetchable,
          file_.derived.empty()
              ? fmt::format("from {}, by hand: {}", file_.url, file_.unverified)
              : fmt::format("no address gives it as it is; from {}: {}", file_.url, file_.derived));
    }
    if (request_.dry_run) {
      return end(FetchStatus::kToFetch,
                 fmt::format("{} bytes from {}", wanted_.bytes, result_.url));
    }
    if (downloader_version().empty()) {
      throw InputError(
          "fetch: this program was built without libcurl; accepted: a build with "
          "libcurl4-openssl-dev installed, or files that are put into the data folder by hand");
    }
    try {
      return transfer();
    } catch (const InputError& error) {
      return end(FetchStatus::kFailed, error.what());
    } catch (const DownloadError& error) {
      return end(FetchStatus::kFailed, error.what());
    }
  }

 private:
  void describe(const FileFingerprint& file) {
    result_.name = file.name;
    result_.path = request_.data_dir / file.name;
    result_.bytes = file.bytes;
    result_.sha256 = file.sha256;
  }

  FetchResult end(FetchStatus status, const std::string& message) {
    result_.status = status;
    result_.message = message;
    return result_;
  }

  /// Returns true if the file exists with the right bytes; notes a file with other bytes.
  bool is_present(const FileFingerprint& file) {
    const fs::path path = request_.data_dir / file.name;
    std::error_code error;
    if (!fs::exists(path, error)) {
      return false;
    }
    std::string found;
    try {
      found = difference(path, file);
    } catch (const InputError& unreadable) {
      found = unreadable.what();
    }
    if (found.empty()) {
      describe(file);
      return true;
    }
    different_ =
        fmt::format("{}: {}{}", path.string(), found, is_fetchable_ ? "; --force replaces it" : "");
    return false;
  }

  FetchResult transfer() {
    UnfinishedFile unfinished(
        result_.path, [this] { say_line(result_.name + ": another process fetches it; waiting"); });
    // The other process may have fetched the file meanwhile.
    if (is_present(wanted_)) {
      unfinished.remove();
      return end(FetchStatus::kPresent, "");
    }
    try {
      const bool is_pieced = fill(unfinished);
      std::string wrong = difference(unfinished.path(), wanted_);
      // Pieces may come from different files. Only a file that came in one piece is the server's
      // fault.
      if (!wrong.empty() && is_pieced) {
        say_line(
            fmt::format("{}: the partial download does not match; starting again", result_.name));
        unfinished.clear();
        fill(unfinished);
        wrong = difference(unfinished.path(), wanted_);
      }
      if (!wrong.empty()) {
        unfinished.clear();
        throw DownloadError(fmt::format("{}: {}; what came was deleted", result_.url, wrong));
      }
      unfinished.finish();
    } catch (...) {
      if (unfinished.size() == 0) {
        unfinished.remove();  // an empty file would look like a download to resume
      }
      throw;
    }
    return end(FetchStatus::kFetched, "");
  }

  /// Downloads the missing bytes. Returns true if the bytes came in several pieces.
  bool fill(UnfinishedFile& unfinished) {
    Progress progress(result_.name, wanted_.bytes, unfinished.size());
    const bool is_pieced =
        download({.url = result_.url,
                  .bytes = wanted_.bytes,
                  .timeout = request_.timeout,
                  .retries = request_.retries,
                  .on_bytes = [&progress](std::uint64_t bytes) { progress.update(bytes, 0); },
                  .on_message =
                      [&progress, &unfinished](const std::string& message) {
                        if (unfinished.size() > 0) {
                          progress.finish();  // a line of its own for the message
                        }
                        say_line(message);
                      }},
                 unfinished);
    progress.update(unfinished.size(), 0);
    progress.finish();
    return is_pieced;
  }

  const SourceFile& file_;
  const FetchRequest& request_;
  FileFingerprint wanted_;
  bool is_fetchable_ = false;
  std::string different_;
  FetchResult result_;
};

}  // namespace

const char* fetch_status_name(FetchStatus status) {
  switch (status) {
    case FetchStatus::kPresent:
      return "present";
    case FetchStatus::kFetched:
      return "fetched";
    case FetchStatus::kToFetch:
      return "to fetch";
    case FetchStatus::kMissing:
      return "missing";
    case FetchStatus::kNotFetchable:
      return "not fetchable";
    case FetchStatus::kDifferent:
      return "different";
    case FetchStatus::kFailed:
      return "failed";
  }
  throw InternalError("a fetch status without a name");
}

bool FetchResult::is_lacking() const {
  const bool is_in_place = status == FetchStatus::kPresent || status == FetchStatus::kFetched ||
                           status == FetchStatus::kToFetch;
  const bool may_be_absent =
      is_optional && (status == FetchStatus::kMissing || status == FetchStatus::kNotFetchable);
  return !is_in_place && !may_be_absent;
}

std::vector<FetchResult> fetch(const DataSource& source, const FetchRequest& request) {
  std::vector<FetchResult> results;
  for (const SourceFile& file : source.files) {
    results.push_back(FileFetch(source, file, request).run());
  }
  return results;
}

}  // namespace spca
