/// GCT of the Broad Institute, versions 1.2 and 1.3: genes in rows, samples in columns. Fields are
/// separated by tabs.

#include "spca/data/readers/gct.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "spca/base/error.h"
#include "spca/base/text.h"
#include "spca/data/content/byte_stream.h"
#include "spca/data/content/file_content.h"
#include "spca/data/content/sparse_entries.h"

namespace spca {
namespace {

std::vector<std::string_view> split_tabs(std::string_view line) {
  std::vector<std::string_view> fields;
  for (;;) {
    const std::size_t tab = line.find('\t');
    fields.push_back(trim(line.substr(0, tab)));
    if (tab == std::string_view::npos) {
      return fields;
    }
    line.remove_prefix(tab + 1);
  }
}

bool is_missing_in_gct(std::string_view text) {
  static constexpr std::array<std::string_view, 5> kWords = {"", "na", "nan", "n/a", "null"};
  return std::find(kWords.begin(), kWords.end(), lower_case(text)) != kWords.end();
}

class GctReader {
 public:
  GctReader(const std::filesystem::path& path, bool keeps_missing)
      : lines_(path), keeps_missing_(keeps_missing) {}

  FileContent read() {
    read_sizes();
    const std::vector<std::string_view> header = next_fields(before_ + samples_);
    FileContent content;
    content.sample_names.assign(header.begin() + before_, header.end());
    for (std::int64_t i = 0; i < annotations_; ++i) {
      next_fields(before_ + samples_);
    }
    content.dense.resize(samples_, genes_);
    for (Index j = 0; j < genes_; ++j) {
      const std::vector<std::string_view> fields = next_fields(before_ + samples_);
      content.variable_names.emplace_back(fields[0]);
      for (Index i = 0; i < samples_; ++i) {
        content.dense(i, j) = number(fields[static_cast<std::size_t>(before_ + i)], before_ + i);
      }
    }
    std::string_view line;
    while (lines_.next(line)) {
      if (!trim(line).empty()) {
        fail(fmt::format("found a row behind the {} of line 2; accepted: none", genes_));
      }
    }
    if (missing_ > 0 && !keeps_missing_) {
      throw InputError(
          fmt::format("{}, the first of {} missing value{}; accepted: a finite number, "
                      "or `missing` as mean, low-rank, drop-rows or drop-columns",
                      first_missing_, missing_, missing_ == 1 ? "" : "s"));
    }
    content.notes.push_back(
        fmt::format("is GCT, whose rows are genes: read as {} samples and {} variables, the genes",
                    samples_, genes_));
    return content;
  }

 private:
  void read_sizes() {
    std::string_view line;
    lines_.next(line);
    const bool is_third = trim(line) == "#1.3";
    if (!is_third && trim(line) != "#1.2") {
      fail(fmt::format("found {}; accepted: #1.2 or #1.3", in_quotes(trim(line))));
    }
    const std::vector<std::string_view> fields = next_fields(0);
    std::vector<std::int64_t> sizes;
    for (const std::string_view field : fields) {
      if (!field.empty()) {
        sizes.push_back(parse_integer(field).value_or(-1));
      }
    }
    const std::size_t wanted = is_third ? 4 : 2;
    // Each number takes at least two bytes, which limits the sizes that a header may announce.
    const std::uint64_t possible = lines_.stream().largest_content() / 2 + 1;
    const bool is_right =
        sizes.size() == wanted && sizes[0] >= 1 && sizes[1] >= 1 &&
        std::all_of(sizes.begin(), sizes.end(),
                    [](std::int64_t size) { return size >= 0 && size <= kLargestInt; }) &&
        static_cast<std::uint64_t>(sizes[0]) <= possible / static_cast<std::uint64_t>(sizes[1]);
    if (!is_right) {
      fail(
          fmt::format("found {}; accepted: the numbers of genes and samples{}, of which the file "
                      "has room for {}",
                      in_quotes(fmt::format("{}", fmt::join(fields, " "))),
                      is_third ? ", and of annotations of both" : "", possible));
    }
    genes_ = sizes[0];
    samples_ = sizes[1];
    before_ = is_third ? sizes[2] + 1 : 2;  // version 1.2 has Name and Description
    annotations_ = is_third ? sizes[3] : 0;
  }

  /// Returns the fields of the next line. Throws InputError unless there are `count` fields; 0
  /// allows any number.
  std::vector<std::string_view> next_fields(std::int64_t count) {
    std::string_view line;
    if (!lines_.next(line)) {
      throw InputError(fmt::format(
          "{}: the file ends after line {}; accepted: {} lines of genes, as line 2 says",
          lines_.name(), lines_.number(), genes_));
    }
    std::vector<std::string_view> fields = split_tabs(line);
    while (count > 0 && std::ssize(fields) > count && fields.back().empty()) {
      fields.pop_back();  // empty fields that spreadsheets append
    }
    if (count > 0 && std::ssize(fields) != count) {
      fail(fmt::format("found {} fields; accepted: {}, as line 2 says", fields.size(), count));
    }
    return fields;
  }

  double number(std::string_view text, Index field) {
    const std::optional<double> value = parse_number(text);
    if (value && std::isfinite(*value)) {
      return *value;
    }
    if (!is_missing_in_gct(text)) {
      fail(fmt::format("column {}: found {}; accepted: a finite number", field + 1,
                       in_quotes(text)));
    }
    if (missing_++ == 0) {
      first_missing_ = fmt::format("{}:{}: column {}: found {}", lines_.name(), lines_.number(),
                                   field + 1, text.empty() ? "an empty field" : in_quotes(text));
    }
    return std::numeric_limits<double>::quiet_NaN();
  }

  [[noreturn]] void fail(const std::string& message) {
    throw InputError(fmt::format("{}:{}: {}", lines_.name(), lines_.number(), message));
  }

  Lines lines_;
  bool keeps_missing_;
  Index genes_ = 0;
  Index samples_ = 0;
  Index before_ = 2;              // fields before the first number
  std::int64_t annotations_ = 0;  // lines of samples' annotations
  std::int64_t missing_ = 0;
  std::string first_missing_;
};

}  // namespace

FileContent read_gct(const std::filesystem::path& path, bool keeps_missing) {
  return GctReader(path, keeps_missing).read();
}

}  // namespace spca
