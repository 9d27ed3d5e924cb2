#pragma once

/// Finds what comes with the program beside its code: experiments/, peers/, plotting/.

#include <filesystem>
#include <string>
#include <vector>

namespace spca {

enum class FromHere { kYes, kNo };

/// The folders in which to look for what is in `name` ("peers"), the first to be preferred:
/// the one that the environment variable names (SPCA_EXPERIMENTS, SPCA_PEERS, SPCA_PLOTTING);
/// the one in the current folder, if `from_here`;
/// that of the installation which the program belongs to or was linked against;
/// that of the sources.
/// They need not exist. Throws InputError if the variable names a folder that does not.
std::vector<std::filesystem::path> resource_folders(const std::string& name, FromHere from_here);

/// Adds the folder share/spca of an installation. Called by installed_folder.cpp of the CMake
/// package, which is compiled into every program that links spca::program.
bool add_installed_folder(const std::string& folder);

}  // namespace spca
