#include "harness/instances/library_edition.h"

#include <fmt/format.h>

#include <algorithm>

#include "spca/base/sha256.h"

namespace spca {

LibraryEdition edition_of(const InstanceLibrary& library) {
  constexpr int kDigestDigits = 12;
  LibraryEdition edition;
  std::string digests;
  for (const auto& [name, of] : InstanceClasses::instance().entries()) {
    if (const LibraryFile* const file = library.file(of)) {
      edition.year = std::max(edition.year, file->edition);
      digests += fmt::format("{} {}\n", name, sha256_of_file(library.file_of(of)));
    }
  }
  edition.digest = fmt::format("{:.{}}", sha256(digests), kDigestDigits);
  return edition;
}

std::string LibraryEdition::text() const {
  return year.empty() ? "no library" : fmt::format("edition {} (sha256 {})", year, digest);
}

}  // namespace spca
