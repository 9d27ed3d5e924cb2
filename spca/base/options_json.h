#pragma once

/// Options as JSON.

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "spca/base/options.h"
#include "spca/base/types.h"

namespace spca {

/// Returns whether the value is a whole number that Index can hold. nlohmann's get<Index>() returns
/// a negative number for one beyond.
bool is_index(const Json& json);

/// Reads each described field from a JSON object. A field that the object does not name keeps its
/// value.
class OptionReader : public OptionVisitor {
 public:
  /// `where` is the JSON pointer of `json`; errors name it. Throws InputError unless `json` is an
  /// object or null.
  OptionReader(const Json& json, std::string_view where);
  void operator()(std::string_view name, bool& value, std::string_view help) override;
  void operator()(std::string_view name, Index& value, std::string_view help, Range range) override;
  void operator()(std::string_view name, double& value, std::string_view help,
                  Range range) override;
  void operator()(std::string_view name, std::vector<double>& value, std::string_view help,
                  Range range) override;
  void operator()(std::string_view name, std::string& value, std::string_view help,
                  const Choices& choices) override;
  void operator()(std::string_view name, std::vector<std::string>& value, std::string_view help,
                  const Choices& choices) override;
  /// Throws InputError for a key that no field has, with a "did you mean".
  void finish() const;

 private:
  const Json* find(std::string_view name);
  const Json& json_;
  std::string where_;
  std::vector<std::string> names_;
};

/// Collects the values and the descriptions of all fields.
class OptionWriter : public OptionVisitor {
 public:
  void operator()(std::string_view name, bool& value, std::string_view help) override;
  void operator()(std::string_view name, Index& value, std::string_view help, Range range) override;
  void operator()(std::string_view name, double& value, std::string_view help,
                  Range range) override;
  void operator()(std::string_view name, std::vector<double>& value, std::string_view help,
                  Range range) override;
  void operator()(std::string_view name, std::string& value, std::string_view help,
                  const Choices& choices) override;
  void operator()(std::string_view name, std::vector<std::string>& value, std::string_view help,
                  const Choices& choices) override;
  Json values();        // {"name": value}
  Json descriptions();  // [{"name", "type", "default", "help", "minimum", "exclusive_minimum", ...,
                        // "choices"}]

 private:
  void add(std::string_view name, std::string_view type, Json value, std::string_view help);
  std::vector<Json> descriptions_;
};

/// Reads options of `type` from `json`. Fields that `json` does not name keep their defaults.
/// Throws InputError if a key is unknown, a type is wrong, a number is out of range or a word is
/// not a choice. The message names the JSON pointer `where` + "/name".
std::shared_ptr<void> read_options(const OptionsType& type, const Json& json,
                                   std::string_view where);
/// Returns every field of the options in `json`, defaults included. Throws as read_options does.
Json complete_options(const OptionsType& type, const Json& json, std::string_view where);
/// Returns OptionWriter::descriptions for the defaults of `type`.
Json describe_options(const OptionsType& type);

/// The same as read_options(), for a type known at compile time.
template <class Options>
Options options_from_json(const Json& json, std::string_view where) {
  return *std::static_pointer_cast<Options>(read_options(options_type<Options>(), json, where));
}
template <class Options>
Json options_to_json(Options options) {
  OptionWriter writer;
  options.describe(writer);
  return writer.values();
}

/// Parses the "name=value" of `--set` into `options`. The value is read as JSON if it is JSON
/// ("0.1", "true", "[1,2]"). Otherwise it is a list if it has commas, each item read in the same
/// way, or a word. Throws InputError if there is no "=" or the name is given twice.
void set_option(Json& options, const std::string& assignment);
/// Sets an option whose value is text, as set_option() does. The value is taken literally, commas
/// included; a JSON string in quotes loses its quotes.
void set_text_option(Json& options, const std::string& assignment);

}  // namespace spca
