#pragma once

/// The files of the data sets, checked and fetched.

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
  /// Not empty: the address of a folder laid out as the data folder is, where every file is taken
  /// from, also those that have no address of their own.
  std::string mirror;
  long timeout = 30;  // seconds, as DownloadRequest has it
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

  /// A file that the data set needs is not in place.
  bool is_lacking() const;
};

/// Brings the files of `source` into the data folder, or says of each why not; one that fails does
/// not stop the others. Says on stderr how far it is. Throws InputError where the program has no
/// libcurl and something would have to be fetched.
std::vector<FetchResult> fetch(const DataSource& source, const FetchRequest& request);

}  // namespace spca
