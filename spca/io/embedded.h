#pragma once

#include <string_view>
#include <vector>

namespace spca {

/// Returns the text of a file that is embedded in the program, so that the program works without
/// the source folder. `name` is the name of a JSON file in datasets/ ("pitprops.json") or
/// harness/cli/, of a Python file in plotting/figures/, or of a file in harness/cli/skeleton/; or
/// the path below datasets/ of a recipe ("recipes/pack.py") or a CSV file in built-in/. The text is
/// that of the build. Throws InternalError for any other name.
std::string_view embedded_file(std::string_view name);
/// Returns the names of all embedded files.
std::vector<std::string_view> embedded_names();

}  // namespace spca
