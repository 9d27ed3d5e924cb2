/// The sparse format of SVMlight and LIBSVM: a line "label feature:value feature:value ..." for
/// each sample, perhaps with "qid:number" after the label and "# comment" at the end.

#include "spca/data/readers/svmlight.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "spca/base/error.h"
#include "spca/base/text.h"
#include "spca/data/content/byte_stream.h"
#include "spca/data/content/compressed_arrays.h"
#include "spca/data/content/file_content.h"
#include "spca/data/content/naming.h"
#include "spca/data/content/sparse_entries.h"

namespace spca {
namespace {

struct Feature {
  std::int64_t number = 0;
  double value = 0;
};

std::optional<Feature> parse_feature(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) {
    return std::nullopt;
  }
  const std::optional<std::int64_t> number = parse_integer(text.substr(0, colon));
  const std::optional<double> value = parse_number(text.substr(colon + 1));
  return number && value ? std::optional(Feature{*number, *value}) : std::nullopt;
}

bool is_query(std::string_view text) {
  return text.starts_with("qid:") && parse_integer(text.substr(4)).has_value();
}

/// Returns true for one number, or several separated by commas.
bool is_label(std::string_view text) {
  for (;;) {
    const std::size_t comma = text.find(',');
    if (!parse_number(text.substr(0, comma))) {
      return false;
    }
    if (comma == std::string_view::npos) {
      return true;
    }
    text.remove_prefix(comma + 1);
  }
}

std::string_view without_comment(std::string_view line) { return line.substr(0, line.find('#')); }

/// Reads all samples. `arrays_` numbers the features as in the file until the last line is read,
/// and then from 0.
class SvmlightReader {
 public:
  explicit SvmlightReader(const std::filesystem::path& path) : lines_(path) {}

  FileContent read() {
    for (std::string_view line; lines_.next(line);) {
      read_line(without_comment(line));
    }
    const auto [least, largest] =
        std::minmax_element(arrays_.indices.begin(), arrays_.indices.end());
    if (arrays_.indices.empty()) {
      throw InputError(fmt::format("{}: has no feature; accepted: lines such as \"1 3:0.5 7:2\"",
                                   lines_.name()));
    }
    const std::int64_t first = *least == 0 ? 0 : 1;
    arrays_.p = *largest + 1 - first;
    if (first == 1) {
      std::for_each(arrays_.indices.begin(), arrays_.indices.end(),
                    [](std::int64_t& index) { --index; });
    }
    FileContent content;
    content.notes.push_back(fmt::format(
        "is of the format of SVMlight: the labels{} of {} samples are left out; its features are "
        "numbered from {}",
        has_queries_ ? " and queries" : "", arrays_.n, first));
    content.sparse = naming(lines_.name(), [this] { return sparse_rows_of(std::move(arrays_)); });
    return content;
  }

 private:
  void read_line(std::string_view line) {
    const std::vector<std::string_view> fields = split_blanks(line);
    if (fields.empty()) {
      return;
    }
    if (!is_label(fields[0])) {
      fail(fields[0], "a label, as in \"1 3:0.5 7:2\"");
    }
    for (std::size_t i = 1; i < fields.size(); ++i) {
      if (i == 1 && is_query(fields[i])) {
        has_queries_ = true;
        continue;
      }
      const std::optional<Feature> feature = parse_feature(fields[i]);
      if (!feature || feature->number < 0 || feature->number >= kLargestInt ||
          !std::isfinite(feature->value)) {
        fail(fields[i], "the number of a feature from 0, a colon and a finite number");
      }
      arrays_.indices.push_back(feature->number);
      arrays_.values.push_back(feature->value);
    }
    refuse_repeated();
    arrays_.starts.push_back(std::ssize(arrays_.values));
    ++arrays_.n;
  }

  /// Throws InputError if a feature occurs twice on the line that was just read.
  void refuse_repeated() {
    std::vector<std::int64_t> line(arrays_.indices.begin() + arrays_.starts.back(),
                                   arrays_.indices.end());
    if (!std::is_sorted(line.begin(), line.end())) {
      std::sort(line.begin(), line.end());
    }
    const auto twice = std::adjacent_find(line.begin(), line.end());
    if (twice != line.end()) {
      throw InputError(
          fmt::format("{}:{}: found feature {} a second time; accepted: one value for each",
                      lines_.name(), lines_.number(), *twice));
    }
  }

  [[noreturn]] void fail(std::string_view found, const char* accepted) {
    throw InputError(fmt::format("{}:{}: found {}; accepted: {}", lines_.name(), lines_.number(),
                                 in_quotes(found), accepted));
  }

  Lines lines_;
  CompressedArrays arrays_{.by_rows = true, .starts = {0}, .indices = {}, .values = {}};
  bool has_queries_ = false;
};

}  // namespace

/// The first line with a feature decides, so that a mistake further down is reported with its line.
bool looks_like_svmlight(std::string_view start) {
  while (!start.empty()) {
    const std::size_t end = start.find('\n');
    std::vector<std::string_view> fields = split_blanks(without_comment(start.substr(0, end)));
    if (end == std::string_view::npos && fields.size() > 2) {
      fields.pop_back();  // may be cut
    }
    bool has_feature = false;
    for (std::size_t i = 0; i < fields.size(); ++i) {
      const bool is_feature = i > 0 && parse_feature(fields[i]).has_value();
      const bool is_other = i == 0 ? is_label(fields[0]) : i == 1 && is_query(fields[1]);
      if (!is_feature && !is_other) {
        return false;
      }
      has_feature = has_feature || is_feature;
    }
    if (has_feature) {
      return true;
    }
    start.remove_prefix(end == std::string_view::npos ? start.size() : end + 1);
  }
  return false;
}

FileContent read_svmlight(const std::filesystem::path& path) { return SvmlightReader(path).read(); }

}  // namespace spca
