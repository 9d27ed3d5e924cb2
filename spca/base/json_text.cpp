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

}  // namespace spca
