/// UCI bag of words. The common line "12 345 6" of a file that is sorted by document is scanned by
/// hand and stored directly in the sparse rows. Any other valid line is parsed by a slower
/// function, which also reports invalid lines.

#include "spca/data/readers/docword.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "spca/base/error.h"
#include "spca/base/text.h"
#include "spca/data/content/byte_stream.h"
#include "spca/data/content/docword_entries.h"
#include "spca/data/content/file_content.h"
#include "spca/data/content/sparse_entries.h"
#include "spca/data/readers/read_rows.h"

namespace spca {
namespace {

/// Number of bytes of the shortest entry, "1 1 1\n", which bounds the number of entries of a file.
constexpr std::uint64_t kShortestWordEntryBytes = 6;
/// Number of entries per byte of a gzip file for which memory is reserved at once. An entry of the
/// public collections takes three bytes. For more entries, the arrays grow as the entries arrive: a
/// small gzip file that announces 2^31 - 1 entries must not take the memory for them.
constexpr double kPackedEntriesPerByte = 0.4;

struct Header {
  std::int64_t documents = 0;
  std::int64_t words = 0;
  std::int64_t entries = 0;
};

struct Entry {
  std::uint64_t document = 0;
  std::uint64_t word = 0;
  std::uint64_t count = 0;
};

/// Reads digits and the one character that must follow. Returns null if another character follows,
/// or if there are not one to ten digits, so a number that is accepted has not overflowed. The text
/// ends in '\n', so the loop cannot run beyond it.
inline const char* scan_number(const char* at, char separator, std::uint64_t& value) {
  const char* begin = at;
  std::uint64_t result = 0;
  for (unsigned digit; (digit = static_cast<unsigned char>(*at) - unsigned{'0'}) <= 9; ++at) {
    result = 10 * result + digit;
  }
  value = result;
  return *at == separator && at != begin && at - begin <= 10 ? at + 1 : nullptr;
}

/// Scans "document word count\n". Returns the start of the next line, or null.
inline const char* scan_entry(const char* at, Entry& entry) {
  at = scan_number(at, ' ', entry.document);
  at = at == nullptr ? at : scan_number(at, ' ', entry.word);
  return at == nullptr ? at : scan_number(at, '\n', entry.count);
}

class DocwordScanner {
 public:
  explicit DocwordScanner(const std::filesystem::path& path) : blocks_(path) {
    text_ = blocks_.next();
    header_.documents = header_number("D, the number of documents", 1, kLargestInt);
    header_.words = header_number("W, the number of words", 1, kLargestInt);
    header_.entries = header_number("NNZ, the number of entries", 0, kLargestInt);
    const std::uint64_t possible = blocks_.stream().largest_content() / kShortestWordEntryBytes + 1;
    if (static_cast<std::uint64_t>(header_.entries) > possible) {
      fail(fmt::format("found NNZ = {}; a file of {} bytes holds at most {} entries",
                       header_.entries, blocks_.stream().file_bytes(), possible));
    }
    if (std::max(header_.documents, header_.words) > header_.entries + kMostEmpty) {
      fail(
          fmt::format("found D = {}, W = {} and NNZ = {}; accepted: at most {} documents or words "
                      "without an entry",
                      header_.documents, header_.words, header_.entries, kMostEmpty));
    }
  }

  const Header& header() const { return header_; }
  std::size_t line() const { return line_; }
  const std::string& name() { return blocks_.stream().name(); }

  /// Returns the number of entries for which memory is reserved before the first entry.
  std::int64_t first_capacity() {
    const ByteStream& stream = blocks_.stream();
    const double per_byte =
        stream.is_compressed() ? kPackedEntriesPerByte : 1.0 / kShortestWordEntryBytes;
    const double likely = per_byte * static_cast<double>(stream.file_bytes()) + 1;
    return std::min(header_.entries, static_cast<std::int64_t>(likely));
  }

