#pragma once

#include <string_view>
#include <vector>

namespace spca {

/// The text of datasets/<name>, "pitprops.json" or "sources.json", or of plotting/figures/<name>,
/// as it was when the program was built: what is built in works without the source folder. Throws
/// InternalError for another name.
std::string_view embedded_file(std::string_view name);
std::vector<std::string_view> embedded_names();

}  // namespace spca
