#include "harness/instances/answer_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <set>
#include <utility>

#include "spca/base/error.h"
#include "spca/base/text.h"
#include "spca/data/readers/csv.h"
#include "spca/io/json_node.h"

namespace spca {
namespace {

constexpr const char* kCsvHeader = "id,variable, with component and loading where they are needed";

/// The members of an answer. It has one of support, supports and loadings.
const std::vector<std::string> kAnswerMembers = {"id",       "support", "supports",
                                                 "loadings", "value",   "found_by"};
/// The members of an instance of the library, as its file and `spca instances` print it.
const std::vector<std::string> kInstanceMembers = {"id",      "data",   "r",       "k",     "best",
                                                   "bound",   "status", "gap",     "class", "p",
                                                   "problem", "metric", "has_data"};

/// Returns the place of a value, which opens a message about it.
std::string place_of(const JsonNode& node) {
  return fmt::format("{}: {}", node.source().text().place(node.pointer()),
                     node.pointer().empty() ? "/" : node.pointer());
}

std::string variable_word(const JsonNode& node) {
  return node.json().is_string() ? node.word() : std::to_string(node.whole(0));
}

SubmittedComponent given_support(const JsonNode& node) {
  SubmittedComponent component;
  for (const JsonNode& variable : node.elements()) {
    component.variables.push_back(variable_word(variable));
    component.places.push_back(place_of(variable));
  }
  return component;
}

/// Returns the nonzeros of a list of the loadings of all variables.
SubmittedComponent listed_loadings(const JsonNode& node) {
  SubmittedComponent component;
  component.place = place_of(node);
  for (const JsonNode& value : node.elements()) {
    const double loading = value.number(std::numeric_limits<double>::lowest());
    if (loading != 0) {
      component.variables.push_back(std::to_string(component.listed));
      component.places.push_back(place_of(value));
      component.loadings.push_back(loading);
    }
    ++component.listed;
  }
  if (component.variables.empty()) {
    node.fail("loadings of all variables, not all of them 0");
  }
  return component;
}

SubmittedComponent given_loadings(const JsonNode& node) {
  if (node.json().is_array()) {
    return listed_loadings(node);
  }
  if (!node.json().is_object()) {
    node.fail("an object with indices and values, or a list of the loadings of all variables");
  }
  node.accept_keys({"indices", "values"});
  SubmittedComponent component = given_support(node.at("indices"));
  for (const JsonNode& value : node.at("values").elements()) {
    component.loadings.push_back(value.number(std::numeric_limits<double>::lowest()));
  }
  if (component.loadings.size() != component.variables.size()) {
    node.at("values").fail(
        fmt::format("{} numbers, one for each index", component.variables.size()));
  }
  return component;
}

std::vector<SubmittedComponent> given_components(const JsonNode& node) {
  const auto loadings = node.find("loadings");
  const auto supports = node.find("supports");
  const auto support = node.find("support");
  std::vector<SubmittedComponent> components;
  if (loadings) {
    const std::vector<JsonNode> elements = loadings->elements();
    if (!elements.empty() && elements.front().json().is_number()) {
      return {listed_loadings(*loadings)};
    }
    for (const JsonNode& one : elements) {
      components.push_back(given_loadings(one));
    }
  } else if (supports) {
    for (const JsonNode& one : supports->elements()) {
      components.push_back(given_support(one));
    }
  } else if (support) {
    components.push_back(given_support(*support));
  } else {
    node.fail("an answer with \"support\", \"supports\" or \"loadings\"");
  }
  return components;
}

/// Refuses an answer that has unknown members, or says more than once which variables it has.
void check_members(const JsonNode& node) {
  node.accept_keys(kAnswerMembers);
  std::vector<std::string> given;
  for (const char* name : {"support", "supports", "loadings"}) {
    if (node.find(name)) {
      given.emplace_back(name);
    }
  }
  if (given.size() > 1) {
    node.source().fail(node.pointer(), fmt::format("found {}; accepted: one of them", join(given)));
  }
}

SubmittedAnswer given_answer(const JsonNode& node) {
  SubmittedAnswer answer;
  answer.id = node.at("id").word();
  answer.place = place_of(node);
  const auto best = node.find("best");  // of an instance of the library
  if (best) {
    node.accept_keys(kInstanceMembers);
    best->accept_keys({"value", "supports", "loadings", "found_by"});
  } else {
    check_members(node);
  }
  const JsonNode& content = best ? *best : node;
  answer.components = given_components(content);
  answer.found_by = best ? "" : node.word_or("found_by", "");
  if (const auto value = content.find("value")) {
    answer.value = value->number(std::numeric_limits<double>::lowest());
  }
  return answer;
}

std::vector<SubmittedAnswer> read_json_answers(const std::filesystem::path& path) {
  const auto text = std::make_shared<const JsonText>(read_json_file(path));
  const JsonSource source(text);
  const JsonNode document(source, text->json(), "");
  const auto library = text->json().is_object() ? document.find("instances") : std::nullopt;
  const JsonNode& answers = library ? *library : document;
  if (!answers.json().is_array()) {
    return {given_answer(answers)};
  }
  std::vector<SubmittedAnswer> all;
  for (const JsonNode& one : answers.elements()) {
    all.push_back(given_answer(one));
  }
  return all;
}

/// Reads the lines of a CSV file of answers.
class CsvAnswers {
 public:
  explicit CsvAnswers(std::string file) : file_(std::move(file)) {}

