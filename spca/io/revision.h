#pragma once

#include <map>
#include <string>

namespace spca {

/// SHA-256 of the sources in this build: "core" for the harness, and one entry a plugin under its
/// path from the project's root ("solvers/tpower.cpp"). Written by cmake/revision.cmake.
const std::map<std::string, std::string>& source_digests();

/// For a plugin that is read from a file at run time.
void add_source_digest(const std::string& file, const std::string& digest);
/// Null where the above was not called for this file.
const std::string* added_source_digest(const std::string& file);

}  // namespace spca
