/// Reads and checks a peer's JSON file.

#include "harness/peers/peer_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "harness/peers/peer_placeholders.h"
#include "spca/base/options_json.h"
#include "spca/io/json_node.h"
#include "spca/solving/tuning.h"

namespace spca {
namespace {

namespace fs = std::filesystem;

bool flag_or(const JsonNode& node, const std::string& key, bool otherwise) {
  const std::optional<JsonNode> flag = node.find(key);
  if (flag && !flag->json().is_boolean()) {
    flag->fail("true or false");
  }
  return flag ? flag->json().get<bool>() : otherwise;
}

double number_or(const JsonNode& node, const std::string& key, double otherwise) {
  const std::optional<JsonNode> number = node.find(key);
  return number ? number->number(-std::numeric_limits<double>::infinity()) : otherwise;
}

SparsityRule read_rule(const JsonNode& document) {
  const std::string rule = document.at("rule").choice({"cardinality", "penalty", "dense"});
  return rule == "cardinality" ? SparsityRule::kCardinality
         : rule == "penalty"   ? SparsityRule::kPenalty
                               : SparsityRule::kDense;
}

void read_value(const JsonNode& node, PeerOption& option) {
  const JsonNode value = node.at("default");
  const Json& json = value.json();
  const bool is_number = json.is_number();
  if (json.is_boolean()) {
    option.value = json.get<bool>();
  } else if (is_index(json)) {
    option.value = json.get<Index>();
  } else if (is_number) {
    option.value = json.get<double>();
  } else if (json.is_string()) {
    option.value = json.get<std::string>();
  } else {
    value.fail("a number, a word, true or false");
  }
  for (const char* key : {"minimum", "maximum"}) {
    if (const std::optional<JsonNode> limit = node.find(key); limit && !is_number) {
      limit->fail("no such key beside a default that is not a number");
    }
  }
  option.range.minimum = number_or(node, "minimum", option.range.minimum);
  option.range.maximum = number_or(node, "maximum", option.range.maximum);
  if (const std::optional<JsonNode> choices = node.find("choices")) {
    if (!json.is_string()) {
      choices->fail("no such key beside a default that is not a word");
    }
    option.choices = choices->words();
  }
}

std::vector<PeerOption> read_options(const JsonNode& document) {
  std::vector<PeerOption> options;
  const std::optional<JsonNode> list = document.find("options");
  if (!list || list->json() == Json::object()) {
    return options;
  }
  for (const auto& [name, node] : list->members()) {
    if (name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_-") != std::string::npos) {
      node.fail("a name of lower-case letters, digits, _ and -");
    }
    node.accept_keys({"default", "help", "minimum", "maximum", "choices"});
    PeerOption option{.name = name, .value = false, .help = node.at("help").word()};
    read_value(node, option);
    options.push_back(std::move(option));
    // The default must be a value that the option accepts.
    document.source().located(node.pointer(), [&] {
      PeerOptions only{.fields = {options.back()}};
      OptionWriter written;
      only.describe(written);
      const Json values = written.values();
      OptionReader reader(values, list->pointer());
      only.describe(reader);
      return true;
    });
  }
  return options;
}

void read_tuning(const JsonNode& document, const std::vector<PeerOption>& options, Traits& traits) {
  const std::optional<JsonNode> node = document.find("tuning");
  if (traits.rule != SparsityRule::kPenalty) {
    if (node) {
      node->fail("no such key unless the rule is penalty");
    }
    return;
  }
  for (const PeerOption& field : options) {
    if (field.name == kTruncateOption) {
      document.at("options").fail(
          "options of other names than \"truncate\", which the harness has");
    }
  }
  const JsonNode tuning = document.at("tuning");
  tuning.accept_keys({"option", "minimum", "maximum", "increasing", "logarithmic"});
  const JsonNode option = tuning.at("option");
  std::vector<std::string> numbers;
  for (const PeerOption& field : options) {
    if (std::holds_alternative<double>(field.value)) {
      numbers.push_back(field.name);
    }
  }
  if (numbers.empty()) {
    option.fail("an option whose default is a number with a decimal point; there is none");
  }
  traits.tuning.option = option.choice(numbers);
  traits.tuning.minimum = tuning.at("minimum").number(-std::numeric_limits<double>::infinity());
  traits.tuning.maximum = tuning.at("maximum").number(traits.tuning.minimum, true);
  traits.tuning.increasing = flag_or(tuning, "increasing", false);
  traits.tuning.logarithmic = flag_or(tuning, "logarithmic", false);
  if (traits.tuning.logarithmic) {
    tuning.at("minimum").number(0, true);
  }
}

/// Reads a command. An unknown placeholder is an error here, because passing it on would make the
/// program fail in an obscure way.
std::vector<std::string> read_command(const JsonNode& node,
                                      const std::vector<std::string>& accepted) {
  if (!node.json().is_array()) {
    node.fail("a list: the program, then its arguments; no shell splits a text");
  }
  std::vector<std::string> command;
  for (const JsonNode& element : node.elements()) {
    if (!element.json().is_string()) {
      element.fail("a word");
    }
    command.push_back(element.json().get<std::string>());
    for (const std::string& word : placeholders_in(command.back())) {
      if (std::find(accepted.begin(), accepted.end(), word) == accepted.end()) {
        node.source().fail(element.pointer(),
                           fmt::format("found the unknown word {{{}}}{}; accepted: {{{}}}", word,
                                       did_you_mean(word, accepted), join(accepted, "}, {")));
      }
    }
  }
  const std::string& program = command.front();
  const bool is_on_path = !program.empty() && program.find('/') == std::string::npos;
  if (!is_on_path && !program.starts_with('/') && !program.starts_with("{here}/")) {
    node.elements().front().fail(
        "the program: an absolute path, {here}/... for a file beside this one, or a name to be "
        "found on the PATH");
  }
  return command;
}

std::vector<PeerNeed> read_needs(const JsonNode& document) {
  std::vector<PeerNeed> needs;
  const std::optional<JsonNode> list = document.find("needs");
  const bool has_some = list && list->json() != Json::array();
  for (const JsonNode& node : has_some ? list->elements() : std::vector<JsonNode>()) {
    node.accept_keys({"command", "message"});
    needs.push_back({.command = read_command(node.at("command"), {"here"}),
                     .message = node.at("message").word()});
  }
  return needs;
}

/// Adds to `peer` the files in its folder that belong to it: those that its command names as
/// {here}/..., and those of "files". Their digests are part of the keys of cells, so that an edited
/// script does not get an old answer.
void read_files(const JsonNode& document, Peer& peer) {
  const fs::path folder = peer.file.parent_path();
  const auto add = [&](const JsonNode& node, const std::string& name) {
    if (!fs::exists(folder / name)) {
      node.fail(fmt::format("a file in {}", folder.string()));
    }
    if (fs::is_regular_file(folder / name)) {
      peer.files.push_back(folder / name);
    }
  };
  const std::string here = "{here}/";
  for (const JsonNode& node : document.at("command").elements()) {
    const std::string word = node.json().get<std::string>();
    const std::string name = word.substr(std::min(word.size(), here.size()));
    if (word.starts_with(here) && placeholders_in(name).empty()) {
      add(node, name);
    }
  }
  if (const std::optional<JsonNode> list = document.find("files")) {
    for (const JsonNode& node : list->elements()) {
      add(node, node.word());
    }
  }
}

std::string read_answer(const JsonNode& document) {
  const std::optional<JsonNode> node = document.find("answer");
  std::string name = node ? node->word() : "loadings.json";
  const std::vector<std::string> endings = {".json", ".npy", ".csv", ".mtx"};
  const bool has_ending = std::any_of(endings.begin(), endings.end(), [&](const auto& ending) {
    return name.ends_with(ending) && name.size() > ending.size();
  });
  if (!has_ending || name.find('/') != std::string::npos) {
    node->fail("a file name without a folder that ends in " + join(endings));
  }
  return name;
}

}  // namespace

Peer read_peer(const fs::path& file) {
  const JsonSource source(std::make_shared<const JsonText>(read_json_file(file)));
  const JsonNode document(source, source.text().json(), "");
  document.accept_keys({"summary", "problem", "source", "rule", "tuning", "multiple_components",
                        "seeded", "largest_p", "matrix", "format", "answer", "command", "files",
                        "needs", "options"});
  Peer peer;
  peer.name = "peers/" + file.stem().string();
  peer.file = fs::absolute(file).lexically_normal();
  peer.traits.summary = document.at("summary").word();
  peer.traits.problem = document.word_or("problem", "not stated by the peer's file");
  peer.traits.source = document.at("source").word();
  peer.traits.rule = read_rule(document);
  peer.traits.multiple_components = flag_or(document, "multiple_components", false);
  peer.traits.seeded = flag_or(document, "seeded", false);
  if (const std::optional<JsonNode> largest = document.find("largest_p")) {
    peer.traits.largest_p = largest->whole(1);
  }
  peer.options = read_options(document);
  read_tuning(document, peer.options, peer.traits);
  peer.matrix = document.at("matrix").choice({"covariance", "data"}) == "data"
                    ? PeerMatrix::kData
                    : PeerMatrix::kCovariance;
  const std::optional<JsonNode> format = document.find("format");
  if (format && format->choice({"npy", "matrix-market"}) == "matrix-market") {
    peer.format = PeerFormat::kMatrixMarket;
  }
  peer.answer = read_answer(document);
  std::vector<std::string> words = {"here",        "folder", "problem", "matrix",    "answer",
                                    "cardinality", "seed",   "threads", "components"};
  for (const PeerOption& option : peer.options) {
    words.push_back("options." + option.name);
  }
  peer.command = read_command(document.at("command"), words);
  peer.needs = read_needs(document);
  read_files(document, peer);
  return peer;
}

}  // namespace spca
