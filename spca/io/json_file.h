#pragma once

/// JSON files as this project reads and writes them: no key stands twice in an object, an error
/// names file, line and column, and what was not measured is null.

#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "spca/base/types.h"
#include "spca/io/json_pointer.h"

namespace spca {

/// A JSON text with the place of each of its values. Made in time and memory linear in the text
/// (but for a logarithm).
class JsonText {
 public:
  /// `name` stands for the text in messages: the file's name. Throws InputError "name:line:column:
  /// ..." for what is not JSON, for numbers that no double holds, for lists and objects nested more
  /// than 100 deep and for a key that stands twice in one object (the last two with their pointer).
  JsonText(std::string text, std::string name);

  const Json& json() const { return json_; }
  const std::string& name() const { return name_; }
  bool has(const std::string& pointer) const;
  /// "name:line:column" of the value at a JSON pointer (RFC 6901), or of the nearest one around it.
  /// Lines and columns count from 1; a column is a character, not a byte.
  std::string place(const std::string& pointer) const;
  /// Throws InputError "name:line:column: pointer: message", on one line whatever the keys hold.
  [[noreturn]] void fail(const std::string& pointer, const std::string& message) const;

 private:
  class PlaceFinder;
  struct Found {
    std::size_t value;  // index into offsets_
    bool is_whole;      // false: the rest of the pointer leads nowhere
  };
  Found find(const std::string& pointer) const;
  std::string place_of_offset(std::size_t offset) const;

  std::string text_;
  std::string name_;
  Json json_;
  std::vector<std::size_t> offsets_;  // where each value begins; the whole document is the first
  /// Value and step of a pointer (as pointer_step writes it) -> the value there.
  std::map<std::pair<std::size_t, std::string>, std::size_t, std::less<>> members_;
};

/// Throws InputError that names the file if it cannot be read, and as JsonText does.
JsonText read_json_file(const std::filesystem::path& path);

/// null where the value is not finite.
Json number_to_json(double value);
/// NaN for null. Throws InputError "where: ..." for anything else that is not a number.
double number_from_json(const Json& json, const std::string& where);

/// Writes `json` with two blanks of indentation and a line feed at the end. Replaces `path` as a
/// whole and throws, as replace_file does.
void write_json_file(const std::filesystem::path& path, const Json& json);

}  // namespace spca
