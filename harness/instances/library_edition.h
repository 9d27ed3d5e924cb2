#pragma once

#include <string>

#include "harness/instances/instance_library.h"

namespace spca {

/// Names the contents of a library, for captions of tables.
struct LibraryEdition {
  std::string year;    // the latest edition of the files; "" without files
  std::string digest;  // the first digits of a SHA-256 over those of all files

  /// Returns "edition 2026 (sha256 0123456789ab)", or "no library" without files.
  std::string text() const;
};
LibraryEdition edition_of(const InstanceLibrary& library);

}  // namespace spca
