#pragma once

/// Reading an experiment's JSON with every value checked. Internal to experiment*.cpp.

#include <optional>
#include <string>
#include <vector>

#include "spca/experiment.h"
#include "spca/json_file.h"

namespace spca {

/// The file and the profile that was merged over it: where a value stands, for messages.
struct ExperimentSource {
  JsonText text;
  std::string profile;

  /// "file:line:column: pointer: message", with the pointer below /profiles where the profile set
  /// the value.
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
  [[noreturn]] void fail_with(const std::string& pointer, const std::string& message) const;
};

/// One value of the document with its JSON pointer. Every accessor throws InputError through
/// ExperimentSource::fail unless the value is what the caller accepts.
class JsonNode {
 public:
  JsonNode(const ExperimentSource& source, const Json& json, std::string pointer)
      : source_(&source), json_(&json), pointer_(std::move(pointer)) {}

  const Json& json() const { return *json_; }
  const std::string& pointer() const { return pointer_; }
  const ExperimentSource& source() const { return *source_; }

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
  const ExperimentSource* source_;
  const Json* json_;
  std::string pointer_;
};

/// Every variant of the document's grids, in the order in which they are written.
std::vector<Variant> expand_grids(const JsonNode& document);
/// [k | [k_1, ..., k_r] | {"from", "to", "step"}, ...]; a lone k stands for a list of one.
/// `components` 0: any length is accepted (in a match).
std::vector<std::vector<Index>> read_cardinalities(const JsonNode& node, Index components);

/// A match is an object of "grid", "dataset", "solver", "deflation", "cardinality".
CellMatch read_match(const JsonNode& node);
std::vector<PublishedCell> read_published(const JsonNode& node,
                                          const std::filesystem::path& data_dir);
KnownDifference read_known_difference(const JsonNode& node);
TableSpec read_table(const JsonNode& node);
/// A kind of figure takes the options that its file in plotting/figures/ names in the line
/// `OPTIONS = {...}`: a default word is a metric's name, a default number a whole one >= 1, a list
/// the words to choose from, the default first.
FigureSpec read_figure(const JsonNode& node);

}  // namespace spca
