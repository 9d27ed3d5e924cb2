#pragma once

/// Finds the folders that come with the program: experiments/, peers/, plotting/,
/// results/instances/.

#include <filesystem>
#include <string>
#include <vector>

namespace spca {

enum class FromHere { kYes, kNo };

/// Returns the folders in which to look for the files of `name` ("peers"), in order of preference:
/// the folder that the environment variable names (SPCA_EXPERIMENTS, SPCA_PEERS, SPCA_PLOTTING; of
/// "results/instances" SPCA_INSTANCES);
/// the folder in the current folder, if `from_here`; the folder of the installation which the
/// program belongs to or was linked against; the folder of the sources. The folders need not exist.
/// Throws InputError if the variable names a folder that does not exist.
std::vector<std::filesystem::path> resource_folders(const std::string& name, FromHere from_here);

/// Adds the folder share/spca of an installation. Called by installed_folder.cpp of the CMake
/// package, which is compiled into every program that links spca::program.
bool add_installed_folder(const std::string& folder);

}  // namespace spca
