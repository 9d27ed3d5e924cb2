#pragma once

/// Checks the files of the data sets, and fetches or makes the missing ones.

#include <filesystem>
#include <string>
#include <vector>

#include "spca/data/data_sources.h"

namespace spca {

enum class FetchStatus {
  kPresent,       // exists, with the right bytes
  kFetched,       // was missing or different, and has been fetched
  kMade,          // was missing or different, and has been made from originals
  kBuiltIn,       // missing, and not needed: a copy is built into the program
  kToFetch,       // dry run: would be fetched or made
  kMissing,       // check only: missing
  kNotFetchable,  // missing; can neither be downloaded as it is nor made by a recipe
  kDifferent,     // a file of this name with different bytes exists, and is left unchanged
  kFailed,        // could not be fetched or made
};
const char* fetch_status_name(FetchStatus status);

struct FetchRequest {
  std::filesystem::path data_dir;
  /// The address of a folder with the layout of the data folder. If not empty, every file whose
  /// checksum is known is downloaded from it, including files that have no other address.
  std::string mirror;
  long timeout = 30;  // seconds, as in DownloadRequest
  int retries = 3;
  long recipe_limit = 600;  // at most this number of seconds for a recipe
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
  std::string sha256;  // the expected one
  FetchStatus status = FetchStatus::kFailed;
  std::string message;  // the reason, or the plan of a dry run; empty if in place or built in
  bool is_optional = false;
  bool is_fetchable = true;  // can be downloaded or made; otherwise the user has to get the file

  /// Returns true if the data set still needs this file: it is neither in place nor built in, a dry
  /// run would not fetch or make it, and it is not an optional file that is merely absent.
  bool is_lacking() const;
};

/// Fetches the files of `source` into the data folder. Without a mirror, a file that has a recipe
/// is made from its originals, which stay in the folder originals/ of the data folder. Returns one
/// result for each file; the failure of one file does not stop the others. Reports progress on
/// standard error.
std::vector<FetchResult> fetch(const DataSource& source, const FetchRequest& request);

}  // namespace spca
