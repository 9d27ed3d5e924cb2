#include "harness/experiments/schema_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "spca/base/json_text.h"
#include "spca/io/json_pointer.h"
#include "spca/solving/solver.h"

namespace spca {
namespace {

/// Writes 1 instead of 1.0, as a person would.
Json limit(const Json& number) {
  const double value = number.get<double>();
  const bool is_whole = value == std::floor(value) && std::abs(value) < 1e15;
  return is_whole ? Json(static_cast<Index>(value)) : number;
}

bool is_numeric(const std::string& type) {
  return type == "integer" || type == "number" || type == "numbers";
}

bool takes_list(const Json& option) {
  return option["type"] == "numbers" || option["type"] == "list";
}

/// The names of a limit: in the options, in JSON Schema, and in the name of a definition.
struct Limit {
  const char* ours;
  const char* theirs;
  const char* word;
};
constexpr Limit kLimits[] = {{"minimum", "minimum", "from"},
                             {"exclusive_minimum", "exclusiveMinimum", "above"},
                             {"maximum", "maximum", "to"},
                             {"exclusive_maximum", "exclusiveMaximum", "below"}};

using SchemaNamed = std::function<Json(const Json& itself)>;

/// Returns a function that ignores its argument, for a schema that does not refer to itself.
SchemaNamed always(const Json& schema) {
  return [schema](const Json&) { return schema; };
}

/// Adds a definition unless it exists, and returns a reference to it. If another definition has the
/// name, a number is appended to the name of the new one.
Json defined(const std::string& name, const SchemaNamed& schema, Json& definitions) {
  std::string free = name;
  for (int number = 2;
       definitions.contains(free) && definitions[free] != schema(schema_reference(free));
       ++number) {
    free = fmt::format("{}-{}", name, number);
  }
  definitions[free] = schema(schema_reference(free));
  return schema_reference(free);
}

/// Returns the words as the name of a definition: letters, digits and "-" alone.
std::string joined_name(const Json& words) {
  constexpr std::size_t kLongestDefinition = 16;
  std::string name;
  for (const Json& word : words) {
    name += (name.empty() ? "" : "-") + word.get<std::string>();
  }
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '-');
  return name.substr(0, kLongestDefinition);
}

/// Returns the schema of one of the choices. If these are most of the solvers, as for an option of
/// a solver that calls others, it names the solvers that are left out.
Json choice_schema(const Json& choices) {
  const std::vector<std::string> solvers = SolverRegistry::instance().names();
  Json others = Json::array();
  for (const std::string& name : solvers) {
    if (std::find(choices.begin(), choices.end(), name) == choices.end()) {
      others.push_back(name);
    }
  }
  if (choices.size() + others.size() != solvers.size() || others.size() >= choices.size()) {
    return {{"enum", choices}};
  }
  Json schema = {{"$ref", "#/$defs/solver-name/anyOf/0"}};
  if (!others.empty()) {
    schema["not"] = {{"enum", others}};
  }
  return schema;
}

/// Returns a reference to the schema of one of the choices or of a list of choices.
Json choices_schema(const Json& choices, Json& definitions) {
  const std::string name = "some-of-" + joined_name(choices);
  const auto schema_named = [&](const Json& itself) {
    const Json one = {{"$ref", itself["$ref"].get<std::string>() + "/anyOf/0"}};
    return Json{{"anyOf", {choice_schema(choices), schema_list(one)}}};
  };
  return defined(name, schema_named, definitions);
}

/// Returns the schema of one number, text or truth value, without the purpose of the option.
Json single_value_schema(const Json& option) {
  const std::string type = option["type"];
  Json schema = {{"type", type == "numbers" ? "number" : type == "list" ? "string" : type}};
  for (const Limit& known : kLimits) {
    if (option.contains(known.ours)) {
      schema[known.theirs] = limit(option[known.ours]);
    }
  }
  return schema;
}

/// Returns the name of the definition that options of this type and these limits share:
/// "integer-from-1", "number-above-0-to-1".
std::string type_name(const Json& option) {
  std::string name = option["type"];
  for (const Limit& known : kLimits) {
    if (option.contains(known.ours)) {
      name += fmt::format("-{}-{}", known.word, json_line(limit(option[known.ours])));
    }
  }
  return name;
}

/// Returns the schema of one value, or of a list of values for a grid, which may have ranges of
/// numbers.
Json values_schema(const Json& option, Json& definitions) {
  const bool has_choices = option.contains("choices");
  const Json single =
      has_choices ? choices_schema(option["choices"], definitions) : single_value_schema(option);
  if (has_choices && !takes_list(option)) {
    return single;
  }
  const Json one =
      takes_list(option) && !has_choices ? Json{{"anyOf", {single, schema_list(single)}}} : single;
  const Json in_list =
      is_numeric(option["type"]) ? Json{{"anyOf", {one, schema_reference("range")}}} : one;
  const Json values = {{"anyOf", {one, schema_list(in_list)}}};
  return has_choices ? values : defined(type_name(option), always(values), definitions);
}

Json option_schema(const Json& option, const std::set<std::string>& repeated, Json& definitions) {
  Json schema = values_schema(option, definitions);
  schema["default"] = option["default"];
  schema["description"] = option["help"];
  return repeated.contains(json_line(option))
             ? defined("option." + option["name"].get<std::string>(), always(schema), definitions)
             : schema;
}

}  // namespace

