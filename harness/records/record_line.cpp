#include "harness/records/record_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <nlohmann/json.hpp>
#include <vector>

namespace spca {
namespace {

[[noreturn]] void throw_not_an_object() { throw InputError("a line that is not a JSON object"); }

/// What a character outside of strings is part of.
enum class Kind : unsigned char { kNone, kScalar, kQuote, kOpening, kClosing, kBetween };

constexpr std::array<Kind, 256> kKinds = [] {
  std::array<Kind, 256> kinds{};
  const auto set = [&kinds](std::string_view characters, Kind kind) {
    for (const char character : characters) {
      kinds[static_cast<unsigned char>(character)] = kind;
    }
  };
  set("0123456789-+.Eabcdefghijklmnopqrstuvwxyz", Kind::kScalar);
  set("\"", Kind::kQuote);
  set("{[", Kind::kOpening);
  set("}]", Kind::kClosing);
  set(",: \t", Kind::kBetween);
  return kinds;
}();

/// Goes through the members of one JSON object. Keys are as this program writes them, without
/// escapes; nothing is decoded.
class MemberScanner {
 public:
  explicit MemberScanner(std::string_view text) : text_(text) {
    if (!take('{')) {
      throw_not_an_object();
    }
  }

  /// The next member; false at the end of the object, which must be the end of the text.
  bool next(std::string_view& name, std::string_view& value) {
    skip_blanks();
    if (take('}')) {
      skip_blanks();
      if (at_ != text_.size()) {
        throw_not_an_object();
      }
      return false;
    }
    if (!is_first_ && !take(',')) {
      throw_not_an_object();
    }
    is_first_ = false;
    skip_blanks();
    name = value_text();
    skip_blanks();
    if (name.size() < 2 || name.front() != '"' || !take(':')) {
      throw_not_an_object();
    }
    name = name.substr(1, name.size() - 2);
    skip_blanks();
    value = value_text();
    return true;
  }

 private:
  bool take(char character) {
    const bool is_there = at_ < text_.size() && text_[at_] == character;
    at_ += is_there ? 1 : 0;
    return is_there;
  }

  void skip_blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) {
      ++at_;
    }
  }

  void skip_string() {
    for (++at_; at_ < text_.size(); ++at_) {
      if (text_[at_] == '\\') {
        ++at_;
      } else if (text_[at_] == '"') {
        ++at_;
        return;
      }
    }
    throw_not_an_object();
  }

  std::string_view value_text() {
    const std::size_t begin = at_;
    std::string closing;  // brackets that are open, innermost last
    do {
      const char character = at_ < text_.size() ? text_[at_] : '\0';
      switch (kKinds[static_cast<unsigned char>(character)]) {
        case Kind::kQuote:
          skip_string();
          continue;
        case Kind::kOpening:
          closing.push_back(character == '{' ? '}' : ']');
          break;
        case Kind::kClosing:
          if (closing.empty() || character != closing.back()) {
            throw_not_an_object();
          }
          closing.pop_back();
          break;
        case Kind::kScalar:
          while (at_ + 1 < text_.size() &&
                 kKinds[static_cast<unsigned char>(text_[at_ + 1])] == Kind::kScalar) {
            ++at_;
          }
          break;
        case Kind::kBetween:
          if (closing.empty()) {
            throw_not_an_object();
          }
          break;
        case Kind::kNone:
          throw_not_an_object();
      }
      ++at_;
    } while (!closing.empty());
    return text_.substr(begin, at_ - begin);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  bool is_first_ = true;
};

[[noreturn]] void throw_missing(std::string_view name) {
  throw InputError(fmt::format("a record without \"{}\"", name));
}

[[noreturn]] void throw_wrong(std::string_view name, std::string_view raw) {
  throw InputError(fmt::format("a record whose \"{}\" is of a wrong kind: {:.60}", name, raw));
}

/// The number behind "solve_seconds" in the object of timings; NaN where it was not measured.
double solve_seconds_of(std::string_view timing) {
  const std::string_view raw = raw_field(timing, "solve_seconds");
  double seconds = kNotMeasured;
  std::from_chars(raw.data(), raw.data() + raw.size(), seconds);
  return seconds;
}

}  // namespace

