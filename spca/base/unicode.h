#pragma once

#include <cstddef>
#include <string_view>
#include <utility>

namespace spca {

/// The code point at the front of `text` and its length in bytes. `text` is UTF-8 and not empty.
/// If it does not begin with a valid sequence, returns U+FFFD and length 1.
std::pair<char32_t, std::size_t> first_letter(std::string_view text);

/// How many code points `text` has: what a terminal needs to show it. A byte that is no UTF-8
/// counts as one.
std::size_t count_letters(std::string_view text);

}  // namespace spca
