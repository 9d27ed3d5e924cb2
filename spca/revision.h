#pragma once

#include <map>
#include <string>

namespace spca {

/// SHA-256 of the sources in this build: "core" for the harness, and one entry a plugin under its
/// path from the project's root ("solvers/tpower.cpp"). Written by cmake/revision.cmake.
const std::map<std::string, std::string>& source_digests();

}  // namespace spca
