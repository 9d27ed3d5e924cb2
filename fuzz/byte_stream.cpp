/// The bytes of a file that may be gzipped: read at once and in small pieces they are the same.

#include <algorithm>

#include "fuzz/fuzzing.h"
#include "spca/data/content/byte_stream.h"

namespace {

constexpr std::size_t kPiece = 7;
/// At most this number of bytes are read: a gzip file of the largest input unpacks to less.
constexpr std::size_t kMostBytes = 1 << 22;

std::string read_in_pieces(const std::filesystem::path& path, std::size_t piece) {
  spca::ByteStream stream(path);
  std::string text;
  for (std::size_t count = piece; count == piece && text.size() < kMostBytes;) {
    const std::size_t begin = text.size();
    text.resize(begin + piece);
    count = stream.read(text.data() + begin, piece);
    text.resize(begin + count);
  }
  spca::fuzz::require(text.size() <= stream.largest_content() + kPiece,
                      "a file holds no more than it is said to hold at most");
  return text;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace spca;
  const std::filesystem::path path = fuzz::write_file("input", fuzz::text_of(data, size));
  std::string whole;
  if (!fuzz::accepted([&] { whole = read_in_pieces(path, kMostBytes); })) {
    return 0;
  }
  fuzz::require(read_in_pieces(path, kPiece) == whole, "pieces make up the whole");
  std::size_t lines = 0;
  Lines reader(path);
  for (std::string_view line; reader.next(line);) {
    ++lines;
  }
  const auto line_feeds = static_cast<std::size_t>(std::count(whole.begin(), whole.end(), '\n'));
  const bool has_rest = !whole.empty() && whole.back() != '\n';
  fuzz::require(lines == line_feeds + (has_rest ? 1 : 0), "every line is read");
  return 0;
}
