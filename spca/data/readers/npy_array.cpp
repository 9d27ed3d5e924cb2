#include "spca/data/readers/npy_array.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "spca/base/error.h"
#include "spca/base/text.h"

namespace spca {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
/// At most this number of bytes in a header. No header of version 1 is longer; versions 2 and 3
/// could announce 4 GB.
constexpr std::size_t kLongestHeader = 1 << 16;
/// At most this number of letters in a text, which is a word that names a format.
constexpr std::int64_t kLongestText = 1 << 10;
/// Number of items that are decoded at once.
constexpr std::int64_t kItemsTogether = 1 << 13;
/// From this number, 2^53, on not every integer is a double.
constexpr double kFirstRounded = 9007199254740992;
constexpr const char* kAcceptedTypes =
    "b1, i1, i2, i4, i8, u1, u2, u4, u8, f2, f4, f8 in either byte order";

double half_to_double(std::uint16_t bits) {
  const int exponent = (bits >> 10) & 0x1f;
  const int fraction = bits & 0x3ff;
  const double sign = (bits & 0x8000) != 0 ? -1 : 1;
  if (exponent == 0x1f) {
    return fraction != 0 ? std::numeric_limits<double>::quiet_NaN()
                         : sign * std::numeric_limits<double>::infinity();
  }
  return sign *
         (exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(fraction + 1024, exponent - 25));
}

/// Returns one item, of little or big endian bytes, as a double. Copies its bytes, because an item
/// in the buffer need not be aligned.
template <class Item>
double item_value(const char* bytes, bool is_swapped) {
  char ordered[sizeof(Item)];
  for (std::size_t i = 0; i < sizeof(Item); ++i) {
    ordered[i] = bytes[is_swapped ? sizeof(Item) - 1 - i : i];
  }
  Item item;
  std::memcpy(&item, ordered, sizeof item);
  return static_cast<double>(item);
}

double half_value(const char* bytes, bool is_swapped) {
  return half_to_double(static_cast<std::uint16_t>(item_value<std::uint16_t>(bytes, is_swapped)));
}

using Decode = double (*)(const char* bytes, bool is_swapped);

Decode find_decoder(char kind, std::size_t item_bytes) {
  switch (item_bytes) {
    case 1:
      return kind == 'i' ? item_value<std::int8_t> : item_value<std::uint8_t>;
    case 2:
      return kind == 'f'   ? half_value
             : kind == 'i' ? item_value<std::int16_t>
                           : item_value<std::uint16_t>;
    case 4:
      return kind == 'f'   ? item_value<float>
             : kind == 'i' ? item_value<std::int32_t>
                           : item_value<std::uint32_t>;
    default:
      return kind == 'f'   ? item_value<double>
             : kind == 'i' ? item_value<std::int64_t>
                           : item_value<std::uint64_t>;
  }
}

}  // namespace

NpyArray::NpyArray(ByteSource& source) : source_(source) { read_header(); }

void NpyArray::fail(const std::string& message) const {
  throw InputError(fmt::format("{}: {}", source_.name(), message));
}

void NpyArray::read_exactly(char* out, std::size_t size, const char* what) {
  if (source_.read(out, size) < size) {
    fail(fmt::format("the file ends within {}; accepted: a complete .npy file", what));
  }
}

/// Returns the text after `'key':` in the dictionary of the header.
std::string_view NpyArray::dictionary_value(std::string_view header, std::string_view key) const {
  const std::size_t at = header.find(fmt::format("'{}'", key));
  const std::size_t colon = at == std::string_view::npos ? at : header.find(':', at);
  if (colon == std::string_view::npos) {
    fail(fmt::format("the .npy header has no '{}': found {}", key, in_quotes(header)));
  }
  return trim(header.substr(colon + 1));
}

void NpyArray::parse_type(std::string_view value) {
  const std::size_t end = value.empty() ? 0 : value.find('\'', 1);
  const std::string_view type =
      value.starts_with('\'') && end != std::string_view::npos ? value.substr(1, end - 1) : value;
  if (type.size() >= 3 && std::string_view("<>|=").find(type[0]) != std::string_view::npos) {
    kind_ = type[1];
    const bool is_big = type[0] == '>';
    if (is_text()) {
      const std::int64_t letters = parse_integer(type.substr(2)).value_or(0);
      if (letters >= 1 && letters <= kLongestText) {
        item_bytes_ = static_cast<std::size_t>(letters) * (kind_ == 'U' ? 4 : 1);
        is_swapped_ = is_big;
        return;
      }
    }
    const std::string_view sizes = kind_ == 'b'                   ? "1"
                                   : kind_ == 'f'                 ? "248"
                                   : kind_ == 'i' || kind_ == 'u' ? "1248"
                                                                  : "";
    if (type.size() == 3 && sizes.find(type[2]) != std::string_view::npos) {
      item_bytes_ = static_cast<std::size_t>(type[2] - '0');
      is_swapped_ =
          item_bytes_ > 1 && type[0] != '|' && is_big != (std::endian::native == std::endian::big);
      return;
    }
  }
  fail(fmt::format("found data of type {}; accepted: {}", in_quotes(type), kAcceptedTypes));
}

