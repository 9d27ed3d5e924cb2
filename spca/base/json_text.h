#pragma once

/// Converts JSON values to text and back. nlohmann's parser and printer are templates that take the
/// compiler seconds in each file that calls them. The functions below are compiled once.

#include <string>
#include <string_view>

#include "spca/base/types.h"

namespace spca {

/// Returns the value of the text; discarded (Json::is_discarded) if the text is not JSON.
Json parse_json(std::string_view text);
/// Returns the value on one line. Bytes that are not UTF-8 become U+FFFD.
std::string json_line(const Json& json);
/// Returns the value with each member on a line of its own, indented by `indent` spaces a level,
/// and a line feed at the end. Bytes that are not UTF-8 become U+FFFD.
std::string json_lines(const Json& json, int indent);
/// Returns the value with each member of its first `depth` levels on a line of its own, not
/// indented, and deeper members on the line of the value that holds them. A line feed ends the
/// text. Bytes that are not UTF-8 become U+FFFD.
std::string json_lines_to_depth(const Json& json, int depth);

}  // namespace spca
