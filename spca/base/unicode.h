#pragma once

#include <cstddef>
#include <string_view>
#include <utility>

namespace spca {

/// The code point at the front of `text` (UTF-8, not empty), and its length there; U+FFFD of length
/// 1 where these bytes are none.
std::pair<char32_t, std::size_t> first_letter(std::string_view text);

}  // namespace spca
