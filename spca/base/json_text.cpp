#include "spca/base/json_text.h"

#include <nlohmann/json.hpp>

namespace spca {

Json parse_json(std::string_view text) { return Json::parse(text, nullptr, false); }

std::string json_line(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string json_lines(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace) + "\n";
}

namespace {

void append_to_depth(const Json& json, int depth, std::string& text) {
  if (depth == 0 || !json.is_structured() || json.empty()) {
    text += json_line(json);
    return;
  }
  text += json.is_object() ? '{' : '[';
  const char* separator = "\n";
  for (const auto& [key, value] : json.items()) {
    text += separator;
    text += json.is_object() ? json_line(Json(key)) + ":" : "";
    append_to_depth(value, depth - 1, text);
    separator = ",\n";
  }
  text += json.is_object() ? "\n}" : "\n]";
}

}  // namespace

std::string json_lines_to_depth(const Json& json, int depth) {
  std::string text;
  append_to_depth(json, depth, text);
  return text + "\n";
}

}  // namespace spca
