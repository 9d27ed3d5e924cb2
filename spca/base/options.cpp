#include "spca/base/options_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "spca/base/error.h"
#include "spca/base/json_text.h"

namespace spca {
namespace {

std::string accepted_numbers(const Range& range) {
  const bool has_minimum = std::isfinite(range.minimum);
  const bool has_maximum = std::isfinite(range.maximum);
  const char* above_sign = range.minimum_excluded ? ">" : ">=";
  const char* below_sign = range.maximum_excluded ? "<" : "<=";
  if (has_minimum && has_maximum) {
    return fmt::format("{} {} and {} {}", above_sign, range.minimum, below_sign, range.maximum);
  }
  if (has_minimum) {
    return fmt::format("{} {}", above_sign, range.minimum);
  }
  return has_maximum ? fmt::format("{} {}", below_sign, range.maximum) : "finite";
}

/// Rejects NaN and infinities too: neither can be written as JSON, and no option has a use for
/// them.
void check_range(double value, const Range& range, const std::string& where) {
  const bool too_small = range.minimum_excluded ? value <= range.minimum : value < range.minimum;
  const bool too_large = range.maximum_excluded ? value >= range.maximum : value > range.maximum;
  if (!std::isfinite(value) || too_small || too_large) {
    throw InputError(
        fmt::format("{}: {} is out of range; accepted: {}", where, value, accepted_numbers(range)));
  }
}

void check_choice(const std::string& value, const Choices& choices, const std::string& where) {
  if (!choices.empty() && std::find(choices.begin(), choices.end(), value) == choices.end()) {
    throw InputError(fmt::format("{}: \"{}\" is not accepted{}; accepted: {}", where, value,
                                 did_you_mean(value, choices), join(choices)));
  }
}

[[noreturn]] void throw_wrong_type(const std::string& where, const Json& found,
                                   std::string_view accepted) {
  throw InputError(fmt::format("{}: found {}; accepted: {}", where, json_line(found), accepted));
}

void add_range(Json& description, const Range& range) {
  if (std::isfinite(range.minimum)) {
    description[range.minimum_excluded ? "exclusive_minimum" : "minimum"] = range.minimum;
  }
  if (std::isfinite(range.maximum)) {
    description[range.maximum_excluded ? "exclusive_maximum" : "maximum"] = range.maximum;
  }
}

/// Returns `text` as JSON, or as a word if it is not JSON: the shell strips the quotes of a word.
Json json_or_word(const std::string& text) {
  Json value = parse_json(text);
  return value.is_discarded() ? Json(text) : value;
}

/// The two sides of "option=value".
struct Assignment {
  std::string name, text;
};

Assignment parts_of(const std::string& assignment) {
  const std::size_t equals = assignment.find('=');
  if (equals == std::string::npos || equals == 0) {
    throw InputError(fmt::format("--set {}: accepted: option=value", assignment));
  }
  return {.name = assignment.substr(0, equals), .text = assignment.substr(equals + 1)};
}

/// Sets the option. Throws InputError if it is set already: the last of two values would win
/// silently, and the run would not be the one that the user meant.
void set_once(Json& options, const std::string& name, Json value) {
  if (options.is_null()) {
    options = Json::object();
  }
  if (options.contains(name)) {
    throw InputError(fmt::format("--set {}: given twice; accepted: once", name));
  }
  options[name] = std::move(value);
}

}  // namespace

bool is_index(const Json& json) {
  constexpr auto kLargest = static_cast<std::uint64_t>(std::numeric_limits<Index>::max());
  return json.is_number_unsigned() ? json.get<std::uint64_t>() <= kLargest
                                   : json.is_number_integer();
}

OptionReader::OptionReader(const Json& json, std::string_view where) : json_(json), where_(where) {
  if (!json.is_object() && !json.is_null()) {
    throw_wrong_type(where_, json, "an object of options");
  }
}

const Json* OptionReader::find(std::string_view name) {
  // Every described name is kept, found or not: finish() compares the keys of the JSON with this
  // list.
  names_.emplace_back(name);
  const auto position = json_.is_null() ? json_.end() : json_.find(std::string(name));
  return position == json_.end() ? nullptr : &*position;
}

void OptionReader::operator()(std::string_view name, bool& value, std::string_view) {
  if (const Json* json = find(name)) {
    if (!json->is_boolean()) {
      throw_wrong_type(fmt::format("{}/{}", where_, name), *json, "true, false");
    }
    value = json->get<bool>();
  }
}

void OptionReader::operator()(std::string_view name, Index& value, std::string_view, Range range) {
  if (const Json* json = find(name)) {
    const std::string where = fmt::format("{}/{}", where_, name);
    if (!is_index(*json)) {
      throw_wrong_type(where, *json, "a whole number " + accepted_numbers(range));
    }
    value = json->get<Index>();
    check_range(static_cast<double>(value), range, where);
  }
}

void OptionReader::operator()(std::string_view name, double& value, std::string_view, Range range) {
  if (const Json* json = find(name)) {
    const std::string where = fmt::format("{}/{}", where_, name);
    if (!json->is_number()) {
      throw_wrong_type(where, *json, "a number " + accepted_numbers(range));
    }
    value = json->get<double>();
    check_range(value, range, where);
  }
}

void OptionReader::operator()(std::string_view name, std::vector<double>& value, std::string_view,
                              Range range) {
  const Json* json = find(name);
  if (json == nullptr) {
    return;
  }
  const std::string where = fmt::format("{}/{}", where_, name);
  if (json->is_number()) {
    value = {json->get<double>()};
    check_range(value[0], range, where);
    return;
  }
  if (!json->is_array() || json->empty()) {
    throw_wrong_type(where, *json, "a list of numbers " + accepted_numbers(range));
  }
  value.clear();
  for (std::size_t i = 0; i < json->size(); ++i) {
    const std::string item_where = fmt::format("{}/{}", where, i);
    if (!(*json)[i].is_number()) {
      throw_wrong_type(item_where, (*json)[i], "a number " + accepted_numbers(range));
    }
    value.push_back((*json)[i].get<double>());
    check_range(value.back(), range, item_where);
  }
}

void OptionReader::operator()(std::string_view name, std::string& value, std::string_view,
                              const Choices& choices) {
  if (const Json* json = find(name)) {
    const std::string where = fmt::format("{}/{}", where_, name);
    if (!json->is_string()) {
      throw_wrong_type(where, *json, choices.empty() ? "a word" : join(choices));
    }
    value = json->get<std::string>();
    check_choice(value, choices, where);
  }
}

void OptionReader::operator()(std::string_view name, std::vector<std::string>& value,
                              std::string_view, const Choices& choices) {
  const Json* json = find(name);
  if (json == nullptr) {
    return;
  }
  const std::string where = fmt::format("{}/{}", where_, name);
  const Json list = json->is_string() ? Json::array({*json}) : *json;
  if (!list.is_array() || list.empty()) {
    throw_wrong_type(where, *json, "a list of " + (choices.empty() ? "words" : join(choices)));
  }
  value.clear();
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::string item_where = fmt::format("{}/{}", where, i);
    if (!list[i].is_string()) {
      throw_wrong_type(item_where, list[i], choices.empty() ? "a word" : join(choices));
    }
    value.push_back(list[i].get<std::string>());
    check_choice(value.back(), choices, item_where);
  }
}