void NpyArray::parse_shape(std::string_view value) {
  const std::size_t end = value.find(')');
  const std::string_view shape = value.substr(0, end == std::string_view::npos ? end : end + 1);
  bool is_shape = value.starts_with('(') && end != std::string_view::npos;
  for (std::string_view rest = is_shape ? value.substr(1, end - 1) : ""; !trim(rest).empty();) {
    const std::size_t comma = rest.find(',');
    const std::optional<std::int64_t> size = parse_integer(trim(rest.substr(0, comma)));
    is_shape = is_shape && size.has_value() && *size >= 0;
    shape_.push_back(size.value_or(0));
    rest = comma == std::string_view::npos ? "" : rest.substr(comma + 1);
  }
  if (!is_shape) {
    fail(fmt::format("found an array of shape {}; accepted: whole numbers from 0, as (3, 4)",
                     in_quotes(shape)));
  }
  // Divided, not multiplied: the product of two sizes from the header may overflow.
  const auto possible = static_cast<std::int64_t>(std::min<std::uint64_t>(
      source_.largest_content() / item_bytes_, std::numeric_limits<std::int64_t>::max()));
  const bool is_empty = std::find(shape_.begin(), shape_.end(), 0) != shape_.end();
  count_ = is_empty ? 0 : 1;
  for (const std::int64_t size : shape_) {
    if (!is_empty && size > possible / count_) {
      fail(
          fmt::format("found an array of shape {} in a file of {} bytes, which is too short for "
                      "it",
                      shape, source_.file_bytes()));
    }
    count_ *= size;
  }
}

void NpyArray::read_header() {
  unsigned char start[8];
  read_exactly(reinterpret_cast<char*>(start), sizeof start, "its first 8 bytes");
  if (std::memcmp(start, kMagic.data(), kMagic.size()) != 0) {
    fail("is no .npy file: it does not begin with \\x93NUMPY");
  }
  if (start[6] < 1 || start[6] > 3) {
    fail(fmt::format("found .npy version {}; accepted: 1, 2, 3", start[6]));
  }
  unsigned char length_bytes[4] = {0, 0, 0, 0};
  read_exactly(reinterpret_cast<char*>(length_bytes), start[6] == 1 ? 2 : 4, "its header");
  std::size_t length = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    length |= static_cast<std::size_t>(length_bytes[i]) << (8 * i);
  }
  if (length > kLongestHeader) {
    fail(fmt::format("found a header of {} bytes; accepted: at most {}", length, kLongestHeader));
  }
  std::string text(length, '\0');
  read_exactly(text.data(), length, "its header");
  parse_type(dictionary_value(text, "descr"));
  is_fortran_ = dictionary_value(text, "fortran_order").starts_with("True");
  parse_shape(dictionary_value(text, "shape"));
}

std::string NpyArray::shape_text() const {
  return fmt::format("({}{})", fmt::join(shape_, ", "), shape_.size() == 1 ? "," : "");
}

void NpyArray::read(std::int64_t count, double* out) {
  SPCA_CHECK(!is_text(), "numbers of an array of text");
  const Decode decode = find_decoder(kind_, item_bytes_);
  while (count > 0) {
    const std::int64_t items = std::min(count, kItemsTogether);
    buffer_.resize(static_cast<std::size_t>(items) * item_bytes_);
    read_exactly(buffer_.data(), buffer_.size(), "its data");
    for (std::int64_t i = 0; i < items; ++i) {
      *out = decode(buffer_.data() + static_cast<std::size_t>(i) * item_bytes_, is_swapped_);
      has_large_integers_ =
          has_large_integers_ || (is_integer() && std::abs(*out) >= kFirstRounded);
      ++out;
    }
    count -= items;
  }
}

void NpyArray::skip(std::int64_t count) {
  const std::uint64_t bytes = static_cast<std::uint64_t>(count) * item_bytes_;
  if (source_.skip(bytes) < bytes) {
    fail("the file ends within its data; accepted: a complete .npy file");
  }
}

std::string NpyArray::read_text() {
  if (!is_text() || count_ != 1) {
    fail("found numbers; accepted: one word");
  }
  buffer_.resize(item_bytes_);
  read_exactly(buffer_.data(), buffer_.size(), "its data");
  const std::size_t letter_bytes = kind_ == 'U' ? 4 : 1;
  std::string text;
  for (std::size_t i = 0; i < item_bytes_; i += letter_bytes) {
    // An ASCII letter of four bytes has three zeros.
    const auto zeros =
        std::count(buffer_.begin() + static_cast<std::ptrdiff_t>(i),
                   buffer_.begin() + static_cast<std::ptrdiff_t>(i + letter_bytes), '\0');
    const char letter = buffer_[is_swapped_ ? i + letter_bytes - 1 : i];
    if (letter == '\0') {
      break;
    }
    text += zeros == static_cast<std::ptrdiff_t>(letter_bytes) - 1 ? letter : '?';
  }
  return text;
}

void NpyArray::finish() {
  char beyond;
  if (source_.read(&beyond, 1) != 0) {
    fail(fmt::format("found bytes after the {} numbers of its header; accepted: none", count_));
  }
}

}  // namespace spca
