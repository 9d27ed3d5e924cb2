#pragma once

/// The sources of the files of the data sets, as datasets/sources.json lists them.

#include <cstdint>
#include <string>
#include <vector>

#include "spca/io/json_file.h"

namespace spca {

/// The length and checksum that identify a file.
struct FileFingerprint {
  std::string name;  // path below the data folder, "kos/docword.kos.txt.gz"
  std::uint64_t bytes = 0;
  std::string sha256;  // 64 hexadecimal digits; empty if unverified
};

/// A file as it is published, from which recipes make files of data sets.
struct Original {
  std::string url;
  /// Its path below the data folder, "originals/Colon.rda". Without length and checksum if no copy
  /// was available: then the checksum of the files made from it is the only check.
  FileFingerprint file;
};

struct SourceFile {
  FileFingerprint file;
  /// The address of the file, or of the original from which it was made.
  std::string url;
  /// A description of how the file was made from the downloaded one. Empty if they are identical.
  std::string derived;
  /// The program of datasets/recipes that makes the file from `originals`, and its options. Empty
  /// if the file is downloaded, or if nothing makes it.
  std::vector<std::string> recipe;
  std::vector<Original> originals;
  /// The downloaded file, under a name that the data set also reads. The name is empty if the
  /// download is the file itself, or cannot be read by the data set.
  FileFingerprint as_published;
  /// True if the data set works without the file.
  bool is_optional = false;
  /// The reason why `file` has neither length nor checksum; empty if it has them. Without them any
  /// file of that name is accepted, and none is downloaded.
  std::string unverified;
  /// The file that `spca fetch` puts in place: the one that it makes, or a download from `url`.
  /// Null if there is no recipe and the download has no checksum or cannot be used directly.
  const FileFingerprint* fetchable() const {
    if (!recipe.empty()) {
      return &file;
    }
    if (!as_published.name.empty()) {
      return &as_published;
    }
    return derived.empty() && unverified.empty() ? &file : nullptr;
  }
};

struct DataSource {
  std::string name;
  std::vector<Index> shape;  // samples and variables, or variables twice
  std::string citation;
  std::string licence;
  std::vector<SourceFile> files;
};

/// Reads the sources in the order of the document. Throws InputError "file:line:column: pointer:
/// ..." for an unknown key, a name that leads out of the data folder, an address that is not http,
/// https or file, or an invalid checksum.
std::vector<DataSource> read_data_sources(const JsonText& text);

/// The sources of datasets/sources.json at the time of the build.
const std::vector<DataSource>& built_in_data_sources();

/// Returns the built-in source from which `spca fetch` gets the file `name`, or `name` with .gz
/// added or removed. Null if there is none.
const DataSource* source_that_fetches(const std::string& name);

}  // namespace spca
