#pragma once

/// Writes the folder of a site. The order of writing ensures that an unfinished site is never
/// mistaken for a complete one.

#include <filesystem>
#include <string>
#include <vector>

namespace spca {

/// A page, style or script of a site.
struct SiteFile {
  std::string path;  // relative to the folder, with "/": "solvers/tpower.html"
  std::string text;
};

/// The first page of a site, which is written last.
inline constexpr const char* kSiteIndex = "index.html";
/// The list of the site's files: no other file is ever replaced or removed.
inline constexpr const char* kSiteList = "site.json";

/// Throws InputError whose message begins with "-o" unless the folder may receive a site: it is
/// missing or empty, or it holds a site, complete or not.
void require_site_folder(const std::filesystem::path& folder);

/// Writes the files, and removes the files of the previous site that are not among them. Files that
/// belong to no site stay; if one of them is in the way, throws InputError and writes nothing. The
/// index is removed first and written last. Throws InputError as write_file_atomically does, for
/// example because the disk is full.
void write_site(const std::filesystem::path& folder, const std::vector<SiteFile>& files);

}  // namespace spca
