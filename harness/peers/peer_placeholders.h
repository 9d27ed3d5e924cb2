#pragma once

/// Placeholders in a peer's command: "{matrix}", "{options.tolerance}".

#include <map>
#include <string>
#include <vector>

namespace spca {

/// Name (without braces) -> what stands for it.
using Placeholders = std::map<std::string, std::string>;

/// The names in braces of `text`. A name has only lower-case letters, digits, "_", "-" and ".".
/// Any other braces are text.
std::vector<std::string> placeholders_in(const std::string& text);

/// `text` with every placeholder that `values` knows replaced by its value. A value is not searched
/// for placeholders in turn.
std::string replace_placeholders(const std::string& text, const Placeholders& values);

}  // namespace spca