  /// Calls `on_entry(row, column, count)`, zero-based, for all entries in the order of the file
  /// until it returns false. Throws InputError unless there are NNZ of them.
  template <class OnEntry>
  void scan(OnEntry&& on_entry) {
    std::int64_t count = 0;
    for (; !text_.empty(); text_ = blocks_.next()) {
      const char* at = text_.data();
      const char* end = at + text_.size();
      while (at != end) {
        ++line_;
        Entry entry;
        const char* next = scan_entry(at, entry);
        if (next == nullptr) {
          const char* line_end =
              static_cast<const char*>(std::memchr(at, '\n', static_cast<std::size_t>(end - at)));
          if (!parse_unusual({at, static_cast<std::size_t>(line_end - at)}, entry)) {
            at = line_end + 1;
            continue;
          }
          next = line_end + 1;
        }
        at = next;
        // Zero wraps to the largest number, so that one comparison sees both ends of the range.
        if (entry.document - 1 >= static_cast<std::uint64_t>(header_.documents) ||
            entry.word - 1 >= static_cast<std::uint64_t>(header_.words) ||
            entry.count - 1 >= static_cast<std::uint64_t>(kLargestInt) || count == header_.entries)
            [[unlikely]] {
          reject(entry, count);
        }
        ++count;
        if (!on_entry(static_cast<int>(entry.document - 1), static_cast<int>(entry.word - 1),
                      static_cast<double>(entry.count))) {
          return;
        }
      }
    }
    if (count < header_.entries) {
      fail(fmt::format("the file ends after {} entries; line 3 announces NNZ = {}", count,
                       header_.entries));
    }
  }

 private:
  [[noreturn]] void fail(const std::string& message) {
    throw InputError(fmt::format("{}:{}: {}", name(), line_, message));
  }

  std::int64_t header_number(const std::string& what, std::int64_t minimum, std::int64_t maximum) {
    if (text_.empty()) {
      fail(fmt::format("the file ends here; accepted: three lines D, W, NNZ and the entries"));
    }
    ++line_;
    const std::size_t length = text_.find('\n');
    const std::string found(trim(text_.substr(0, length)));
    text_.remove_prefix(length + 1);
    if (text_.empty()) {
      text_ = blocks_.next();
    }
    const std::optional<std::int64_t> value = parse_integer(found);
    if (!value || *value < minimum || *value > maximum) {
      fail(fmt::format("found {}; accepted: {}, a whole number from {} to {}", in_quotes(found),
                       what, minimum, maximum));
    }
    return *value;
  }

  /// Parses a line with extra blanks, tabs or CRLF. Returns false for an empty line. Anything else
  /// is an error.
  bool parse_unusual(std::string_view line, Entry& entry) {
    const std::vector<std::string_view> fields = split_blanks(line);
    if (fields.empty()) {
      return false;
    }
    std::uint64_t* values[] = {&entry.document, &entry.word, &entry.count};
    bool is_entry = fields.size() == 3;
    for (std::size_t i = 0; i < 3 && is_entry; ++i) {
      const std::optional<std::int64_t> value = parse_integer(fields[i]);
      is_entry = value.has_value();
      *values[i] = static_cast<std::uint64_t>(value.value_or(0));
    }
    if (!is_entry) {
      fail(fmt::format(
          "found {}; accepted: three whole numbers below 2^63, document, word and count",
          in_quotes(line)));
    }
    return true;
  }

  [[noreturn]] void reject(const Entry& entry, std::int64_t count) {
    const auto check = [this](const char* what, std::uint64_t value, std::int64_t maximum) {
      if (value - 1 >= static_cast<std::uint64_t>(maximum)) {
        fail(fmt::format("found {} {}; accepted: 1 to {}", what, static_cast<std::int64_t>(value),
                         maximum));
      }
    };
    check("document", entry.document, header_.documents);
    check("word", entry.word, header_.words);
    check("count", entry.count, kLargestInt);
    fail(fmt::format("found entry {}; line 3 announces NNZ = {}", count + 1, header_.entries));
  }

