#include "harness/pages/site_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "spca/base/error.h"
#include "spca/io/file_descriptor.h"
#include "spca/io/json_file.h"

namespace spca {
namespace {

namespace fs = std::filesystem;

constexpr const char* kMaker = "spca site";

/// Returns whether a path stays inside the folder. The list of files may have been edited by hand.
bool is_inside(const std::string& path) {
  const fs::path normal = fs::path(path).lexically_normal();
  return !path.empty() && normal.is_relative() && normal.generic_string() == path &&
         *normal.begin() != ".." && *normal.begin() != ".";
}

/// Returns the files of the site in the folder, or none if there is no site.
std::set<std::string> files_of_site(const fs::path& folder) {
  const Json list = try_json_file(folder / kSiteList);
  std::set<std::string> files;
  if (!list.is_object() || list.value("made_by", Json()) != kMaker || !list.contains("files") ||
      !list["files"].is_array()) {
    return files;
  }
  for (const Json& file : list["files"]) {
    if (file.is_string() && is_inside(file.get<std::string>())) {
      files.insert(file.get<std::string>());
    }
  }
  files.insert(kSiteList);
  return files;
}

void write_list(const fs::path& folder, const std::set<std::string>& files, bool is_whole) {
  const Json list = {{"made_by", kMaker}, {"is_whole", is_whole}, {"files", files}};
  write_file_atomically(folder / kSiteList, list.dump(1) + "\n");
}

void remove_file(const fs::path& path) {
  std::error_code error;
  fs::remove(path, error);
  if (error) {
    throw InputError(fmt::format("{}: cannot be removed: {}", path.string(), error.message()));
  }
}

/// Removes the parent folders of `path` below `folder` that are now empty.
void remove_empty_folders(const fs::path& folder, const std::string& path) {
  std::error_code error;
  for (fs::path above = fs::path(path).parent_path(); !above.empty(); above = above.parent_path()) {
    if (!fs::is_empty(folder / above, error) || error || !fs::remove(folder / above, error)) {
      return;
    }
  }
}

}  // namespace

void require_site_folder(const fs::path& folder) {
  std::error_code error;
  if (!fs::exists(folder, error)) {
    return;
  }
  if (!fs::is_directory(folder)) {
    throw InputError(fmt::format("-o: found the file \"{}\"; accepted: a folder", folder.string()));
  }
  if (!files_of_site(folder).empty()) {
    return;
  }
  const fs::directory_iterator first(folder, error);
  if (error) {
    throw InputError(fmt::format("-o: {}: cannot be read: {}", folder.string(), error.message()));
  }
  if (first != fs::directory_iterator()) {
    throw InputError(fmt::format(
        "-o: found the folder \"{}\", which holds \"{}\" and no site; accepted: a new folder, an "
        "empty one, or one that `spca site` wrote",
        folder.string(), first->path().filename().string()));
  }
}

void write_site(const fs::path& folder, const std::vector<SiteFile>& files) {
  require_site_folder(folder);
  const std::set<std::string> before = files_of_site(folder);
  std::set<std::string> now = {kSiteList};
  for (const SiteFile& file : files) {
    SPCA_CHECK(is_inside(file.path), "a page outside the site: " + file.path);
    now.insert(file.path);
    std::error_code error;
    if (!before.contains(file.path) && fs::exists(folder / file.path, error)) {
      throw InputError(
          fmt::format("-o: {}: is in the way and not of the site; accepted: a folder "
                      "without it",
                      (folder / file.path).string()));
    }
  }
  make_directory(folder);
  // From here to the end the folder has no index, and the list names every file of the old and the
  // new site that may be in it.
  remove_file(folder / kSiteIndex);
  std::set<std::string> both = before;
  both.insert(now.begin(), now.end());
  write_list(folder, both, false);
  for (const SiteFile& file : files) {
    if (file.path != kSiteIndex) {
      make_directory((folder / file.path).parent_path());
      write_file_atomically(folder / file.path, file.text);
    }
  }
  for (const std::string& file : before) {
    if (!now.contains(file)) {
      remove_file(folder / file);
      remove_empty_folders(folder, file);
    }
  }
  write_list(folder, now, true);
  for (const SiteFile& file : files) {
    if (file.path == kSiteIndex) {
      write_file_atomically(folder / file.path, file.text);
    }
  }
}

}  // namespace spca
