/// NumPy's .npy format: magic, version, the length of a header that is a Python dictionary, data.

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "spca/base/error.h"
#include "spca/base/text.h"
#include "spca/data/readers/byte_stream.h"
#include "spca/data/readers/readers.h"

namespace spca {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
/// Version 1 holds no longer one; versions 2 and 3 could announce 4 GB.
constexpr std::size_t kLongestHeader = 1 << 16;
constexpr const char* kAcceptedTypes =
    "b1, i1, i2, i4, i8, u1, u2, u4, u8, f2, f4, f8 in either byte order";

struct NpyHeader {
  char kind = 0;  // b, i, u or f
  std::size_t item_bytes = 0;
  bool is_swapped = false;
  bool is_fortran = false;
  Index rows = 0;
  Index columns = 0;
};

[[noreturn]] void fail(const ByteStream& stream, const std::string& message) {
  throw InputError(fmt::format("{}: {}", stream.name(), message));
}

void read_exactly(ByteStream& stream, char* out, std::size_t size, const char* what) {
  const std::size_t count = stream.read(out, size);
  if (count < size) {
    fail(stream, fmt::format("the file ends within {}; accepted: a complete .npy file", what));
  }
}

/// The text after `'key':` in the header's dictionary.
std::string_view dictionary_value(const ByteStream& stream, std::string_view header,
                                  std::string_view key) {
  const std::size_t at = header.find(fmt::format("'{}'", key));
  const std::size_t colon = at == std::string_view::npos ? at : header.find(':', at);
  if (colon == std::string_view::npos) {
    fail(stream, fmt::format("the .npy header has no '{}': found {}", key, in_quotes(header)));
  }
  return trim(header.substr(colon + 1));
}

void parse_type(const ByteStream& stream, std::string_view value, NpyHeader& header) {
  const std::size_t end = value.empty() ? 0 : value.find('\'', 1);
  const std::string_view type =
      value.starts_with('\'') && end != std::string_view::npos ? value.substr(1, end - 1) : value;
  if (type.size() == 3) {
    header.kind = type[1];
    header.item_bytes = static_cast<std::size_t>(type[2] - '0');
    const bool is_big = type[0] == '>';
    header.is_swapped = header.item_bytes > 1 && type[0] != '|' &&
                        is_big != (std::endian::native == std::endian::big);
    const std::string_view sizes = header.kind == 'b'                         ? "1"
                                   : header.kind == 'f'                       ? "248"
                                   : header.kind == 'i' || header.kind == 'u' ? "1248"
                                                                              : "";
    if (std::string_view("<>|=").find(type[0]) != std::string_view::npos &&
        sizes.find(type[2]) != std::string_view::npos) {
      return;
    }
  }
  fail(stream, fmt::format("found data of type {}; accepted: {}", in_quotes(type), kAcceptedTypes));
}

void parse_shape(const ByteStream& stream, std::string_view value, NpyHeader& header) {
  const std::size_t end = value.find(')');
  const std::string_view shape = value.substr(0, end == std::string_view::npos ? end : end + 1);
  std::vector<std::int64_t> sizes;
  bool is_shape = value.starts_with('(') && end != std::string_view::npos;
  for (std::string_view rest = is_shape ? value.substr(1, end - 1) : ""; !trim(rest).empty();) {
    const std::size_t comma = rest.find(',');
    const std::optional<std::int64_t> size = parse_integer(trim(rest.substr(0, comma)));
    is_shape = is_shape && size.has_value();
    sizes.push_back(size.value_or(0));
    rest = comma == std::string_view::npos ? "" : rest.substr(comma + 1);
  }
  if (!is_shape || sizes.size() != 2 || sizes[0] < 1 || sizes[1] < 1) {
    fail(stream, fmt::format("found an array of shape {}; accepted: two dimensions, samples and "
                             "variables, each at least 1",
                             shape));
  }
  header.rows = sizes[0];
  header.columns = sizes[1];
  // Divided, not multiplied: the product of two sizes from the header may overflow.
  const std::uint64_t possible = stream.largest_content() / header.item_bytes;
  if (static_cast<std::uint64_t>(header.rows) >
      possible / static_cast<std::uint64_t>(header.columns)) {
    fail(stream, fmt::format("found an array of shape {} in a file of {} bytes, which is too short "
                             "for it",
                             shape, stream.file_bytes()));
  }
}

NpyHeader read_header(ByteStream& stream) {
  unsigned char start[8];
  read_exactly(stream, reinterpret_cast<char*>(start), sizeof start, "its first 8 bytes");
  if (std::memcmp(start, kMagic.data(), kMagic.size()) != 0) {
    fail(stream, "is no .npy file: it does not begin with \\x93NUMPY");
  }
  if (start[6] < 1 || start[6] > 3) {
    fail(stream, fmt::format("found .npy version {}; accepted: 1, 2, 3", start[6]));
  }
  unsigned char length_bytes[4] = {0, 0, 0, 0};
  read_exactly(stream, reinterpret_cast<char*>(length_bytes), start[6] == 1 ? 2 : 4, "its header");
  std::size_t length = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    length |= static_cast<std::size_t>(length_bytes[i]) << (8 * i);
  }
  if (length > kLongestHeader) {
    fail(stream,
         fmt::format("found a header of {} bytes; accepted: at most {}", length, kLongestHeader));
  }
  std::string text(length, '\0');
  read_exactly(stream, text.data(), length, "its header");
  NpyHeader header;
  parse_type(stream, dictionary_value(stream, text, "descr"), header);
  header.is_fortran = dictionary_value(stream, text, "fortran_order").starts_with("True");
  parse_shape(stream, dictionary_value(stream, text, "shape"), header);
  return header;
}

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

/// Little or big endian bytes of one item as a double. By memcpy, since an item in the buffer need
/// not be aligned.
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

Decode find_decoder(const NpyHeader& header) {
  switch (header.item_bytes) {
    case 1:
      return header.kind == 'i' ? item_value<std::int8_t> : item_value<std::uint8_t>;
    case 2:
      return header.kind == 'f'   ? half_value
             : header.kind == 'i' ? item_value<std::int16_t>
                                  : item_value<std::uint16_t>;
    case 4:
      return header.kind == 'f'   ? item_value<float>
             : header.kind == 'i' ? item_value<std::int32_t>
                                  : item_value<std::uint32_t>;
    default:
      return header.kind == 'f'   ? item_value<double>
             : header.kind == 'i' ? item_value<std::int64_t>
                                  : item_value<std::uint64_t>;
  }
}

}  // namespace

FileContent read_npy(const std::filesystem::path& path) {
  ByteStream stream(path);
  const NpyHeader header = read_header(stream);
  const Decode decode = find_decoder(header);
  FileContent content;
  content.dense.resize(header.rows, header.columns);
  const Index lines = header.is_fortran ? header.columns : header.rows;
  const Index length = header.is_fortran ? header.rows : header.columns;
  std::vector<char> bytes(static_cast<std::size_t>(length) * header.item_bytes);
  for (Index i = 0; i < lines; ++i) {
    read_exactly(stream, bytes.data(), bytes.size(), "its data");
    for (Index j = 0; j < length; ++j) {
      const double value =
          decode(bytes.data() + static_cast<std::size_t>(j) * header.item_bytes, header.is_swapped);
      (header.is_fortran ? content.dense(j, i) : content.dense(i, j)) = value;
    }
  }
  char beyond;
  if (stream.read(&beyond, 1) != 0) {
    fail(stream, fmt::format("found bytes after the {} x {} numbers of its header; accepted: none",
                             header.rows, header.columns));
  }
  return content;
}

}  // namespace spca
