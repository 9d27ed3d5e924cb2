#pragma once

/// Puts a file in place only if it has the expected bytes.

#include <filesystem>
#include <functional>
#include <string>

#include "spca/data/data_sources.h"
#include "spca/data/fetch/unfinished_file.h"

namespace spca {

/// Returns the difference between the file and the expected bytes. Empty if there is none, or if
/// the expected bytes are not known. Throws InputError if the file cannot be read.
std::string difference(const std::filesystem::path& path, const FileFingerprint& expected);

/// Opens the unfinished file of `target`. If another process has it, prints a line that says so
/// about `name`, and waits.
UnfinishedFile open_unfinished(const std::filesystem::path& target, const std::string& name);

/// Runs `fill`, then gives the file its name. Removes the file if `fill` throws and leaves it
/// empty: an empty file would look like a download to continue.
void finish_after(UnfinishedFile& unfinished, const std::function<void()>& fill);

struct VerifiedDownload {
  std::string url;
  FileFingerprint wanted;  // name: in messages and progress
  long timeout = 30;       // seconds, as in DownloadRequest
  int retries = 3;
};

/// Downloads the bytes that `unfinished` lacks, and compares the file with its fingerprint. Throws
/// DownloadError if they differ, after the bytes were deleted, or if they do not arrive; InputError
/// if they cannot be written, or if the program was built without libcurl.
void download_verified(const VerifiedDownload& download, UnfinishedFile& unfinished);

}  // namespace spca