std::string text_of(std::string_view raw) {
  if (raw.size() >= 2 && raw.front() == '"' && raw.find('\\') == std::string_view::npos) {
    return std::string(raw.substr(1, raw.size() - 2));
  }
  const Json json = Json::parse(raw, nullptr, false);
  if (!json.is_string()) {
    throw InputError(fmt::format("{:.60} where a string is accepted", raw));
  }
  return json.get<std::string>();
}

bool is_failure(Status status, bool has_answer) {
  return status == Status::kFailed || status == Status::kInvalid ||
         status == Status::kNumericalFailure || (status == Status::kTimeLimit && !has_answer);
}

RecordLine scan_record_line(std::string_view line) {
  MemberScanner scanner(line);
  std::string_view key, grid, dataset, solver, status, loadings, contended, timing;
  const std::pair<std::string_view, std::string_view*> fields[] = {
      {"key", &key},       {"grid", &grid},         {"dataset", &dataset},     {"solver", &solver},
      {"status", &status}, {"loadings", &loadings}, {"contended", &contended}, {"timing", &timing}};
  for (std::string_view name, value; scanner.next(name, value);) {
    for (const auto& [wanted, place] : fields) {
      if (name == wanted) {
        *place = value;
      }
    }
  }
  for (const auto& [name, value] : fields) {
    if (value->empty()) {
      throw_missing(name);
    }
  }
  constexpr std::size_t kKeyDigits = 64;
  if (key.size() != kKeyDigits + 2 || key.front() != '"') {
    throw_wrong("key", key);
  }
  if (timing.front() != '{') {
    throw_wrong("timing", timing);
  }
  return {.key = key.substr(1, kKeyDigits),
          .grid = text_of(grid),
          .dataset = text_of(dataset),
          .solver = text_of(solver),
          .status = status_from_name(text_of(status)),
          .has_answer = loadings != "[]",
          .contended = contended == "true",
          .solve_seconds = solve_seconds_of(timing)};
}

std::string_view raw_field(std::string_view line, std::string_view name) {
  MemberScanner scanner(line);
  std::string_view found;
  for (std::string_view member, value; scanner.next(member, value);) {
    if (member == name) {
      found = value;
    }
  }
  return found;
}

std::string relabelled(std::string_view line, const std::string& grid, const std::string& dataset,
                       const std::string& solver) {
  struct Change {
    std::string_view name;
    const std::string* label;
    std::string_view old;
  };
  std::vector<Change> changes = {
      {"grid", &grid, {}}, {"dataset", &dataset, {}}, {"solver", &solver, {}}};
  MemberScanner scanner(line);
  std::size_t found = 0;  // the labels stand in front of all that is long
  for (std::string_view name, value; found < changes.size() && scanner.next(name, value);) {
    for (Change& change : changes) {
      if (name == change.name) {
        change.old = value;
        ++found;
      }
    }
  }
  for (const Change& change : changes) {
    if (change.old.empty()) {
      throw_missing(change.name);
    }
  }
  std::sort(changes.begin(), changes.end(),
            [](const Change& a, const Change& b) { return a.old.data() < b.old.data(); });
  std::string text;
  const char* from = line.data();
  for (const Change& change : changes) {
    text.append(from, change.old.data());
    text += Json(*change.label).dump(-1, ' ', false, Json::error_handler_t::replace);
    from = change.old.data() + change.old.size();
  }
  return text.append(from, line.data() + line.size());
}

std::string as_reused(std::string line, const std::string& origin, bool elsewhere) {
  line.pop_back();
  return fmt::format(R"({},"reused":{{"origin":"{}","elsewhere":{}}}}})", line, origin, elsewhere);
}

}  // namespace spca
