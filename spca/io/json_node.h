#pragma once

/// Reads a JSON document value by value and checks each. There is an accessor for each kind of
/// value. Errors name file, line, column and pointer.

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "spca/base/error.h"
#include "spca/io/json_file.h"

namespace spca {

/// Records where the values of a document were written: in its file, in one of its profiles or on
/// the command line. A later call of merged_from, set_from or set_by overrides an earlier one.
class JsonSource {
 public:
  explicit JsonSource(std::shared_ptr<const JsonText> text) : text_(std::move(text)) {}

  const JsonText& text() const { return *text_; }

  /// Records that the object at `written` in the text was merged over the document (RFC 7396).
  void merged_from(const std::string& written);
  /// Records that the value at `pointer` of the document is the one at `written` in the text.
  void set_from(const std::string& pointer, const std::string& written);
  /// Records that an option, "--set /seed=1", gave the value at `pointer` of the document.
  void set_by(const std::string& pointer, const std::string& option);

  /// Throws InputError "file:line:column: pointer: message", with the place of the value in the
  /// file. If an option gave the value: "option: pointer: message".
  [[noreturn]] void fail(const std::string& pointer, const std::string& message) const;
  /// Runs `read` and returns what it returns. If it throws InputError "pointer/...: message", puts
  /// file, line and column in front of the message.
  template <class Read>
  decltype(auto) located(const std::string& pointer, Read read) const {
    try {
      return read();
    } catch (const InputError& error) {
      fail_with(pointer, error.what());
    }
  }

 private:
  struct Origin {
    std::string pointer;  // of the document
    std::string written;  // pointer to the value in the text; unused if there is an option
    std::string option;
    bool is_merged = false;  // true: may hold only a part of the values below `pointer`
  };
  [[noreturn]] void fail_with(const std::string& pointer, const std::string& message) const;

  std::shared_ptr<const JsonText> text_;
  std::vector<Origin> origins_;  // a later origin overrides earlier ones
};

/// One value of the document with its JSON pointer. If the value is not what the caller accepts,
/// the accessor throws InputError through JsonSource::fail.
class JsonNode {
 public:
  JsonNode(const JsonSource& source, const Json& json, std::string pointer)
      : source_(&source), json_(&json), pointer_(std::move(pointer)) {}

  const Json& json() const { return *json_; }
  const std::string& pointer() const { return pointer_; }
  const JsonSource& source() const { return *source_; }

  /// Checks that the value is an object with no other keys than these.
  void accept_keys(const std::vector<std::string>& keys) const;
  /// Returns the member of an object, or nothing if the key is missing.
  std::optional<JsonNode> find(const std::string& key) const;
  /// The member of an object, which must exist.
  JsonNode at(const std::string& key) const;
  /// The members of an object, with their keys; at least one.
  std::vector<std::pair<std::string, JsonNode>> members() const;
  /// The elements of a list; at least one.
  std::vector<JsonNode> elements() const;

  /// A non-empty text without control characters.
  std::string word() const;
  bool truth() const;
  /// A whole number of at least `minimum`.
  Index whole(Index minimum) const;
  /// A finite number of at least `minimum`, or above it.
  double number(double minimum, bool minimum_excluded = false) const;
  /// A list of words, or one word.
  std::vector<std::string> words() const;
  /// One of the words that are accepted.
  std::string choice(const std::vector<std::string>& accepted) const;

  /// The word at `key`, or `otherwise` if the key is missing.
  std::string word_or(const std::string& key, const std::string& otherwise) const;
  /// The words at `key`, or none if the key is missing.
  std::vector<std::string> words_or_none(const std::string& key) const;

  /// Throws "found (the value); accepted: ...".
  [[noreturn]] void fail(const std::string& accepted) const;

 private:
  const JsonSource* source_;
  const Json* json_;
  std::string pointer_;
};

}  // namespace spca
