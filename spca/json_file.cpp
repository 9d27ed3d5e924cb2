#include "spca/json_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>

#include "spca/error.h"

namespace spca {
namespace {

/// nlohmann/json keeps no positions and lets the last of two equal keys win. This second pass over
/// a text that is known to be JSON finds both.
class PlaceFinder {
 public:
  PlaceFinder(std::string_view text, std::map<std::string, std::size_t>& offsets)
      : text_(text), offsets_(offsets) {}

  void run() { value(""); }
  const std::string& duplicate() const { return duplicate_; }
  std::size_t duplicate_offset() const { return duplicate_offset_; }

 private:
  void blanks() {
    while (position_ < text_.size() && std::strchr(" \t\r\n", text_[position_]) != nullptr) {
      ++position_;
    }
  }

  /// The raw text of a string with its quotes; position_ ends behind it.
  std::string_view quoted() {
    const std::size_t begin = position_++;
    while (text_[position_] != '"') {
      position_ += text_[position_] == '\\' ? 2 : 1;
    }
    ++position_;
    return text_.substr(begin, position_ - begin);
  }

  void value(const std::string& pointer) {
    blanks();
    offsets_.emplace(pointer, position_);
    const char first = text_[position_];
    if (first == '{' || first == '[') {
      items(pointer, first == '{');
    } else if (first == '"') {
      quoted();
    } else {
      while (position_ < text_.size() && std::strchr(",]} \t\r\n", text_[position_]) == nullptr) {
        ++position_;
      }
    }
    blanks();
  }

  void items(const std::string& pointer, bool is_object) {
    ++position_;
    blanks();
    for (std::size_t i = 0; text_[position_] != '}' && text_[position_] != ']'; ++i) {
      if (text_[position_] == ',') {
        ++position_;
        blanks();
      }
      value(pointer + "/" + (is_object ? key(pointer) : std::to_string(i)));
    }
    ++position_;
  }

  std::string key(const std::string& pointer) {
    const std::size_t begin = position_;
    const std::string step = pointer_step(Json::parse(quoted()).get<std::string>());
    if (duplicate_.empty() && offsets_.contains(pointer + "/" + step)) {
      duplicate_ = pointer + "/" + step;
      duplicate_offset_ = begin;
    }
    blanks();
    ++position_;  // the colon
    return step;
  }

  std::string_view text_;
  std::map<std::string, std::size_t>& offsets_;
  std::size_t position_ = 0;
  std::string duplicate_;
  std::size_t duplicate_offset_ = 0;
};

/// "[json.exception.parse_error.101] parse error at line 3, column 7: syntax error while ..."
/// without what the place in front of the message already says.
std::string reason_of(const Json::parse_error& error) {
  std::string reason = error.what();
  const std::size_t colon = reason.find(": ");
  reason = colon == std::string::npos ? reason : reason.substr(colon + 2);
  std::replace(reason.begin(), reason.end(), '\n', ' ');
  return reason;
}

[[noreturn]] void throw_not_written(const std::filesystem::path& path, int error_number) {
  throw InputError(
      fmt::format("{}: cannot be written: {}; accepted: a folder that exists, may be "
                  "written to and has space",
                  path.string(), std::strerror(error_number)));
}

/// 0, or the error number.
int write_all(int descriptor, std::string_view content) {
  while (!content.empty()) {
    const ssize_t written = ::write(descriptor, content.data(), content.size());
    if (written < 0 && errno == EINTR) {
      continue;
    }
    if (written <= 0) {
      return written == 0 ? ENOSPC : errno;
    }
    content.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

}  // namespace

JsonText::JsonText(std::string text, std::string name)
    : text_(std::move(text)), name_(std::move(name)) {
  try {
    json_ = Json::parse(text_);
  } catch (const Json::parse_error& error) {
    const std::size_t offset = error.byte == 0 ? 0 : error.byte - 1;
    throw InputError(fmt::format(
        "{}: not JSON: {}", place_of_offset(std::min(offset, text_.size())), reason_of(error)));
  }
  PlaceFinder finder(text_, offsets_);
  finder.run();
  if (!finder.duplicate().empty()) {
    throw InputError(fmt::format("{}: {}: found this key a second time; accepted: each key once",
                                 place_of_offset(finder.duplicate_offset()), finder.duplicate()));
  }
}

std::string JsonText::place_of_offset(std::size_t offset) const {
  const std::string_view before = std::string_view(text_).substr(0, offset);
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  const std::size_t line_feed = before.rfind('\n');
  const std::size_t column = line_feed == std::string_view::npos ? offset + 1 : offset - line_feed;
  return fmt::format("{}:{}:{}", name_, line, column);
}

std::string JsonText::place(std::string pointer) const {
  for (;;) {
    const auto position = offsets_.find(pointer);
    if (position != offsets_.end()) {
      return place_of_offset(position->second);
    }
    const std::size_t slash = pointer.rfind('/');
    pointer.resize(slash == std::string::npos ? 0 : slash);
  }
}

JsonText read_json_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  // A directory opens, and reading it throws.
  if (!file.is_open() || std::filesystem::is_directory(path)) {
    throw InputError(fmt::format("{}: cannot be read; accepted: a JSON file", path.string()));
  }
  std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (file.bad()) {
    throw InputError(fmt::format("{}: cannot be read; accepted: a JSON file", path.string()));
  }
  return JsonText(std::move(text), path.string());
}

std::string pointer_step(std::string_view key) {
  std::string step;
  for (const char letter : key) {
    step += letter == '~' ? "~0" : letter == '/' ? "~1" : std::string(1, letter);
  }
  return step;
}

Json number_to_json(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

double number_from_json(const Json& json, const std::string& where) {
  if (json.is_null()) {
    return kNotMeasured;
  }
  if (!json.is_number()) {
    throw InputError(fmt::format("{}: found {}; accepted: a number, null", where, json.dump()));
  }
  return json.get<double>();
}

void write_file_atomically(const std::filesystem::path& path, std::string_view content) {
  // The process number keeps two programs that write the same file out of each other's way.
  std::filesystem::path temporary = path;
  temporary += fmt::format(".{}.tmp", ::getpid());
  const int descriptor = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor < 0) {
    throw_not_written(path, errno);
  }
  int error_number = write_all(descriptor, content);
  // Without this a crash of the machine could leave the new name with no content.
  if (error_number == 0 && ::fsync(descriptor) != 0 && errno != EINVAL) {
    error_number = errno;
  }
  if (::close(descriptor) != 0 && error_number == 0) {
    error_number = errno;
  }
  if (error_number == 0 && ::rename(temporary.c_str(), path.c_str()) != 0) {
    error_number = errno;
  }
  if (error_number != 0) {
    ::unlink(temporary.c_str());
    throw_not_written(path, error_number);
  }
}

void write_json_file(const std::filesystem::path& path, const Json& json) {
  write_file_atomically(path, json.dump(2) + "\n");
}

}  // namespace spca
