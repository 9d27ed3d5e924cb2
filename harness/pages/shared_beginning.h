#pragma once

/// The beginning that several texts share, such as authors and venue of many tables.

#include <string>
#include <vector>

namespace spca {

/// Returns the text divided at each ", ".
std::vector<std::string> comma_parts(const std::string& text);

/// Returns the longest beginning of whole comma_parts that more than half of the texts share. "" if
/// there is none.
std::string shared_beginning(const std::vector<std::string>& texts);

/// Returns the text without `beginning` and the comma after it, or unchanged if it does not begin
/// with both.
std::string without_beginning(const std::string& text, const std::string& beginning);

}  // namespace spca
