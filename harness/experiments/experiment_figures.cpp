#include "harness/experiments/experiment_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "harness/experiments/experiment_match.h"
#include "spca/base/error.h"
#include "spca/base/json_text.h"
#include "spca/io/embedded.h"
#include "spca/io/json_node.h"

namespace spca {
namespace {

/// Returns the options and defaults that the line OPTIONS of a kind's file declares.
Json declared_options(std::string_view text) {
  constexpr std::string_view kMark = "\nOPTIONS = ";
  const std::size_t mark = text.find(kMark);
  SPCA_CHECK(mark != std::string_view::npos, "a kind of figure without a line OPTIONS = {...}");
  const std::size_t begin = mark + kMark.size();
  return parse_json(text.substr(begin, text.find('\n', begin) - begin));
}

/// Reads the value of one option. `declared` is its default, or the list of its accepted words.
Json read_option(const JsonNode& node, const Json& declared) {
  if (declared.is_array()) {
    return node.choice(declared.get<std::vector<std::string>>());
  }
  if (declared.is_number()) {
    return node.whole(1);
  }
  return read_metric(node);
}

std::string read_name(const JsonNode& node) {
  std::string name = node.word();
  if (name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-_") != std::string::npos) {
    node.fail("lower-case letters, digits, - and _: it names a file");
  }
  return name;
}

}  // namespace

const std::map<std::string, Json>& figure_kinds() {
  static const std::map<std::string, Json> kinds = [] {
    constexpr std::string_view kSuffix = ".py";
    std::map<std::string, Json> found;
    for (const std::string_view file : embedded_names()) {
      const bool is_recipe = file.find('/') != std::string_view::npos;  // of datasets/recipes
      if (file.ends_with(kSuffix) && !is_recipe) {
        std::string kind(file.substr(0, file.size() - kSuffix.size()));
        std::replace(kind.begin(), kind.end(), '_', '-');
        found.emplace(kind, declared_options(embedded_file(file)));
      }
    }
    return found;
  }();
  return kinds;
}

const std::vector<std::string>& figure_keys() {
  static const std::vector<std::string> keys = {"kind", "name", "title", "where"};
  return keys;
}

FigureSpec read_figure(const JsonNode& node) {
  std::vector<std::string> kinds;
  for (const auto& [kind, options] : figure_kinds()) {
    kinds.push_back(kind);
  }
  FigureSpec figure;
  figure.kind = node.at("kind").choice(kinds);
  const Json& declared = figure_kinds().at(figure.kind);
  std::vector<std::string> keys = figure_keys();
  figure.options = Json::object();
  for (const auto& [option, value] : declared.items()) {
    keys.push_back(option);
    figure.options[option] = value.is_array() ? value.front() : value;
  }
  node.accept_keys(keys);
  for (const auto& [option, value] : declared.items()) {
    if (const std::optional<JsonNode> given = node.find(option)) {
      figure.options[option] = read_option(*given, value);
    }
  }
  const std::optional<JsonNode> name = node.find("name");
  figure.name = name ? read_name(*name) : figure.kind;
  figure.title = node.at("title").word();
  if (const std::optional<JsonNode> where = node.find("where")) {
    figure.where = read_match(*where);
  }
  return figure;
}

}  // namespace spca
