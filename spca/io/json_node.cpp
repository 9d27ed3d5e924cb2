#include "spca/io/json_node.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "spca/base/json_text.h"
#include "spca/base/text.h"
#include "spca/base/types.h"

namespace spca {
namespace {

/// At most this number of bytes of a value are quoted in a message: a whole grid would hide the
/// error.
constexpr std::size_t kLongestValue = 60;

std::string quote(const Json& json) {
  std::string text = json_line(json);
  if (text.size() > kLongestValue) {
    std::size_t end = kLongestValue;
    while ((static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) {
      --end;  // not in the middle of a character
    }
    text = text.substr(0, end) + "...";
  }
  return text;
}

}  // namespace

void JsonSource::merged_from(const std::string& written) {
  origins_.push_back({.pointer = "", .written = written, .option = "", .is_merged = true});
}

void JsonSource::set_from(const std::string& pointer, const std::string& written) {
  origins_.push_back({.pointer = pointer, .written = written, .option = ""});
}

void JsonSource::set_by(const std::string& pointer, const std::string& option) {
  origins_.push_back({.pointer = pointer, .written = "", .option = option});
}

void JsonSource::fail(const std::string& pointer, const std::string& message) const {
  // Begins with the last origin, because later origins override earlier ones.
  for (auto origin = origins_.rbegin(); origin != origins_.rend(); ++origin) {
    if (pointer != origin->pointer && !pointer.starts_with(origin->pointer + "/")) {
      continue;
    }
    if (!origin->option.empty()) {
      throw InputError(fmt::format("{}: {}: {}", printable(origin->option), printable(pointer),
                                   printable(message)));
    }
    const std::string written = origin->written + pointer.substr(origin->pointer.size());
    if (!origin->is_merged || text_->has(written)) {
      text_->fail(written, message);
    }
  }
  text_->fail(pointer, message);
}

void JsonSource::fail_with(const std::string& pointer, const std::string& message) const {
  const std::size_t end = message.find(": ");
  if (end == std::string::npos || !message.starts_with(pointer)) {
    fail(pointer, message);
  }
  fail(message.substr(0, end), message.substr(end + 2));
}

void JsonNode::fail(const std::string& accepted) const {
  source_->fail(pointer_, fmt::format("found {}; accepted: {}", quote(*json_), accepted));
}

void JsonNode::accept_keys(const std::vector<std::string>& keys) const {
  if (!json_->is_object()) {
    fail("an object with " + join(keys));
  }
  for (const auto& [key, value] : json_->items()) {
    if (std::find(keys.begin(), keys.end(), key) == keys.end()) {
      source_->fail(
          pointer_ + "/" + pointer_step(key),
          fmt::format("found an unknown key{}; accepted: {}", did_you_mean(key, keys), join(keys)));
    }
  }
}

std::optional<JsonNode> JsonNode::find(const std::string& key) const {
  const auto position = json_->find(key);
  if (position == json_->end()) {
    return std::nullopt;
  }
  return JsonNode(*source_, *position, pointer_ + "/" + pointer_step(key));
}

JsonNode JsonNode::at(const std::string& key) const {
  const std::optional<JsonNode> node = find(key);
  if (!node) {
    source_->fail(pointer_, fmt::format("found no \"{0}\"; accepted: an object with \"{0}\"", key));
  }
  return *node;
}

std::vector<std::pair<std::string, JsonNode>> JsonNode::members() const {
  if (!json_->is_object() || json_->empty()) {
    fail("an object with at least one member");
  }
  std::vector<std::pair<std::string, JsonNode>> members;
  for (const auto& [key, value] : json_->items()) {
    members.emplace_back(key, JsonNode(*source_, value, pointer_ + "/" + pointer_step(key)));
  }
  return members;
}

std::vector<JsonNode> JsonNode::elements() const {
  if (!json_->is_array() || json_->empty()) {
    fail("a list with at least one element");
  }
  std::vector<JsonNode> elements;
  for (std::size_t i = 0; i < json_->size(); ++i) {
    elements.emplace_back(*source_, (*json_)[i], fmt::format("{}/{}", pointer_, i));
  }
  return elements;
}

std::string JsonNode::word() const {
  if (!json_->is_string() || json_->get_ref<const std::string&>().empty()) {
    fail("a word");
  }
  const auto& text = json_->get_ref<const std::string&>();
  // Words become labels: a line feed would break tables, an escape the terminal.
  if (printable(text) != text) {
    fail("a word without control characters");
  }
  return text;
}

bool JsonNode::truth() const {
  if (!json_->is_boolean()) {
    fail("true or false");
  }
  return json_->get<bool>();
}

Index JsonNode::whole(Index minimum) const {
  // An unsigned number beyond the range of Index would come back negative.
  if (!json_->is_number_integer() || json_->get<Index>() < minimum) {
    fail(fmt::format("a whole number >= {}", minimum));
  }
  return json_->get<Index>();
}

double JsonNode::number(double minimum, bool minimum_excluded) const {
  const double value = json_->is_number() ? json_->get<double>() : kNotMeasured;
  if (!std::isfinite(value) || value < minimum || (minimum_excluded && value == minimum)) {
    fail(minimum <= std::numeric_limits<double>::lowest()
             ? "a number"
             : fmt::format("a number {} {}", minimum_excluded ? ">" : ">=", minimum));
  }
  return value;
}

std::vector<std::string> JsonNode::words() const {
  if (json_->is_string()) {
    return {word()};
  }
  std::vector<std::string> words;
  for (const JsonNode& element : elements()) {
    words.push_back(element.word());
  }
  return words;
}

std::string JsonNode::choice(const std::vector<std::string>& accepted) const {
  std::string chosen = word();
  if (std::find(accepted.begin(), accepted.end(), chosen) == accepted.end()) {
    source_->fail(pointer_, fmt::format("found \"{}\"{}; accepted: {}", chosen,
                                        did_you_mean(chosen, accepted), join(accepted)));
  }
  return chosen;
}

std::string JsonNode::word_or(const std::string& key, const std::string& otherwise) const {
  const std::optional<JsonNode> node = find(key);
  return node ? node->word() : otherwise;
}

std::vector<std::string> JsonNode::words_or_none(const std::string& key) const {
  const std::optional<JsonNode> node = find(key);
  return node ? node->words() : std::vector<std::string>();
}

}  // namespace spca
