#include "spca/base/unicode.h"

#include <array>
#include <bit>

namespace spca {

std::pair<char32_t, std::size_t> first_letter(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  // The leading ones of the first byte count the bytes of the code point; none means ASCII.
  const int ones = std::countl_one(byte(0));
  if (ones == 0) {
    return {byte(0), 1};
  }
  const auto length = static_cast<std::size_t>(ones);
  if (length == 1 || length > 4 || length > text.size()) {
    return {U'\uFFFD', 1};
  }
  char32_t code = byte(0) & (0x7Fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if (std::countl_one(byte(i)) != 1) {
      return {U'\uFFFD', 1};
    }
    code = code << 6 | (byte(i) & 0x3Fu);
  }
  // A code point that fits into fewer bytes is an overlong form, which UTF-8 forbids.
  constexpr std::array<char32_t, 5> kLeast = {0, 0, 0x80, 0x800, 0x10000};
  const bool is_surrogate = code >= 0xD800 && code <= 0xDFFF;
  constexpr char32_t kLast = 0x10FFFF;
  return code < kLeast[length] || is_surrogate || code > kLast
             ? std::pair{U'\uFFFD', std::size_t{1}}
             : std::pair{code, length};
}

std::size_t count_letters(std::string_view text) {
  std::size_t letters = 0;
  for (; !text.empty(); ++letters) {
    text.remove_prefix(first_letter(text).second);
  }
  return letters;
}

}  // namespace spca
