#include "spca/data/data_folder.h"

#include <fmt/format.h>

#include <cstdlib>
#include <optional>

#include "spca/base/error.h"
#include "spca/data/built_in_files.h"
#include "spca/data/data_sources.h"

namespace spca {
namespace {

std::filesystem::path with_or_without_gz(const std::filesystem::path& path) {
  if (path.extension() == ".gz") {
    return path.parent_path() / path.stem();
  }
  return path.string() + ".gz";
}

/// Returns FILE.spca for FILE or FILE.gz.
std::filesystem::path converted(const std::filesystem::path& path) {
  return (path.extension() == ".gz" ? with_or_without_gz(path) : path).string() + ".spca";
}

/// Returns the variable; null if it is unset or empty, because users of a shell do not distinguish
/// the two.
const char* environment(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0' ? value : nullptr;
}

}  // namespace

std::filesystem::path find_data_file(const std::filesystem::path& data_dir,
                                     const std::string& file) {
  const std::filesystem::path path = data_dir / file;
  for (const std::filesystem::path& candidate : {path, with_or_without_gz(path), converted(path)}) {
    std::error_code error;
    if (std::filesystem::is_regular_file(candidate, error)) {
      return candidate;
    }
  }
  if (const std::optional<std::filesystem::path> built_in = built_in_path(file)) {
    return *built_in;
  }
  std::error_code error;
  const bool has_folder = std::filesystem::is_directory(data_dir, error);
  const DataSource* source = source_that_fetches(file);
  throw MissingData(
      fmt::format("{} (or {}) is not in the data folder {}{}; {}name the folder by --data-dir or "
                  "SPCA_DATA_DIR; datasets/sources.json says where the file comes from",
                  file, with_or_without_gz(file).string(), data_dir.string(),
                  has_folder ? "" : ", which does not exist",
                  source != nullptr ? fmt::format("`spca fetch {}` gets it; ", source->name) : ""));
}

std::filesystem::path data_directory(const std::string& command_line_value) {
  if (!command_line_value.empty()) {
    return command_line_value;
  }
  if (const char* folder = environment("SPCA_DATA_DIR")) {
    return folder;
  }
  if (const char* cache = environment("XDG_CACHE_HOME")) {
    return std::filesystem::path(cache) / "spca";
  }
  const char* home = environment("HOME");
  return std::filesystem::path(home != nullptr ? home : ".") / ".cache" / "spca";
}

}  // namespace spca