  void read_header(const CsvRow& row) {
    const std::vector<std::string> accepted = {"id",      "component", "variable",
                                               "loading", "value",     "found_by"};
    for (std::size_t i = 0; i < row.fields.size(); ++i) {
      const std::string name(trim(row.fields[i]));
      if (std::find(accepted.begin(), accepted.end(), name) == accepted.end()) {
        refuse(row, fmt::format("the column {}{}", in_quotes(name), did_you_mean(name, accepted)),
               join(accepted));
      }
      if (!columns_.try_emplace(name, i).second) {
        refuse(row, fmt::format("two columns {}", name), "each column once");
      }
    }
    for (const char* column : {"id", "variable"}) {
      if (!columns_.contains(column)) {
        refuse(row, fmt::format("no column {}", column), fmt::format("the header {}", kCsvHeader));
      }
    }
    has_loadings_ = columns_.contains("loading");
    width_ = row.fields.size();
  }

  void add(const CsvRow& row) {
    if (row.fields.size() != width_) {
      const std::size_t count = row.fields.size();
      refuse(row, fmt::format("{} field{}", count, count == 1 ? "" : "s"),
             fmt::format("{}", width_));
    }
    SubmittedAnswer& answer = answer_of(row);
    const std::string number = columns_.contains("component") ? field(row, "component") : "1";
    const auto component = parse_integer(number);
    if (!component || *component < 1 ||
        *component > static_cast<std::int64_t>(answer.components.size()) + 1) {
      refuse(row, in_quotes(number), "the number of a component, which count from 1 in order");
    }
    answer.components.resize(
        std::max(answer.components.size(), static_cast<std::size_t>(*component)));
    SubmittedComponent& of = answer.components[static_cast<std::size_t>(*component) - 1];
    of.variables.push_back(field(row, "variable"));
    of.places.push_back(fmt::format("{}:{}", file_, row.line));
    if (has_loadings_) {
      of.loadings.push_back(number_in(row, "loading"));
    }
    add_source_and_value(row, answer);
  }

  std::vector<SubmittedAnswer> answers() && { return std::move(answers_); }

 private:
  [[noreturn]] void refuse(const CsvRow& row, const std::string& found,
                           const std::string& accepted) const {
    throw InputError(
        fmt::format("{}:{}: found {}; accepted: {}", file_, row.line, found, accepted));
  }

  std::string field(const CsvRow& row, const char* column) const {
    std::string text(trim(row.fields[columns_.at(column)]));
    if (text.empty()) {
      refuse(row, fmt::format("no {}", column), "a value in each field");
    }
    return text;
  }

  /// Returns whether the file has the column, and the row a text in it.
  bool has_field(const CsvRow& row, const char* column) const {
    const auto found = columns_.find(column);
    return found != columns_.end() && !trim(row.fields[found->second]).empty();
  }

  void add_source_and_value(const CsvRow& row, SubmittedAnswer& answer) const {
    if (has_field(row, "found_by")) {
      const std::string found_by = field(row, "found_by");
      if (!answer.found_by.empty() && answer.found_by != found_by) {
        refuse(row, in_quotes(found_by),
               fmt::format("one source of {}, {} as above", answer.id, in_quotes(answer.found_by)));
      }
      answer.found_by = found_by;
    }
    if (has_field(row, "value")) {
      const double value = number_in(row, "value");
      if (!std::isnan(answer.value) && answer.value != value) {
        refuse(row, in_quotes(field(row, "value")),
               fmt::format("one value of {}, {} as above", answer.id, answer.value));
      }
      answer.value = value;
    }
  }

  double number_in(const CsvRow& row, const char* column) const {
    const std::string text = field(row, column);
    const auto number = parse_number(text);
    if (!number || !std::isfinite(*number)) {
      refuse(row, in_quotes(text), "a finite number");
    }
    return *number;
  }

  SubmittedAnswer& answer_of(const CsvRow& row) {
    const std::string id = field(row, "id");
    const auto [found, is_new] = by_id_.try_emplace(id, answers_.size());
    if (is_new) {
      answers_.push_back({.id = id,
                          .place = fmt::format("{}:{}", file_, row.line),
                          .components = {},
                          .found_by = ""});
    }
    return answers_[found->second];
  }

