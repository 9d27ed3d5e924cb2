/// Matrix Market exchange format (Boisvert, Pozo, Remington, NIST IR 5935, 1996).

#include "spca/data/readers/matrix_market.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "spca/base/error.h"
#include "spca/base/text.h"
#include "spca/data/content/byte_stream.h"
#include "spca/data/content/file_content.h"
#include "spca/data/content/sparse_entries.h"
#include "spca/data/readers/read_rows.h"
#include "spca/data/readers/ten_x_names.h"

namespace spca {
namespace {

/// Number of bytes of the shortest entry: "1\n" of an array; coordinates are longer. It bounds the
/// number of entries of a file, so that a wrong header cannot cause a large reservation of memory.
constexpr std::uint64_t kShortestMarketEntryBytes = 2;

enum class Symmetry { kGeneral, kSymmetric, kSkew };

struct MarketHeader {
  bool is_coordinate = false;
  bool is_pattern = false;
  bool is_integer = false;
  bool is_unsigned = false;
  Symmetry symmetry = Symmetry::kGeneral;
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::int64_t entries = 0;  // number of lines of entries
};

class MarketScanner {
 public:
  explicit MarketScanner(const std::filesystem::path& path) : lines_(path) {
    read_banner();
    read_sizes();
  }

  const MarketHeader& header() const { return header_; }

  /// Calls `on_entry(row, column, value)` for every entry, including both entries of a symmetric
  /// pair. An array is stored by columns; a symmetric array is stored by its lower triangle,
  /// without the diagonal if it is skew-symmetric.
  template <class OnEntry>
  void scan(OnEntry&& on_entry) {
    Index row = !header_.is_coordinate && header_.symmetry == Symmetry::kSkew ? 1 : 0;
    Index column = 0;
    for (std::int64_t i = 0; i < header_.entries; ++i) {
      const std::vector<std::string_view> fields = next_fields();
      if (fields.empty()) {
        fail(fmt::format("the file ends after {} entries; the line of sizes announces {}", i,
                         header_.entries));
      }
      const std::size_t coordinates = header_.is_coordinate ? 2 : 0;
      if (fields.size() != coordinates + (header_.is_pattern ? 0 : 1)) {
        fail(fmt::format("found {} fields; accepted: {}", fields.size(),
                         !header_.is_coordinate ? "one number"
                         : header_.is_pattern   ? "row and column"
                                                : "row, column and value"));
      }
      if (header_.is_coordinate) {
        row = coordinate("row", fields[0], header_.rows);
        column = coordinate("column", fields[1], header_.columns);
      }
      const double value = header_.is_pattern ? 1 : number(fields[coordinates]);
      emit(row, column, value, on_entry);
      if (!header_.is_coordinate && ++row == header_.rows) {
        ++column;
        row = header_.symmetry == Symmetry::kGeneral     ? 0
              : header_.symmetry == Symmetry::kSymmetric ? column
                                                         : column + 1;
      }
    }
    if (!next_fields().empty()) {
      fail(fmt::format("found entry {}; the line of sizes announces {}", header_.entries + 1,
                       header_.entries));
    }
  }

  [[noreturn]] void fail(const std::string& message) {
    throw InputError(fmt::format("{}:{}: {}", lines_.name(), lines_.number(), message));
  }

 private:
  template <class OnEntry>
  void emit(Index row, Index column, double value, OnEntry& on_entry) {
    if (header_.symmetry == Symmetry::kGeneral) {
      on_entry(row, column, value);
      return;
    }
    if (row < column || (row == column && header_.symmetry == Symmetry::kSkew)) {
      fail(fmt::format(
          "found row {}, column {}; accepted: entries {} the diagonal of a symmetric "
          "matrix",
          row + 1, column + 1, header_.symmetry == Symmetry::kSkew ? "below" : "on and below"));
    }
    on_entry(row, column, value);
    if (row != column) {
      on_entry(column, row, header_.symmetry == Symmetry::kSkew ? -value : value);
    }
  }

  /// Returns the fields of the next line that is neither empty nor a comment; none at the end.
  std::vector<std::string_view> next_fields() {
    for (std::string_view line; lines_.next(line);) {
      std::vector<std::string_view> fields = split_blanks(line);
      if (!fields.empty() && fields[0][0] != '%') {
        return fields;
      }
    }
    return {};
  }

  void read_banner() {
    std::string_view line;
    lines_.next(line);
    const std::string lower = lower_case(line);
    const std::vector<std::string_view> words = split_blanks(lower);
    const auto word = [&](std::size_t i, const std::vector<std::string>& accepted) {
      std::string found(i < words.size() ? words[i] : "");
      if (std::find(accepted.begin(), accepted.end(), found) == accepted.end()) {
        fail(fmt::format("found {}; accepted: {}", in_quotes(found), join(accepted)));
      }
      return found;
    };
    word(0, {"%%matrixmarket"});
    word(1, {"matrix"});
    header_.is_coordinate = word(2, {"coordinate", "array"}) == "coordinate";
    const std::string type =
        header_.is_coordinate
            ? word(3, {"real", "double", "integer", "unsigned-integer", "pattern"})
            : word(3, {"real", "double", "integer", "unsigned-integer"});
    header_.is_pattern = type == "pattern";
    header_.is_integer = type == "integer" || type == "unsigned-integer";
    header_.is_unsigned = type == "unsigned-integer";
    const std::string symmetry = word(4, {"general", "symmetric", "skew-symmetric"});
    header_.symmetry = symmetry == "general"     ? Symmetry::kGeneral
                       : symmetry == "symmetric" ? Symmetry::kSymmetric
                                                 : Symmetry::kSkew;
  }

