#pragma once

/// Runs a program of datasets/recipes, which makes a file of a data set from originals.

#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "spca/data/data_sources.h"

namespace spca {

/// A recipe that failed or made the wrong bytes. The message is one line.
class RecipeError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Runs the recipe of `file` on its originals, which are below `data_dir`, and returns the content
/// that it makes, unchecked.
///
/// The recipes are part of this program; the variable SPCA_RECIPES names a folder to be used
/// instead. The interpreter is that of python_interpreter(). A recipe runs in a temporary folder,
/// with 4 GB of memory, for at most `seconds`, without a network if the system allows that. A file
/// that it writes can have little more than twice the expected length. The recipe is killed with
/// this process. Throws RecipeError if the recipe fails, and InputError if no folder or process can
/// be made.
std::string run_recipe(const SourceFile& file, const std::filesystem::path& data_dir, long seconds);

}  // namespace spca
