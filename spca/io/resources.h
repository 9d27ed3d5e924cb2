#pragma once

/// What comes with the program beside its code: experiments/, peers/, plotting/.

#include <filesystem>
#include <string>
#include <vector>

namespace spca {

enum class FromHere { kYes, kNo };

/// Folders that may be the one called `name`, best first: what the environment variable names
/// (SPCA_EXPERIMENTS, SPCA_PEERS, SPCA_PLOTTING), the one in the current folder where `from_here`,
/// that of the installation which the program is a part of or was linked against, that of the
/// sources. They need not exist, but for the one that the variable names: InputError.
std::vector<std::filesystem::path> resource_folders(const std::string& name, FromHere from_here);

/// Adds the share/spca of an installation. For installed_folder.cpp of the CMake package, which is
/// compiled into every program that links spca::program.
bool add_installed_folder(const std::string& folder);

}  // namespace spca
