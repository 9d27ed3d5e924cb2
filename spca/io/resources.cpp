#include "spca/io/resources.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>

#include "spca/base/error.h"

namespace spca {
namespace {

namespace fs = std::filesystem;

/// A function-local static, because add_installed_folder() is called while globals are initialised,
/// in an unspecified order.
std::vector<fs::path>& installed_folders() {
  static std::vector<fs::path> folders;
  return folders;
}

/// Returns the name of the environment variable for a folder: SPCA_ and the folder's own name.
std::string variable_of(const std::string& folder) {
  std::string name = fs::path(folder).filename().string();
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::toupper(letter)); });
  return "SPCA_" + name;
}

}  // namespace

std::vector<fs::path> resource_folders(const std::string& name, FromHere from_here) {
  std::vector<fs::path> folders;
  const std::string variable = variable_of(name);
  if (const char* folder = std::getenv(variable.c_str()); folder != nullptr && *folder != '\0') {
    if (!fs::is_directory(folder)) {
      throw InputError(fmt::format("{}: found no folder {}; accepted: a folder", variable, folder));
    }
    folders.emplace_back(folder);
  }
  if (from_here == FromHere::kYes) {
    folders.emplace_back(name);
  }
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (!error) {
    folders.push_back(program.parent_path().parent_path() / SPCA_SHARE_FOLDER / name);
  }
  for (const fs::path& folder : installed_folders()) {
    folders.push_back(folder / name);
  }
  folders.push_back(fs::path(SPCA_SOURCE_DIR) / name);
  return folders;
}

bool add_installed_folder(const std::string& folder) {
  installed_folders().emplace_back(folder);
  return true;
}

}  // namespace spca
