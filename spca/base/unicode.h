#pragma once

#include <cstddef>
#include <string_view>
#include <utility>

namespace spca {

/// Returns the code point at the front of `text` (UTF-8, not empty) and its length in bytes.
/// Returns U+FFFD with length 1 if these bytes are cut, malformed or overlong. Surrogates and
/// numbers above U+10FFFF are not rejected.
std::pair<char32_t, std::size_t> first_letter(std::string_view text);

/// Returns the number of code points of `text`. A byte that belongs to no code point counts as one.
std::size_t count_letters(std::string_view text);

}  // namespace spca
