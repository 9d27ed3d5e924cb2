#pragma once

/// The folder of a site: what may be written there, and in what order, so that a site that was not
/// finished is never taken for a whole one.

#include <filesystem>
#include <string>
#include <vector>

namespace spca {

/// A page, style or script of a site.
struct SiteFile {
  std::string path;  // relative to the folder, with "/": "solvers/tpower.html"
  std::string text;
};

/// The page on which a site opens. It is written last.
inline constexpr const char* kSiteIndex = "index.html";
/// Lists the files of a site: no other file is ever replaced or removed.
inline constexpr const char* kSiteList = "site.json";

/// Throws InputError that opens with "-o" unless the folder may receive a site: it is not there, it
/// is empty, or it holds a site, whole or not.
void require_site_folder(const std::filesystem::path& folder);

/// Writes the files, and removes those of the site before that are not among them. Files that are of
/// no site stay: InputError if one of them is in the way, and nothing is written then. The index is
/// removed first and written last. Throws InputError as write_file_atomically does, for example
/// because the disk is full.
void write_site(const std::filesystem::path& folder, const std::vector<SiteFile>& files);

}  // namespace spca
