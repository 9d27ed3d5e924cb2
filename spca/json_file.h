#pragma once

/// JSON files as this project reads and writes them: no key stands twice in an object, an error
/// names file, line and column, and what was not measured is null.

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "spca/types.h"

namespace spca {

/// A JSON text with the place of each of its values.
class JsonText {
 public:
  /// `name` stands for the text in messages: the file's name. Throws InputError "name:line:column:
  /// ..." for what is not JSON and for a key that stands twice in one object (with its pointer).
  JsonText(std::string text, std::string name);

  const Json& json() const { return json_; }
  const std::string& name() const { return name_; }
  bool has(const std::string& pointer) const { return offsets_.contains(pointer); }
  /// "name:line:column" of the value at a JSON pointer (RFC 6901), or of the nearest one around it.
  std::string place(std::string pointer) const;

 private:
  std::string place_of_offset(std::size_t offset) const;

  std::string text_;
  std::string name_;
  Json json_;
  std::map<std::string, std::size_t> offsets_;  // pointer -> where its value begins
};

/// Throws InputError that names the file if it cannot be read, and as JsonText does.
JsonText read_json_file(const std::filesystem::path& path);

/// One step of a JSON pointer: "a/b~c" becomes "a~1b~0c".
std::string pointer_step(std::string_view key);

/// null where the value is not finite.
Json number_to_json(double value);
/// NaN for null. Throws InputError "where: ..." for anything else that is not a number.
double number_from_json(const Json& json, const std::string& where);

/// Writes a temporary file beside `path`, then renames it: a reader sees the old content or the
/// new, never a part. Throws InputError that names the file and the system's reason (a full disk,
/// say); `path` then keeps its old content.
void write_file_atomically(const std::filesystem::path& path, std::string_view content);
/// The same with two blanks of indentation and a line feed at the end.
void write_json_file(const std::filesystem::path& path, const Json& json);

}  // namespace spca
