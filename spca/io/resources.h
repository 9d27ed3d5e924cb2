#pragma once

/// Finds the folders that come with the program: experiments/, peers/, plotting/,
/// results/instances/.

#include <filesystem>
#include <string>
#include <vector>

namespace spca {

enum class FromHere { kYes, kNo };

/// Returns the folders in which to look for the files of `name` ("peers"), in order of preference:
/// the folder that the environment variable names (SPCA_EXPERIMENTS, SPCA_PEERS, SPCA_PLOTTING, or
/// SPCA_INSTANCES for "results/instances"); the folder in the current folder, if `from_here`; the
/// folder of the installation to which the program belongs, and of those that it was linked
/// against; the folder of the sources. Only the folder that the variable names must exist:
/// otherwise throws InputError.
std::vector<std::filesystem::path> resource_folders(const std::string& name, FromHere from_here);

/// Adds the folder share/spca of an installation; returns true. Called by the Python and R packages
/// and by installed_folder.cpp of the CMake package, which is compiled into every program that
/// links spca::program.
bool add_installed_folder(const std::string& folder);

}  // namespace spca
