#pragma once

/// Reading any JSON document with every value checked: an accessor for each kind of value, and
/// errors that name file, line, column and pointer.

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "spca/base/error.h"
#include "spca/io/json_file.h"

namespace spca {

/// Where the values of a document stand: in its file, in one of its profiles or on the command
/// line.
class JsonSource {
 public:
  explicit JsonSource(std::shared_ptr<const JsonText> text) : text_(std::move(text)) {}

  const JsonText& text() const { return *text_; }

  /// The object at `written` in the text was merged over the document (RFC 7396).
  void merged_from(const std::string& written);
  /// The value at `pointer` of the document is the one at `written` in the text.
  void set_from(const std::string& pointer, const std::string& written);
  /// The value at `pointer` of the document was given by an option, "--set /seed=1".
  void set_by(const std::string& pointer, const std::string& option);

  /// Throws InputError "file:line:column: pointer: message", with the pointer to where the value
  /// stands in the file, or "option: pointer: message" where an option gave it.
  [[noreturn]] void fail(const std::string& pointer, const std::string& message) const;
  /// Runs `read`; an InputError "pointer/...: message" of it gets file, line and column in front.
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
    std::string written;  // where the value stands in the text; unused where there is an option
    std::string option;
    bool is_merged = false;  // may hold only a part of what is below `pointer`
  };
  [[noreturn]] void fail_with(const std::string& pointer, const std::string& message) const;

  std::shared_ptr<const JsonText> text_;
  std::vector<Origin> origins_;  // the later one holds
};

/// One value of the document with its JSON pointer. Every accessor throws InputError through
/// JsonSource::fail unless the value is what the caller accepts.
class JsonNode {
 public:
  JsonNode(const JsonSource& source, const Json& json, std::string pointer)
      : source_(&source), json_(&json), pointer_(std::move(pointer)) {}

  const Json& json() const { return *json_; }
  const std::string& pointer() const { return pointer_; }
  const JsonSource& source() const { return *source_; }

  /// Must be an object with no other keys than these.
  void accept_keys(const std::vector<std::string>& keys) const;
  /// Null if the key is not there.
  std::optional<JsonNode> find(const std::string& key) const;
  JsonNode at(const std::string& key) const;
  /// The members of an object, with their keys; at least one.
  std::vector<std::pair<std::string, JsonNode>> members() const;
  /// The elements of a list; at least one.
  std::vector<JsonNode> elements() const;

  std::string word() const;  // not empty
  bool truth() const;
  Index whole(Index minimum) const;
  double number(double minimum, bool minimum_excluded = false) const;
  std::vector<std::string> words() const;  // a list, or one word
  std::string choice(const std::vector<std::string>& accepted) const;

  std::string word_or(const std::string& key, const std::string& otherwise) const;
  std::vector<std::string> words_or_none(const std::string& key) const;

  [[noreturn]] void fail(const std::string& accepted) const;  // "found ...; accepted: ..."

 private:
  const JsonSource* source_;
  const Json* json_;
  std::string pointer_;
};

}  // namespace spca
