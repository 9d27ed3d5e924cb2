#include "harness/records/record_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <nlohmann/json.hpp>
#include <vector>

#include "harness/records/checksum.h"
#include "spca/base/error.h"
#include "spca/base/json_text.h"

namespace spca {
namespace {

[[noreturn]] void throw_not_an_object() { throw InputError("a line that is not a JSON object"); }

/// The token to which a character outside strings belongs.
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

/// Visits the members of one JSON object. Keys are expected as this program writes them, without
/// escapes; nothing is decoded.
class MemberScanner {
 public:
  explicit MemberScanner(std::string_view text) : text_(text) {
    if (!consume('{')) {
      throw_not_an_object();
    }
  }

  /// Returns the next member, or false at the end of the object, which must be the end of the text.
  bool next(std::string_view& name, std::string_view& value) {
    skip_blanks();
    if (consume('}')) {
      skip_blanks();
      if (at_ != text_.size()) {
        throw_not_an_object();
      }
      return false;
    }
    if (!is_first_ && !consume(',')) {
      throw_not_an_object();
    }
    is_first_ = false;
    skip_blanks();
    name = value_text();
    skip_blanks();
    if (name.size() < 2 || name.front() != '"' || !consume(':')) {
      throw_not_an_object();
    }
    name = name.substr(1, name.size() - 2);
    skip_blanks();
    value = value_text();
    return true;
  }

  /// Returns the position after the member that next() returned last.
  std::size_t position() const { return at_; }

 private:
  bool consume(char character) {
    const bool exists = at_ < text_.size() && text_[at_] == character;
    at_ += exists ? 1 : 0;
    return exists;
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
    std::string closing;  // open brackets, innermost last
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

/// Returns the numbers in "[5,2]", or the number in "3".
std::vector<Index> whole_numbers(std::string_view name, std::string_view raw) {
  std::vector<Index> numbers;
  const bool is_list = raw.front() == '[';
  const char* end = raw.data() + raw.size() - (is_list ? 1 : 0);
  for (const char* at = raw.data() + (is_list ? 1 : 0); at < end; ++at) {
    const auto [stop, error] = std::from_chars(at, end, numbers.emplace_back());
    if (error != std::errc() || (stop != end && *stop != ',')) {
      throw_wrong(name, raw);
    }
    at = stop;
  }
  return numbers;
}

/// Returns "solve_seconds" in a record's object "cost" or "timing", or NaN if it was not measured.
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
  const Json json = parse_json(raw);
  if (!json.is_string()) {
    throw InputError(fmt::format("{:.60} where a string is accepted", raw));
  }
  return json.get<std::string>();
}

RecordLine scan_record_line(std::string_view line) {
  MemberScanner scanner(line);
  std::string_view key, grid, dataset, solver, deflation, cardinality, repeat, status, loadings,
      contended, timing;
  std::string_view measured_by, cost;
  const std::pair<std::string_view, std::string_view*> fields[] = {{"key", &key},
                                                                   {"grid", &grid},
                                                                   {"dataset", &dataset},
                                                                   {"solver", &solver},
                                                                   {"deflation", &deflation},
                                                                   {"cardinality", &cardinality},
                                                                   {"repeat", &repeat},
                                                                   {"status", &status},
                                                                   {"loadings", &loadings},
                                                                   {"contended", &contended},
                                                                   {"timing", &timing}};
  for (std::string_view name, value; scanner.next(name, value);) {
    for (const auto& [wanted, place] : fields) {
      if (name == wanted) {
        *place = value;
      }
    }
    if (name == "measured_by") {  // records of older versions lack this and the cost
      measured_by = value;
    } else if (name == "cost") {
      cost = value;
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
  const std::vector<Index> repeats = whole_numbers("repeat", repeat);
  if (repeats.size() != 1) {
    throw_wrong("repeat", repeat);
  }
  return {.key = key.substr(1, kKeyDigits),
          .cell = {{.grid = text_of(grid),
                    .dataset = text_of(dataset),
                    .solver = text_of(solver),
                    .deflation = text_of(deflation),
                    .cardinality = whole_numbers("cardinality", cardinality)},
                   repeats.front()},
          .status = status_from_name(text_of(status)),
          .has_loadings = loadings != "[]",
          .contended = contended == "true",
          .solve_seconds = solve_seconds_of(cost.empty() ? timing : cost),
          .measured_by = measured_by.empty() ? "" : text_of(measured_by)};
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

namespace {

std::string quoted(const std::string& text) { return json_line(Json(text)); }

/// Reads the envelope's members, which come first, and returns the end of the last one.
std::size_t scan_envelope(std::string_view line, Envelope& envelope) {
  MemberScanner scanner(line);
  const std::pair<std::string_view, std::string*> texts[] = {{"key", &envelope.key},
                                                             {"grid", &envelope.grid},
                                                             {"dataset", &envelope.dataset},
                                                             {"solver", &envelope.solver}};
  for (std::string_view name, value; scanner.next(name, value);) {
    for (const auto& [member, place] : texts) {
      if (name == member) {
        *place = text_of(value);
      }
    }
    if (name == "reused") {
      envelope.origin = text_of(raw_field(value, "origin"));
      envelope.elsewhere = raw_field(value, "elsewhere") == "true";
    } else if (name == "contended") {
      envelope.contended = value == "true";
      return scanner.position();
    } else if (name == "status") {
      break;
    }
  }
  throw InputError("a record of an older version: \"contended\" follows its answer");
}

}  // namespace

std::string compose_line(const Envelope& envelope, std::string_view answer) {
  std::string reused;
  if (!envelope.origin.empty()) {
    reused = fmt::format(R"("reused":{{"origin":{},"elsewhere":{}}},)", quoted(envelope.origin),
                         envelope.elsewhere);
  }
  return with_check(
      fmt::format(R"({{"key":{},"grid":{},"dataset":{},"solver":{},{}"contended":{},{})",
                  quoted(envelope.key), quoted(envelope.grid), quoted(envelope.dataset),
                  quoted(envelope.solver), reused, envelope.contended, answer.substr(1)),
      kLineLayout);
}

void require_check(std::string_view line) {
  try {
    before_check(line, kLineLayout);
  } catch (const InputError& error) {
    throw InputError(fmt::format("the record {}", error.what()));
  }
}

void refuse_wrong_check(std::string_view line) {
  const std::size_t last_member = line.rfind(",\"");
  if (last_member != std::string_view::npos &&
      line.substr(last_member).starts_with(",\"check\":")) {
    require_check(line);
  }
}

Envelope read_envelope(std::string_view line) {
  Envelope envelope;
  scan_envelope(line, envelope);
  return envelope;
}

std::string answer_of_line(std::string_view line) {
  Envelope envelope;
  std::string_view rest = line.substr(scan_envelope(line, envelope));
  rest.remove_prefix(std::min(rest.find_first_not_of(", "), rest.size()));
  // The check is the last member.
  constexpr std::string_view kCheck = ",\"check\":\"01234567\"}";
  const std::size_t check = rest.rfind(kCheck.substr(0, kCheck.find('0')));
  if (check != std::string_view::npos && rest.size() - check == kCheck.size()) {
    return fmt::format("{{{}}}", rest.substr(0, check));
  }
  return fmt::format("{{{}", rest);
}

std::string_view stable_part(std::string_view answer) {
  return answer.substr(0, answer.rfind(",\"timing\":"));
}

}  // namespace spca
