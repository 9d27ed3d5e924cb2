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

class OptionReader : public OptionVisitor {
 public:
  /// `where` is the JSON pointer of `json`, named in errors. Throws InputError unless `json` is an
  /// object.
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

/// Fields that `json` does not name keep their defaults. Throws InputError (unknown key, wrong
/// type, out of range, not a choice) with the JSON pointer `where` + "/name".
std::shared_ptr<void> read_options(const OptionsType& type, const Json& json,
                                   std::string_view where);
/// Every field, defaults included. Throws as read_options.
Json complete_options(const OptionsType& type, const Json& json, std::string_view where);
/// As OptionWriter::descriptions.
Json describe_options(const OptionsType& type);

/// The same for a type that is known.
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

/// Parses the "name=value" of `--set` into `options`. The value is read as JSON where it is JSON
/// ("0.1", "true", "[1,2]"), otherwise as a word, or where it has commas as a list whose items are
/// read in the same way. Throws InputError without "=".
void set_option(Json& options, const std::string& assignment);

}  // namespace spca
