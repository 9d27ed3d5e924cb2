#pragma once

#include <map>
#include <string>
#include <vector>

namespace spca {

/// SHA-256 of the sources in this build, part by part. A part is a plugin's file
/// ("solvers/tpower.cpp"), a row of the data sets ("datasets/from-files.json/kos"), a module
/// ("spca/covariance", "harness/peers"), or, in modules whose users need only some of it, one
/// header with its source ("spca/data/dataset"). Besides the module of readers
/// ("spca/data/readers"), each of its files is a part ("spca/data/readers/csv.cpp").
const std::map<std::string, std::string>& source_digests();

/// The parts whose code a part can run: those that it includes, directly or indirectly; not itself.
/// Ascending. Empty for an unknown part, and for a file of the readers, whose module has the reach.
const std::vector<std::string>& source_reach(const std::string& part);

/// A line for each part: its name, its SHA-256, and the parts that it reaches. Written by
/// cmake/revision.cmake.
const char* source_table();

/// Adds the digest of a plugin that is read from a file at run time.
void add_source_digest(const std::string& file, const std::string& digest);
/// The digest that add_source_digest() stored for this file; null if there is none.
const std::string* added_source_digest(const std::string& file);

}  // namespace spca
