#include "spca/io/json_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>

#include "spca/base/error.h"
#include "spca/base/json_text.h"
#include "spca/base/text.h"
#include "spca/base/unicode.h"
#include "spca/io/file_descriptor.h"

namespace spca {
namespace {

/// At most this depth of a document: the functions that walk it are recursive, and a deeper one
/// could exhaust the stack. No document written by hand is deeper.
constexpr std::size_t kDeepest = 100;

/// Records where the parser stops, and why. Json::parse throws without a position for a number that
/// does not fit a double.
class FirstMistake : public nlohmann::json_sax<Json> {
 public:
  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool start_object(std::size_t) override { return true; }
  bool key(string_t&) override { return true; }
  bool end_object() override { return true; }
  bool start_array(std::size_t) override { return true; }
  bool end_array() override { return true; }
  /// `position` counts the bytes read; the mistake is in the last token.
  bool parse_error(std::size_t position, const std::string& token,
                   const Json::exception& error) override {
    const bool is_number = dynamic_cast<const Json::parse_error*>(&error) == nullptr;
    const std::size_t back = is_number ? token.size() : 1;
    offset = position < back ? 0 : position - back;
    reason = error.what();
    return false;
  }

  std::size_t offset = 0;
  std::string reason;
};

/// Returns the reason without its beginning, "[json.exception.parse_error.101] parse error at line
/// 3, column 7: ", because the message already names the position.
std::string short_reason(const std::string& reason) {
  const std::size_t tag = reason.find("] ");
  const std::size_t colon = reason.find(": ");
  const std::size_t begin =
      reason.find("parse error at") != std::string::npos && colon != std::string::npos ? colon + 2
      : tag == std::string::npos                                                       ? 0
                                                                                       : tag + 2;
  return printable(std::string_view(reason).substr(begin));
}

bool is_blank(char letter) {
  return letter == ' ' || letter == '\t' || letter == '\r' || letter == '\n';
}

}  // namespace

/// A second pass over the text, for positions and duplicate keys: nlohmann/json keeps no positions
/// and lets the last of two equal keys win. It relies on the first pass: the text is valid JSON, so
/// every string, list and object has its end, and no index can leave the text.
class JsonText::PlaceFinder {
 public:
  explicit PlaceFinder(JsonText& owner) : owner_(owner), text_(owner.text_) {
    position_ = text_.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
  }

  void run() {
    skip_blanks();
    value(add());
  }

 private:
  void skip_blanks() {
    while (position_ < text_.size() && is_blank(text_[position_])) {
      ++position_;
    }
  }

  std::size_t add() {
    owner_.offsets_.push_back(position_);
    return owner_.offsets_.size() - 1;
  }

  /// Returns the raw text of a string with its quotes, and moves position_ behind it.
  std::string_view quoted() {
    const std::size_t begin = position_++;
    while (text_[position_] != '"') {
      position_ += text_[position_] == '\\' ? 2 : 1;
    }
    ++position_;
    return text_.substr(begin, position_ - begin);
  }

  void value(std::size_t index) {
    const char first = text_[position_];
    if (first == '{' || first == '[') {
      items(index, first == '{');
    } else if (first == '"') {
      quoted();
    } else {
      while (position_ < text_.size() && !is_blank(text_[position_]) &&
             std::string_view(",]}").find(text_[position_]) == std::string_view::npos) {
        ++position_;
      }
    }
    skip_blanks();
  }

  void items(std::size_t parent, bool is_object) {
    path_.emplace_back();
    if (path_.size() > kDeepest) {
      path_.pop_back();
      throw_at(owner_.offsets_[parent],
               fmt::format("found a value nested deeper than this; accepted: lists and objects at "
                           "most {} deep",
                           kDeepest));
    }
    ++position_;
    skip_blanks();
    for (std::size_t i = 0; text_[position_] != '}' && text_[position_] != ']'; ++i) {
      if (text_[position_] == ',') {
        ++position_;
        skip_blanks();
      }
      const std::size_t begin = position_;
      path_.back() = is_object ? key() : std::to_string(i);
      skip_blanks();
      const std::size_t index = add();
      if (!owner_.members_.try_emplace({parent, path_.back()}, index).second) {
        throw_at(begin, "found this key a second time; accepted: each key once");
      }
      value(index);
    }
    ++position_;
    path_.pop_back();
  }

