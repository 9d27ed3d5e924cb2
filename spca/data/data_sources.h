#pragma once

/// datasets/sources.json: where the files of the data sets come from.

#include <cstdint>
#include <string>
#include <vector>

#include "spca/io/json_file.h"

namespace spca {

/// What tells that a file is the right one.
struct FileFingerprint {
  std::string name;  // path below the data folder, "kos/docword.kos.txt.gz"
  std::uint64_t bytes = 0;
  std::string sha256;  // 64 hexadecimal digits; empty where unverified
};

struct SourceFile {
  FileFingerprint file;
  std::string url;
  /// How the file was made from what the address gives; empty where it is that, byte for byte.
  std::string derived;
  /// What the address gives, under a name that the data set reads as well; empty name: the file
  /// itself, or nothing that the data set could read.
  FileFingerprint as_published;
  /// The data set works without it.
  bool is_optional = false;
  /// Why `file` has neither bytes nor checksum: then any file of that name is taken for the right
  /// one, and none is downloaded. Empty where it has them.
  std::string unverified;

  /// What a download from `url` gives, or null where that cannot be used as it is.
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

/// In the order of the document. Throws InputError "file:line:column: pointer: ..." for a key that
/// is not known, a name that leaves the data folder, an address that is not http, https or file, a
/// checksum that is none.
std::vector<DataSource> read_data_sources(const JsonText& text);

/// Those of datasets/sources.json as it was when the program was built.
const std::vector<DataSource>& built_in_data_sources();

/// The built-in source one of whose addresses gives the file `name`, or the same with .gz added or
/// taken away, ready to be used: `spca fetch` gets it. Null if there is none.
const DataSource* source_with_download(const std::string& name);

}  // namespace spca
