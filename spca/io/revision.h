#pragma once

#include <map>
#include <string>
#include <vector>

namespace spca {

/// SHA-256 of the sources in this build, part by part. A part is a plugin's file
/// ("solvers/tpower.cpp"), a room ("spca/algebra", "harness/peers"), or in rooms whose users need
/// only some of it one header with its source ("spca/data/dataset"); beside the room of readers
/// ("spca/data/readers") each of its files is one ("spca/data/readers/csv.cpp").
const std::map<std::string, std::string>& source_digests();

/// The parts below it whose code a part can run: what it includes, what that includes, and so on;
/// not itself. Ascending. Nothing for a part that is not known.
const std::vector<std::string>& source_reach(const std::string& part);

/// A line for each part: its name, its SHA-256, and the parts that it reaches. Written by
/// cmake/revision.cmake.
const char* source_table();

/// For a plugin that is read from a file at run time.
void add_source_digest(const std::string& file, const std::string& digest);
/// Null where the above was not called for this file.
const std::string* added_source_digest(const std::string& file);

}  // namespace spca