  std::string file_;
  std::map<std::string, std::size_t> columns_;
  std::size_t width_ = 0;
  bool has_loadings_ = false;
  std::map<std::string, std::size_t> by_id_;
  std::vector<SubmittedAnswer> answers_;
};

std::vector<SubmittedAnswer> read_csv_answers(const std::filesystem::path& path) {
  const std::vector<CsvRow> rows = read_csv_rows(path);
  if (rows.size() < 2) {
    throw InputError(
        fmt::format("{}: found no answers; accepted: the header {} and a line for each "
                    "nonzero",
                    path.string(), kCsvHeader));
  }
  CsvAnswers answers(path.string());
  answers.read_header(rows.front());
  for (std::size_t i = 1; i < rows.size(); ++i) {
    answers.add(rows[i]);
  }
  return std::move(answers).answers();
}

/// Returns the index of a variable that is given by its index or its name.
Index variable_index(const std::string& word, const std::string& place, const Dataset& dataset) {
  const Index p = dataset.covariance->variables();
  if (const auto number = parse_integer(word); number && *number >= 0 && *number < p) {
    return *number;
  }
  const std::vector<std::string>& names = dataset.variable_names;
  const auto found = std::find(names.begin(), names.end(), word);
  if (found == names.end()) {
    throw InputError(fmt::format("{}: found the variable {}; accepted: 0 to {}{}", place,
                                 in_quotes(word), p - 1, names.empty() ? "" : ", or a name"));
  }
  if (std::find(found + 1, names.end(), word) != names.end()) {
    throw InputError(
        fmt::format("{}: found the name {}, which several variables have; accepted: an index",
                    place, in_quotes(word)));
  }
  return found - names.begin();
}

/// Returns the component with ascending indices; without loadings its values are empty.
Component resolve_component(const SubmittedComponent& one, const Dataset& dataset) {
  const Index p = dataset.covariance->variables();
  if (one.listed > 0 && std::cmp_not_equal(one.listed, p)) {
    throw InputError(fmt::format("{}: found {} loadings; accepted: {}, one for each variable",
                                 one.place, one.listed, p));
  }
  std::vector<Index> variables;
  for (std::size_t i = 0; i < one.variables.size(); ++i) {
    variables.push_back(variable_index(one.variables[i], one.places[i], dataset));
  }
  std::vector<std::size_t> order(variables.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return variables[a] < variables[b]; });
  Component component;
  component.values.resize(std::ssize(one.loadings));
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Index variable = variables[order[i]];
    if (!component.support.empty() && component.support.back() == variable) {
      throw InputError(fmt::format("{}: found variable {} twice; accepted: once",
                                   one.places[order[i]], in_quotes(one.variables[order[i]])));
    }
    component.support.push_back(variable);
    if (!one.loadings.empty()) {
      component.values[static_cast<Index>(i)] = one.loadings[order[i]];
    }
  }
  return component;
}

void refuse_zeros(const SubmittedComponent& one) {
  const auto zero = std::find(one.loadings.begin(), one.loadings.end(), 0.0);
  if (zero != one.loadings.end()) {
    throw InputError(
        fmt::format("{}: found the loading 0; accepted: nonzeros",
                    one.places[static_cast<std::size_t>(zero - one.loadings.begin())]));
  }
}

}  // namespace

std::vector<SubmittedAnswer> read_answers(const std::filesystem::path& path) {
  const std::string ending = lower_case(path.extension().string());
  if (ending == ".json") {
    return read_json_answers(path);
  }
  if (ending == ".csv") {
    return read_csv_answers(path);
  }
  throw InputError(
      fmt::format("{}: found no known ending; accepted: FILE.json or FILE.csv", path.string()));
}

ResolvedAnswer resolve_answer(const SubmittedAnswer& given, const InstanceClass& of,
                              const Dataset& dataset) {
  std::vector<Component> components;
  for (const SubmittedComponent& one : given.components) {
    components.push_back(resolve_component(one, dataset));
    if (!of.needs_loadings()) {
      refuse_zeros(one);
    }
  }
  const bool has_loadings = !given.components.front().loadings.empty();
  ResolvedAnswer resolved{.answer = {},
                          .given_loadings = has_loadings ? components : std::vector<Component>{}};
  BestAnswer& answer = resolved.answer;
  answer.found_by = {.solver = given.found_by, .version = "", .options = nullptr};
  if (of.has_common_support) {
    std::set<Index> rows;
    for (const Component& component : components) {
      rows.insert(component.support.begin(), component.support.end());
    }
    answer.supports = {Support(rows.begin(), rows.end())};
    return resolved;
  }
  for (const Component& component : components) {
    answer.supports.push_back(component.support);
    if (of.needs_loadings() && component.values.size() == 0) {
      throw InputError(fmt::format(
          "{}: found supports alone, from which the loadings of class {} do not follow; accepted: "
          "loadings",
          given.place, of.name));
    }
  }
  if (of.needs_loadings()) {
    answer.loadings = std::move(components);
  }
  return resolved;
}

}  // namespace spca
