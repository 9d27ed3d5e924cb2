#include "spca/io/temporary_folder.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <system_error>

#include "spca/base/error.h"

namespace spca {

std::filesystem::path make_temporary_folder() {
  std::error_code error;
  std::filesystem::path parent = std::filesystem::temp_directory_path(error);
  if (error) {
    const char* const named = std::getenv("TMPDIR");
    parent = named == nullptr ? "/tmp" : named;
  }
  std::string path = (parent / "spca-XXXXXX").string();
  if (error || mkdtemp(path.data()) == nullptr) {
    throw InputError(fmt::format("{}: a temporary folder cannot be made: {}; TMPDIR names another",
                                 parent.string(), error ? error.message() : std::strerror(errno)));
  }
  return path;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code error;
  std::filesystem::remove_all(path_, error);
}

}  // namespace spca
