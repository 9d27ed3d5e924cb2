#pragma once

/// Checks the files of the data sets and fetches the missing ones.

#include <filesystem>
#include <string>
#include <vector>

#include "spca/data/data_sources.h"

namespace spca {

enum class FetchStatus {
  kPresent,       // exists, with the right bytes
  kFetched,       // was missing and has been fetched
  kToFetch,       // dry run: would be fetched
  kMissing,       // check: missing
  kNotFetchable,  // missing, and cannot be downloaded as it is
  kDifferent,     // a file of this name with other bytes exists, and is left unchanged
  kFailed,        // could not be fetched
};
const char* fetch_status_name(FetchStatus status);

struct FetchRequest {
  std::filesystem::path data_dir;
  /// The address of a folder with the layout of the data folder. If not empty, every file is taken
  /// from there, also files that have no address of their own.
  std::string mirror;
  long timeout = 30;  // seconds, as in DownloadRequest
  int retries = 3;
  bool check_only = false;
  bool dry_run = false;
  bool replace_different = false;
};

struct FetchResult {
  std::string dataset;
  std::string name;  // below the data folder
  std::filesystem::path path;
  std::string url;
  std::uint64_t bytes = 0;
  std::string sha256;  // as it should be
  FetchStatus status = FetchStatus::kFailed;
  std::string message;  // the reason, for all but kPresent and kFetched
  bool is_optional = false;

  /// Returns true if the data set needs this file and the file is not in place.
  bool is_lacking() const;
};

/// Fetches the files of `source` into the data folder. Returns one result for each file; the
/// failure of one file does not stop the others. Reports progress on standard error. Throws
/// InputError if a file has to be fetched and the program was built without libcurl.
std::vector<FetchResult> fetch(const DataSource& source, const FetchRequest& request);

}  // namespace spca