  LineBlocks blocks_;
  std::string_view text_;
  std::size_t line_ = 0;
  Header header_;
};

/// Reads the rows of a file that is sorted by document, in one pass. Returns null if the file is
/// not sorted. Invariant: outer[0 .. current] are final, and the entries of row `current` go from
/// outer[current] to `count`.
std::unique_ptr<SparseRows> read_sorted(const std::filesystem::path& path) {
  DocwordScanner scanner(path);
  const Header& header = scanner.header();
  auto rows = std::make_unique<SparseRows>(header.documents, header.words);
  std::int64_t capacity = scanner.first_capacity();
  rows->resizeNonZeros(capacity);
  int* outer = rows->outerIndexPtr();
  int* columns = rows->innerIndexPtr();
  double* values = rows->valuePtr();
  int current = 0;
  int count = 0;
  bool is_sorted = true;
  scanner.scan([&](int row, int column, double value) {
    if (row != current) {
      is_sorted = row > current;
      while (current < row) {
        outer[++current] = count;
      }
    }
    if (count == capacity) {
      capacity = std::min(header.entries, 2 * capacity);
      rows->resizeNonZeros(capacity);
      columns = rows->innerIndexPtr();
      values = rows->valuePtr();
    }
    columns[count] = column;
    values[count] = value;
    ++count;
    return is_sorted;
  });
  std::fill(outer + current + 1, outer + header.documents + 1, count);
  return is_sorted ? std::move(rows) : nullptr;
}

std::unique_ptr<SparseRows> read_unsorted(const std::filesystem::path& path) {
  const Header header = DocwordScanner(path).header();
  return std::make_unique<SparseRows>(
      place_entries(header.documents, header.words, [&path](const auto& on_entry) {
        DocwordScanner(path).scan([&on_entry](int row, int column, double value) {
          on_entry(row, column, value);
          return true;
        });
      }));
}

}  // namespace

void reject_repeated_word(const std::filesystem::path& path, EntryPosition position) {
  DocwordScanner scanner(path);
  int times = 0;
  scanner.scan([&](int row, int column, double) {
    times += row == position.row && column == position.column;
    return times < 2;
  });
  throw InputError(
      fmt::format("{}:{}: found document {}, word {} a second time; accepted: one line for each",
                  scanner.name(), scanner.line(), position.row + 1, position.column + 1));
}

std::vector<std::string> read_vocabulary(const std::filesystem::path& path, Index words) {
  constexpr std::string_view kStemOfCounts = "docword";
  std::string name = path.filename().string();
  if (!name.starts_with(kStemOfCounts)) {
    return {};
  }
  name.replace(0, kStemOfCounts.size(), "vocab");
  std::filesystem::path vocabulary = path.parent_path() / name;
  std::error_code error;
  if (!std::filesystem::exists(vocabulary, error)) {
    vocabulary =
        vocabulary.extension() == ".gz" ? vocabulary.replace_extension() : vocabulary.concat(".gz");
    if (!std::filesystem::exists(vocabulary, error)) {
      return {};
    }
  }
  Lines lines(vocabulary);
  std::vector<std::string> result;
  for (std::string_view line; lines.next(line);) {
    result.emplace_back(trim(line));
  }
  while (!result.empty() && result.back().empty()) {
    result.pop_back();
  }
  if (static_cast<Index>(result.size()) != words) {
    throw InputError(
        fmt::format("{}: found {} words; accepted: {}, one a line, as W in line 2 of {}",
                    vocabulary.string(), result.size(), words, path.string()));
  }
  return result;
}

DocwordSizes docword_sizes(const std::filesystem::path& path) {
  const Header header = DocwordScanner(path).header();
  return {.documents = header.documents, .words = header.words, .entries = header.entries};
}

void scan_docword(const std::filesystem::path& path, const OnWordCount& on_entry) {
  DocwordScanner(path).scan(on_entry);
}

RowsOfFile read_docword_rows(const std::filesystem::path& path, const RowShare& share) {
  DocwordScanner scanner(path);
  const Header header = scanner.header();
  RowsOfFile rows;
  rows.samples = header.documents;
  rows.held = share.of(header.documents);
  // Entries are collected in the order of the file and sorted into rows afterwards, so that the
  // file is scanned once.
  struct Held {
    int row;
    int column;
    double value;
  };
  std::vector<Held> entries;
  scanner.scan([&](int row, int column, double value) {
    if (row >= rows.held.first && row < rows.held.last) {
      entries.push_back({static_cast<int>(row - rows.held.first), column, value});
    }
    return true;
  });
  FileContent& content = rows.content;
  content.is_bag_of_words = true;
  content.sparse = std::make_unique<SparseRows>(
      place_entries(rows.held.count(), header.words, [&](const auto& on_entry) {
        for (const Held& entry : entries) {
          on_entry(entry.row, entry.column, entry.value);
        }
      }));
  if (const auto repeated = sort_rows(*content.sparse)) {
    reject_repeated_word(path, {repeated->row + rows.held.first, repeated->column});
  }
  content.variable_names = read_vocabulary(path, header.words);
  return rows;
}

FileContent read_docword(const std::filesystem::path& path) {
  FileContent content;
  content.is_bag_of_words = true;
  content.sparse = read_sorted(path);
  if (content.sparse == nullptr) {
    content.sparse = read_unsorted(path);
  }
  if (const auto repeated = sort_rows(*content.sparse)) {
    reject_repeated_word(path, *repeated);
  }
  content.variable_names = read_vocabulary(path, content.sparse->cols());
  return content;
}

}  // namespace spca
