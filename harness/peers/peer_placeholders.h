#pragma once

/// Replaces placeholders in a peer's command: "{matrix}", "{options.tolerance}".

#include <map>
#include <string>
#include <vector>

namespace spca {

/// Maps names (without braces) to their replacements.
using Placeholders = std::map<std::string, std::string>;

/// Returns the names in braces in `text`. A name has only lower-case letters, digits, "_", "-" and
/// ".". Other braces are plain text.
std::vector<std::string> placeholders_in(const std::string& text);

/// Replaces each placeholder in `text` that has a value. Placeholders within a value are not
/// replaced.
std::string replace_placeholders(const std::string& text, const Placeholders& values);

}  // namespace spca
