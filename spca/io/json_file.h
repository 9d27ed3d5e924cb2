#pragma once

/// JSON files as this project reads and writes them. An object may have each key once. Every error
/// in the text names file, line and column. A number that was not measured is null.

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

/// A JSON text with the line and column of each of its values. Takes time and memory
/// proportional to n log n for a text of n bytes.
class JsonText {
 public:
  /// `name` is the file's name, for messages. Throws InputError "name:line:column: ..." if the text
  /// is not JSON, or has a number that does not fit a double, lists and objects more than 100 deep,
  /// or a key twice in one object.
  JsonText(std::string text, std::string name);

  const Json& json() const { return json_; }
  const std::string& name() const { return name_; }
  /// Returns true if there is a value at a JSON pointer (RFC 6901).
  bool has(const std::string& pointer) const;
  /// Returns "name:line:column" of the value at a JSON pointer, or of the nearest value around it
  /// if there is none. Lines and columns count from 1; a column is a letter, not a byte.
  std::string place(const std::string& pointer) const;
  /// Throws InputError "name:line:column: pointer: message". The message is one line, even if the
  /// keys contain line feeds.
  [[noreturn]] void fail(const std::string& pointer, const std::string& message) const;

 private:
  class PlaceFinder;
  struct Found {
    std::size_t value;  // index into offsets_
    bool is_whole;      // false: no value at the rest of the pointer
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

/// Reads a file. Throws InputError that names the file if it cannot be read, and as JsonText does.
JsonText read_json_file(const std::filesystem::path& path);

/// Reads a file that may be missing or invalid. The result is the value "discarded"
/// (Json::is_discarded) if the file cannot be read or is not JSON.
Json try_json_file(const std::filesystem::path& path);

/// The number, or null if it is not finite.
Json number_to_json(double value);
/// The number, or NaN for null. Throws InputError "where: ..." for anything else.
double number_from_json(const Json& json, const std::string& where);

/// Writes `json` with two blanks of indentation and a line feed at the end. Replaces `path` as a
/// whole and throws, as replace_file does.
void write_json_file(const std::filesystem::path& path, const Json& json);

}  // namespace spca
