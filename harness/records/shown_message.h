#pragma once

#include <string>
#include <string_view>

namespace spca {

/// Returns the message of a record or a solution for a line of text: of a message of more than 500
/// letters the first ones and "...". Records and JSON have it whole (kLongestMessage).
std::string shown_message(std::string_view message);

}  // namespace spca
