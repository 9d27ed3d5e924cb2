#include "harness/experiments/schema_options.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

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

/// The schema of one value, without the purpose of the option.
Json value_schema(const Json& option) {
  const std::string type = option["type"];
  Json schema = {{"type", type == "numbers" ? "number" : type == "list" ? "string" : type}};
  for (const auto& [ours, theirs] : {std::pair{"minimum", "minimum"},
                                     {"exclusive_minimum", "exclusiveMinimum"},
                                     {"maximum", "maximum"},
                                     {"exclusive_maximum", "exclusiveMaximum"}}) {
    if (option.contains(ours)) {
      schema[theirs] = limit(option[ours]);
    }
  }
  if (option.contains("choices")) {
    schema["enum"] = option["choices"];
  }
  return schema;
}

Json option_schema(const Json& option) {
  const std::string type = option["type"];
  Json schema = value_schema(option);
  if (type == "numbers" || type == "list") {
    const Json list = {{"type", "array"}, {"minItems", 1}, {"items", schema}};
    schema = {{"anyOf", {schema, list}}};
  }
  schema["default"] = option["default"];
  schema["description"] = option["help"];
  return schema;
}

}  // namespace

Json options_schema(const Json& options) {
  Json properties = Json::object();
  for (const Json& option : options) {
    properties[option["name"].get<std::string>()] = option_schema(option);
  }
  return {{"type", "object"}, {"properties", properties}, {"additionalProperties", false}};
}

Json option_grid_schema(const Json& references, const Json& options) {
  Json lists = Json::object();
  Json wanted = Json::object();
  for (const auto& [option, reference] : references.items()) {
    Json values = Json::array({reference});
    for (const Json& description : options) {
      if (description["name"] == option && is_numeric(description["type"])) {
        values.push_back({{"$ref", "#/$defs/range"}});
      }
    }
    const Json items = values.size() == 1 ? values[0] : Json{{"anyOf", values}};
    lists[option] = {{"type", "array"}, {"minItems", 1}, {"items", items}};
    wanted[option] = {
        {"anyOf", {reference, {{"type", "array"}, {"minItems", 1}, {"items", reference}}}}};
  }
  Json axes = {{"type", "object"}, {"minProperties", 1}};
  Json exclusion = axes;
  if (!references.empty() || options.is_array()) {
    axes["properties"] = lists;
    axes["additionalProperties"] = false;
    exclusion["properties"] = wanted;
    exclusion["additionalProperties"] = false;
  }
  Json product = axes;
  Json zip = axes;
  product["description"] = "every combination of these lists of values";
  zip["description"] = "first with first, second with second: lists of one length";
  return {{"type", "object"},
          {"minProperties", 1},
          {"properties",
           {{"product", product},
            {"zip", zip},
            {"exclude",
             {{"type", "array"},
              {"minItems", 1},
              {"items", exclusion},
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

}  // namespace spca
