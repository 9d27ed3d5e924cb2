#include "spca/data/built_in_files.h"

#include <algorithm>

#include "spca/io/embedded.h"

namespace spca {
namespace {

constexpr std::string_view kBuiltInFolder = "<built in>/";  // no folder of a user is called that
constexpr std::string_view kEmbeddedFolder = "built-in/";

bool is_embedded(const std::string& name) {
  const std::vector<std::string_view> names = embedded_names();
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

std::optional<std::filesystem::path> built_in_path(const std::string& file) {
  if (!is_embedded(std::string(kEmbeddedFolder) + file)) {
    return std::nullopt;
  }
  return std::string(kBuiltInFolder) + file;
}

std::optional<std::string_view> built_in_content(const std::filesystem::path& path) {
  const std::string text = path.string();
  if (!text.starts_with(kBuiltInFolder)) {
    return std::nullopt;
  }
  const std::string name = std::string(kEmbeddedFolder) + text.substr(kBuiltInFolder.size());
  return is_embedded(name) ? std::optional(embedded_file(name)) : std::nullopt;
}

}  // namespace spca
