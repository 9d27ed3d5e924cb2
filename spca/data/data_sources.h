#pragma once

/// Where the files of the data sets come from: datasets/sources.json.

#include <cstdint>
#include <string>
#include <vector>

#include "spca/io/json_file.h"

namespace spca {

/// Tells whether a file is the right one.
struct FileFingerprint {
  std::string name;  // path below the data folder, "kos/docword.kos.txt.gz"
  std::uint64_t bytes = 0;
  std::string sha256;  // 64 hexadecimal digits; empty if unverified
};

struct SourceFile {
  FileFingerprint file;
  std::string url;
  /// How the file was made from what the address gives. Empty if it is that, byte for byte.
  std::string derived;
  /// What the address gives, under a name that the data set reads as well. The name is empty if
  /// the address gives the file itself, or nothing that the data set could read.
  FileFingerprint as_published;
  /// The data set works without it.
  bool is_optional = false;
  /// Why `file` has neither length nor checksum; empty if it has them. Without them any file of
  /// that name is taken for the right one, and none is downloaded.
  std::string unverified;

  /// What a download from `url` gives. Null if that cannot be used as it is.
  const FileFingerprint* downloadable() const {
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
/// https or file, and for what is no checksum.
std::vector<DataSource> read_data_sources(const JsonText& text);

/// The sources of datasets/sources.json as it was when the program was built.
const std::vector<DataSource>& built_in_data_sources();

/// The built-in source from which `spca fetch` gets the file `name`, or the same with .gz added or
/// taken away. Null if there is none.
const DataSource* source_with_download(const std::string& name);

}  // namespace spca