  /// Reads a key and its colon. Returns the key as a step of a JSON pointer.
  std::string key() {
    std::string step = pointer_step(parse_json(quoted()).get<std::string>());
    skip_blanks();
    ++position_;  // the colon
    return step;
  }

  [[noreturn]] void throw_at(std::size_t offset, const std::string& message) const {
    std::string pointer;
    for (const std::string& step : path_) {
      pointer += "/" + step;
    }
    throw InputError(fmt::format("{}: {}: {}", owner_.place_of_offset(offset),
                                 pointer.empty() ? "/" : printable(pointer), message));
  }

  JsonText& owner_;
  std::string_view text_;
  std::size_t position_ = 0;
  std::vector<std::string> path_;  // steps to the value that is read
};

JsonText::JsonText(std::string text, std::string name)
    : text_(std::move(text)), name_(std::move(name)) {
  FirstMistake mistake;
  if (!Json::sax_parse(text_, &mistake)) {
    throw InputError(fmt::format("{}: not JSON: {}",
                                 place_of_offset(std::min(mistake.offset, text_.size())),
                                 short_reason(mistake.reason)));
  }
  // PlaceFinder bounds the depth of the document before parse_json() builds it.
  PlaceFinder(*this).run();
  json_ = parse_json(text_);
}

std::string JsonText::place_of_offset(std::size_t offset) const {
  const std::string_view before = std::string_view(text_).substr(0, offset);
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  const std::size_t line_feed = before.rfind('\n');
  const std::string_view in_line =
      line_feed == std::string_view::npos ? before : before.substr(line_feed + 1);
  return fmt::format("{}:{}:{}", name_, line, count_letters(in_line) + 1);
}

JsonText::Found JsonText::find(const std::string& pointer) const {
  std::size_t value = 0;
  for (std::size_t begin = 1; begin <= pointer.size();) {
    const std::size_t end = std::min(pointer.find('/', begin), pointer.size());
    const auto member = members_.find(std::pair{value, pointer.substr(begin, end - begin)});
    if (member == members_.end()) {
      return {.value = value, .is_whole = false};
    }
    value = member->second;
    begin = end + 1;
  }
  return {.value = value, .is_whole = true};
}

bool JsonText::has(const std::string& pointer) const { return find(pointer).is_whole; }

std::string JsonText::place(const std::string& pointer) const {
  return place_of_offset(offsets_[find(pointer).value]);
}

void JsonText::fail(const std::string& pointer, const std::string& message) const {
  throw InputError(fmt::format("{}: {}: {}", place(pointer),
                               pointer.empty() ? "/" : printable(pointer), printable(message)));
}

namespace {

/// Returns the content, or nothing if the file cannot be read.
std::optional<std::string> content_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  // A directory opens, and reading it throws.
  if (!file.is_open() || std::filesystem::is_directory(path)) {
    return {};
  }
  std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  return file.bad() ? std::optional<std::string>() : std::move(text);
}

}  // namespace

JsonText read_json_file(const std::filesystem::path& path) {
  std::optional<std::string> text = content_of(path);
  if (!text) {
    throw InputError(fmt::format("{}: cannot be read; accepted: a JSON file", path.string()));
  }
  return JsonText(std::move(*text), path.string());
}

Json try_json_file(const std::filesystem::path& path) {
  return parse_json(content_of(path).value_or(std::string()));
}

Json number_to_json(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

double number_from_json(const Json& json, const std::string& where) {
  if (json.is_null()) {
    return kNotMeasured;
  }
  if (!json.is_number()) {
    throw InputError(fmt::format("{}: found {}; accepted: a number, null", where, json_line(json)));
  }
  return json.get<double>();
}

void write_json_file(const std::filesystem::path& path, const Json& json) {
  write_file_atomically(path, json_lines(json, 2));
}

}  // namespace spca
