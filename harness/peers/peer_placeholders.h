#pragma once

/// Words in braces in a peer's command.

#include <map>
#include <string>
#include <vector>

namespace spca {

using Placeholders = std::map<std::string, std::string>;

/// The words in braces of `text`: lower-case letters, digits, "_", "-" and "." alone. Other braces
/// are text.
std::vector<std::string> placeholders_in(const std::string& text);

/// `text` with every word in braces replaced that is a key of `values`, once: what is put in is not
/// looked at again.
std::string replace_placeholders(const std::string& text, const Placeholders& values);

}  // namespace spca
