#pragma once

#include <string_view>
#include <vector>

namespace spca {

/// Returns the text of a file that is embedded in the program, so that the program works without
/// the source folder. `name` is the name of a file in datasets/ ("pitprops.json"),
/// plotting/figures/ or harness/cli/skeleton/, or of a JSON file in harness/cli/; or the path of a
/// file below datasets/ ("recipes/pack.py"). The text is that of the build. Throws InternalError
/// for any other name.
std::string_view embedded_file(std::string_view name);
/// The names of all embedded files.
std::vector<std::string_view> embedded_names();

}  // namespace spca