void OptionReader::finish() const {
  if (json_.is_null()) {
    return;
  }
  for (const auto& [key, value] : json_.items()) {
    if (std::find(names_.begin(), names_.end(), key) == names_.end()) {
      throw InputError(fmt::format("{}/{}: unknown option{}; accepted: {}", where_, key,
                                   did_you_mean(key, names_),
                                   names_.empty() ? "none" : join(names_)));
    }
  }
}

void OptionWriter::add(std::string_view name, std::string_view type, Json value,
                       std::string_view help) {
  descriptions_.push_back(
      {{"name", name}, {"type", type}, {"default", std::move(value)}, {"help", help}});
}

void OptionWriter::operator()(std::string_view name, bool& value, std::string_view help) {
  add(name, "boolean", value, help);
}

void OptionWriter::operator()(std::string_view name, Index& value, std::string_view help,
                              Range range) {
  add(name, "integer", value, help);
  add_range(descriptions_.back(), range);
}

void OptionWriter::operator()(std::string_view name, double& value, std::string_view help,
                              Range range) {
  add(name, "number", value, help);
  add_range(descriptions_.back(), range);
}

void OptionWriter::operator()(std::string_view name, std::vector<double>& value,
                              std::string_view help, Range range) {
  add(name, "numbers", value, help);
  add_range(descriptions_.back(), range);
}

void OptionWriter::operator()(std::string_view name, std::string& value, std::string_view help,
                              const Choices& choices) {
  add(name, "string", value, help);
  if (!choices.empty()) {
    descriptions_.back()["choices"] = choices;
  }
}

void OptionWriter::operator()(std::string_view name, std::vector<std::string>& value,
                              std::string_view help, const Choices& choices) {
  add(name, "list", value, help);
  if (!choices.empty()) {
    descriptions_.back()["choices"] = choices;
  }
}

Json OptionWriter::values() {
  Json values = Json::object();
  for (const Json& description : descriptions_) {
    values[description["name"].get<std::string>()] = description["default"];
  }
  return values;
}

Json OptionWriter::descriptions() { return Json(descriptions_); }

std::shared_ptr<void> read_options(const OptionsType& type, const Json& json,
                                   std::string_view where) {
  std::shared_ptr<void> options = type.make();
  OptionReader reader(json, where);
  type.describe(options.get(), reader);
  reader.finish();
  return options;
}

Json complete_options(const OptionsType& type, const Json& json, std::string_view where) {
  OptionWriter writer;
  type.describe(read_options(type, json, where).get(), writer);
  return writer.values();
}

Json describe_options(const OptionsType& type) {
  OptionWriter writer;
  type.describe(type.make().get(), writer);
  return writer.descriptions();
}

std::vector<double> one_for_each(const std::vector<double>& values, Index count,
                                 std::string_view where) {
  if (std::ssize(values) == count) {
    return values;
  }
  if (values.size() != 1) {
    throw InputError(fmt::format("{}: {} numbers for {} components; accepted: one for all or {}",
                                 where, values.size(), count, count));
  }
  return std::vector<double>(static_cast<std::size_t>(count), values[0]);
}

void set_option(Json& options, const std::string& assignment) {
  const Assignment parts = parts_of(assignment);
  Json value = json_or_word(parts.text);
  // Only text that is not JSON is split at commas: "[1,2]" has been read as a list already.
  if (value == parts.text && parts.text.find(',') != std::string::npos) {
    value = Json::array();
    std::size_t begin = 0;
    for (std::size_t end = 0; end != std::string::npos; begin = end + 1) {
      end = parts.text.find(',', begin);
      value.push_back(json_or_word(parts.text.substr(begin, end - begin)));
    }
  }
  set_once(options, parts.name, std::move(value));
}

void set_text_option(Json& options, const std::string& assignment) {
  const Assignment parts = parts_of(assignment);
  const Json value = json_or_word(parts.text);
  set_once(options, parts.name, value.is_string() ? value : Json(parts.text));
}

}  // namespace spca
