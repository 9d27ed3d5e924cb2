#pragma once

/// Checks the files of the data sets and fetches those that are not there.

#include <filesystem>
#include <string>
#include <vector>

#include "spca/data/data_sources.h"

namespace spca {

enum class FetchStatus {
  kPresent,       // there, with the right bytes
  kFetched,       // was not there, is there now
  kToFetch,       // dry run: would be fetched
  kMissing,       // check: not there
  kNotFetchable,  // not there, and no address gives it as it is
  kDifferent,     // a file of this name with other bytes is there, and is left alone
  kFailed,        // could not be fetched
};
const char* fetch_status_name(FetchStatus status);

struct FetchRequest {
  std::filesystem::path data_dir;
  /// The address of a folder that is laid out as the data folder is. If not empty, every file is
  /// taken from there, also those that have no address of their own.
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
  std::string message;  // why, for all but kPresent and kFetched
  bool is_optional = false;

  /// Whether the data set needs this file and it is not in place.
  bool is_lacking() const;
};

/// Brings the files of `source` into the data folder. Returns one result for each file; a file that
/// fails does not stop the others. Reports progress on standard error. Throws InputError if
/// something has to be fetched and the program was built without libcurl.
std::vector<FetchResult> fetch(const DataSource& source, const FetchRequest& request);

}  // namespace spca
