#pragma once

#include <string_view>
#include <vector>

namespace spca {

/// The text of datasets/<name> ("pitprops.json", "sources.json"), plotting/figures/<name> or
/// harness/cli/skeleton/<name>, as it was when the program was built: what is built in works
/// without the source folder. Throws InternalError for another name.
std::string_view embedded_file(std::string_view name);
std::vector<std::string_view> embedded_names();

}  // namespace spca