  void read_sizes() {
    const std::vector<std::string_view> fields = next_fields();
    const std::size_t expected = header_.is_coordinate ? 3 : 2;
    std::int64_t sizes[3] = {0, 0, 0};
    bool is_good = fields.size() == expected;
    for (std::size_t i = 0; i < expected && is_good; ++i) {
      sizes[i] = parse_integer(fields[i]).value_or(-1);
      is_good = sizes[i] >= (i < 2 ? 1 : 0) && sizes[i] <= kLargestInt;
    }
    if (!is_good) {
      fail(fmt::format("found {}; accepted: {} whole numbers up to {}: rows and columns from 1{}",
                       in_quotes(join({fields.begin(), fields.end()}, " ")), expected, kLargestInt,
                       header_.is_coordinate ? ", entries from 0" : ""));
    }
    header_.rows = sizes[0];
    header_.columns = sizes[1];
    if (header_.symmetry != Symmetry::kGeneral && sizes[0] != sizes[1]) {
      fail(
          fmt::format("found {} rows and {} columns; accepted: a square matrix, as it is symmetric",
                      sizes[0], sizes[1]));
    }
    const std::int64_t n = header_.rows;
    header_.entries = header_.is_coordinate                      ? sizes[2]
                      : header_.symmetry == Symmetry::kGeneral   ? n * header_.columns
                      : header_.symmetry == Symmetry::kSymmetric ? n * (n + 1) / 2
                                                                 : n * (n - 1) / 2;
    const std::uint64_t possible =
        lines_.stream().largest_content() / kShortestMarketEntryBytes + 1;
    if (static_cast<std::uint64_t>(header_.entries) > possible) {
      fail(fmt::format("found {} entries; a file of {} bytes holds at most {}", header_.entries,
                       lines_.stream().file_bytes(), possible));
    }
    // The factor of 2 allows for symmetric pairs, of which the file has one entry.
    if (header_.is_coordinate &&
        std::max(header_.rows, header_.columns) > 2 * header_.entries + kMostEmpty) {
      fail(
          fmt::format("found {} rows, {} columns and {} entries; accepted: at most {} rows or "
                      "columns without an entry",
                      header_.rows, header_.columns, header_.entries, kMostEmpty));
    }
  }

  Index coordinate(const char* what, std::string_view text, std::int64_t maximum) {
    const std::optional<std::int64_t> value = parse_integer(text);
    if (!value || *value < 1 || *value > maximum) {
      fail(fmt::format("found {} {}; accepted: 1 to {}", what, in_quotes(text), maximum));
    }
    return *value - 1;
  }

  double number(std::string_view text) {
    const std::optional<double> value = parse_number(text);
    if (header_.is_integer && value && *value != std::floor(*value)) {
      fail(fmt::format("found {}; accepted: whole numbers, as the first line announces",
                       in_quotes(text)));
    }
    if (header_.is_unsigned && value && *value < 0) {
      fail(fmt::format("found {}; accepted: numbers from 0, as the first line announces",
                       in_quotes(text)));
    }
    if (!value || !std::isfinite(*value)) {
      fail(fmt::format("found {}; accepted: a finite number", in_quotes(text)));
    }
    return *value;
  }

  Lines lines_;
  MarketHeader header_;
};

/// Scans the file again and throws InputError with the line of the second entry at `position`.
[[noreturn]] void reject_repeated_entry(const std::filesystem::path& path, EntryPosition position) {
  MarketScanner scanner(path);
  int times = 0;
  scanner.scan([&](Index row, Index column, double) {
    times += row == position.row && column == position.column;
    if (times == 2) {
      scanner.fail(fmt::format("found row {}, column {} a second time; accepted: one line for each",
                               row + 1, column + 1));
    }
  });
  throw InternalError("an entry that was found twice is not in the file twice");
}

}  // namespace

RowsOfFile read_matrix_market_rows(const std::filesystem::path& path, const RowShare& share) {
  MarketScanner first(path);
  const MarketHeader header = first.header();
  RowsOfFile rows;
  FileContent& content = rows.content;
  content.is_symmetric = header.symmetry == Symmetry::kSymmetric;
  const bool is_turned = header.symmetry == Symmetry::kGeneral &&
                         set_ten_x_names(path, header.rows, header.columns, content);
  rows.samples = is_turned ? header.columns : header.rows;
  const Index variables = is_turned ? header.rows : header.columns;
  rows.held = share.of(rows.samples);
  const RowRange held = rows.held;
  const auto scan_held = [&](MarketScanner& scanner, const auto& on_entry) {
    scanner.scan([&](Index row, Index column, double value) {
      const Index sample = is_turned ? column : row;
      if (sample >= held.first && sample < held.last) {
        on_entry(sample - held.first, is_turned ? row : column, value);
      }
    });
  };
  if (!header.is_coordinate) {
    content.dense = Matrix::Zero(held.count(), variables);
    scan_held(first, [&](Index sample, Index variable, double value) {
      content.dense(sample, variable) = value;
    });
    return rows;
  }
  content.sparse = std::make_unique<SparseRows>(
      place_entries(held.count(), variables, [&](const auto& on_entry) {
        MarketScanner scanner(path);
        scan_held(scanner, on_entry);
      }));
  if (const auto repeated = sort_rows(*content.sparse)) {
    const Index sample = repeated->row + held.first;
    reject_repeated_entry(
        path, {is_turned ? repeated->column : sample, is_turned ? sample : repeated->column});
  }
  return rows;
}

FileContent read_matrix_market(const std::filesystem::path& path) {
  return read_matrix_market_rows(path, {}).content;
}

}  // namespace spca
