#pragma once

#include <string_view>
#include <vector>

namespace spca {

/// The text of a file that the program carries in itself, so that it works without the source
/// folder. `name` is that of a file in datasets/ ("pitprops.json"), plotting/figures/,
/// harness/cli/skeleton/ or, of those in JSON, harness/cli/. The text is as it was when the program was built. Throws InternalError
/// for any other name.
std::string_view embedded_file(std::string_view name);
/// The names of all such files.
std::vector<std::string_view> embedded_names();

}  // namespace spca