Json schema_reference(const std::string& definition) {
  return {{"$ref", fmt::format("#/$defs/{}", pointer_step(definition))}};
}

Json schema_list(const Json& items) {
  return {{"type", "array"}, {"minItems", 1}, {"items", items}};
}

Json options_schema(const Json& options, const Json& itself, const std::set<std::string>& repeated,
                    Json& definitions) {
  Json properties = Json::object();
  for (const Json& option : options) {
    properties[option["name"].get<std::string>()] = option_schema(option, repeated, definitions);
  }
  return {{"properties", properties}, {"additionalProperties", false}, {"items", itself}};
}

Json given_options_schema(const Json& properties, const Json& options) {
  Json schema = properties;
  Json lists = Json::object();
  for (const Json& option : options) {
    if (takes_list(option)) {
      lists[option["name"].get<std::string>()] = true;
    }
  }
  if (!lists.empty()) {
    schema["properties"] = lists;
    schema["additionalProperties"] = {{"$ref", "#/$defs/single"}};
  }
  return schema;
}

bool has_list_option(const Json& options) {
  return std::any_of(options.begin(), options.end(), takes_list);
}

Json option_grid_schema() {
  const Json lists = {{"type", "object"},
                      {"minProperties", 1},
                      {"additionalProperties", {{"type", "array"}, {"minItems", 1}}}};
  Json product = lists;
  Json zip = lists;
  product["description"] = "every combination of these lists of values";
  zip["description"] = "first with first, second with second: lists of one length";
  const Json has_range = {{"type", "array"}, {"contains", {{"type", "object"}}}};
  const Json wanted = {
      {"type", "object"}, {"minProperties", 1}, {"additionalProperties", {{"not", has_range}}}};
  return {{"type", "object"},
          {"minProperties", 1},
          {"properties",
           {{"product", product},
            {"zip", zip},
            {"exclude",
             {{"type", "array"},
              {"minItems", 1},
              {"items", wanted},
              {"description", "combinations that are left out"}}}}},
          {"additionalProperties", false},
          {"anyOf", {{{"required", {"product"}}}, {{"required", {"zip"}}}}}};
}

Json range_schema() {
  return {{"type", "object"},
          {"properties",
           {{"from", {{"type", "number"}}},
            {"to", {{"type", "number"}}},
            {"step", {{"type", "number"}, {"exclusiveMinimum", 0}}},
            {"factor", {{"type", "number"}, {"exclusiveMinimum", 1}}}}},
          {"required", {"from", "to"}},
          {"not", {{"required", {"step", "factor"}}}},
          {"additionalProperties", false}};
}

Json single_schema() { return {{"type", {"boolean", "number", "string"}}}; }

}  // namespace spca
