#include "spca/io/json_pointer.h"

#include <fmt/format.h>

#include <charconv>
#include <nlohmann/json.hpp>

#include "spca/base/error.h"
#include "spca/base/json_text.h"

namespace spca {
namespace {

std::string type_with_article(const Json& json) {
  switch (json.type()) {
    case Json::value_t::null:
      return "null";
    case Json::value_t::boolean:
      return json_line(json);
    case Json::value_t::string:
      return "a word";
    default:
      return "a number";
  }
}

/// Returns the member or element of `container` that one step of `pointer` names; `around` is the
/// pointer of the container.
Json& member_at(Json& container, const std::string& key, const std::string& pointer,
                const std::string& around) {
  const std::string place = around.empty() ? "/" : around;
  if (container.is_object()) {
    const auto position = container.find(key);
    if (position == container.end()) {
      std::vector<std::string> keys;
      for (const auto& [name, value] : container.items()) {
        keys.push_back(name);
      }
      throw InputError(fmt::format("{}: found no \"{}\"{}; accepted in {}: {}", pointer, key,
                                   did_you_mean(key, keys), place, join(keys)));
    }
    return *position;
  }
  if (container.is_array()) {
    std::size_t index = 0;
    const char* end = key.data() + key.size();
    const auto [rest, error] = std::from_chars(key.data(), end, index);
    if (error != std::errc() || rest != end || index >= container.size()) {
      throw InputError(fmt::format(
          "{}: found no element {}; accepted in {}: {}", pointer, key, place,
          container.empty() ? "- (a new element)"
                            : fmt::format("0 to {}, - (a new element)", container.size() - 1)));
    }
    return container[index];
  }
  throw InputError(fmt::format("{}: found {} at {}; accepted there: an object or a list", pointer,
                               type_with_article(container), place));
}

}  // namespace

std::string pointer_step(std::string_view key) {
  std::string step;
  for (const char letter : key) {
    step += letter == '~' ? "~0" : letter == '/' ? "~1" : std::string(1, letter);
  }
  return step;
}

std::vector<std::string> pointer_keys(const std::string& pointer) {
  if (!pointer.empty() && pointer.front() != '/') {
    throw InputError(
        fmt::format("{}: found no \"/\" at its beginning; accepted: a JSON pointer, such as "
                    "/grids/name/repeats",
                    pointer));
  }
  std::vector<std::string> keys;
  for (std::size_t i = 0; i < pointer.size(); ++i) {
    const char next = i + 1 < pointer.size() ? pointer[i + 1] : ' ';
    if (pointer[i] == '/') {
      keys.emplace_back();
    } else if (pointer[i] == '~' && (next == '0' || next == '1')) {
      keys.back() += next == '0' ? '~' : '/';
      ++i;
    } else {
      keys.back() += pointer[i];
    }
  }
  return keys;
}

std::string set_at(Json& document, const std::string& pointer, const Json& value) {
  const std::vector<std::string> keys = pointer_keys(pointer);
  if (keys.empty()) {
    throw InputError("/: found the whole document; accepted: a pointer to something in it");
  }
  const std::string& last = keys.back();
  std::string around = pointer.substr(0, pointer.rfind('/'));
  Json* container = &document;
  std::string reached;
  for (std::size_t i = 0; i + 1 < keys.size(); ++i) {
    container = &member_at(*container, keys[i], pointer, reached);
    reached += fmt::format("/{}", pointer_step(keys[i]));
  }
  if (value.is_null()) {
    member_at(*container, last, pointer, reached);
    container->is_array() ? container->erase(std::stoul(last))
                          : static_cast<void>(container->erase(last));
    return around;
  }
  if (container->is_array() && last == "-") {
    container->push_back(value);
    return fmt::format("{}/{}", around, container->size() - 1);
  }
  if (container->is_object()) {
    (*container)[last] = value;
  } else {
    member_at(*container, last, pointer, reached) = value;
  }
  return pointer;
}

}  // namespace spca
