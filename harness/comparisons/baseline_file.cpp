#include "harness/comparisons/baseline_file.h"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "harness/experiments/experiment_match.h"
#include "harness/records/manifest.h"
#include "spca/base/error.h"
#include "spca/base/json_text.h"
#include "spca/base/text.h"
#include "spca/io/json_file.h"

namespace spca {
namespace {

/// The newest version. In version 1, every repeat has its own loadings. A file in which they all do
/// is written as version 1, which older programs read.
constexpr Index kBaselineVersion = 2;

/// Rounds a loading to kLoadingDigits.
double rounded(double value) { return std::stod(fmt::format("{:.{}g}", value, kLoadingDigits)); }

Json components_json(const std::vector<Component>& components) {
  Json list = Json::array();
  for (const Component& component : components) {
    std::vector<double> values;
    for (const double value : component.values) {
      values.push_back(rounded(value));
    }
    list.push_back({{"indices", component.support}, {"values", values}});
  }
  return list;
}

/// Returns a list with one number or word for each repeat.
template <class Value>
Json by_repeat(const ComparedCell& cell, Value value) {
  Json list = Json::array();
  for (const ComparedRepeat& repeat : cell.repeats) {
    list.push_back(value(repeat));
  }
  return list;
}

/// Joins `items`, one on each line, between brackets.
std::string lines(const std::vector<std::string>& items, char open, char close,
                  const std::string& indent) {
  if (items.empty()) {
    return {open, close};
  }
  return fmt::format("{}\n{}  {}\n{}{}", open, indent, join(items, ",\n" + indent + "  "), indent,
                     close);
}

std::string member(const std::string& key, const std::string& text) {
  return fmt::format("{}: {}", json_line(key), text);
}

std::string metrics_text(const ComparedCell& cell) {
  std::vector<std::string> members;
  for (const std::string& name : cell.metric_names()) {
    members.push_back(member(name, json_line(by_repeat(cell, [&](const ComparedRepeat& repeat) {
                               return number_to_json(repeat.value(name));
                             }))));
  }
  return lines(members, '{', '}', "      ");
}

/// Stores which cell was the first to have an answer in a repeat. Most solvers find the same
/// answer, so a file with all loadings of all cells would be several times as long.
class FirstCells {
 public:
  /// Returns the number of the first cell with these loadings in this repeat: `cell` if no earlier
  /// one had them.
  std::size_t first_with(Index repeat, const std::string& loadings, std::size_t cell) {
    const std::size_t first = cells_.emplace(std::pair(repeat, loadings), cell).first->second;
    is_shared_ = is_shared_ || first != cell;
    return first;
  }
  /// Returns true if a later cell had the loadings of an earlier one.
  bool is_shared() const { return is_shared_; }

 private:
  bool is_shared_ = false;
  std::map<std::pair<Index, std::string>, std::size_t> cells_;
};

/// Returns the loadings of each repeat, or the number of the earlier cell that has the same ones.
/// Without `first_cells`, all loadings are written.
std::string loadings_text(const ComparedCell& cell, std::size_t number, FirstCells* first_cells) {
  std::vector<std::string> items;
  bool has_loadings = false;
  for (const ComparedRepeat& repeat : cell.repeats) {
    items.push_back(json_line(components_json(repeat.components)));
    const std::size_t first = first_cells == nullptr || repeat.components.empty()
                                  ? number
                                  : first_cells->first_with(repeat.repeat, items.back(), number);
    if (first < number) {
      items.back() = fmt::format("{}", first);
    } else {
      has_loadings = true;
    }
  }
  return has_loadings ? lines(items, '[', ']', "      ") : "[" + join(items, ",") + "]";
}

std::string cell_text(const ComparedCell& cell, std::size_t number = 0,
                      FirstCells* first_cells = nullptr) {
  const auto list = [&](auto value) { return json_line(by_repeat(cell, value)); };
  std::vector<std::string> members = {
      member("grid", json_line(cell.grid)),
      member("dataset", json_line(cell.dataset)),
      member("solver", json_line(cell.solver)),
      member("deflation", json_line(cell.deflation)),
      member("cardinality", json_line(cell.cardinality)),
      member("dataset_name", json_line(cell.dataset_name)),
      member("dataset_options", json_line(cell.dataset_options)),
      member("solver_name", json_line(cell.solver_name)),
      member("solver_options", json_line(cell.solver_options)),
      member("unconstrained", json_line(cell.unconstrained)),
      member("repeats", list([](const ComparedRepeat& repeat) { return repeat.repeat; })),
      member("seeds", list([](const ComparedRepeat& repeat) { return repeat.seed; })),
      member("status", list([](const ComparedRepeat& r) { return status_name(r.status); })),
      member("messages", list([](const ComparedRepeat& repeat) { return repeat.message; })),
      member("contended", list([](const ComparedRepeat& repeat) { return repeat.contended; })),
      member("metrics", metrics_text(cell)),
      member("loadings", loadings_text(cell, number, first_cells))};
  if (!cell.data_checksum.empty()) {
    members.push_back(member("data_checksum", json_line(cell.data_checksum)));
  }
  return lines(members, '{', '}', "    ");
}

// The functions below read the output of the functions above.

/// Returns the elements of a list that may be empty.
std::vector<JsonNode> items(const JsonNode& node) {
  if (!node.json().is_array()) {
    node.fail("a list");
  }
  return node.json().empty() ? std::vector<JsonNode>() : node.elements();
}

/// Returns the elements of a list with one element for each repeat.
std::vector<JsonNode> items(const JsonNode& node, std::size_t count) {
  std::vector<JsonNode> list = items(node);
  if (list.size() != count) {
    node.fail(fmt::format("a list of {} elements, one a repeat", count));
  }
  return list;
}

std::string text(const JsonNode& node) {
  if (!node.json().is_string()) {
    node.fail("a word, which may be empty");
  }
  return node.json().get<std::string>();
}

bool boolean(const JsonNode& node) {
  if (!node.json().is_boolean()) {
    node.fail("true, false");
  }
  return node.json().get<bool>();
}

Json object(const JsonNode& node) {
  if (!node.json().is_object()) {
    node.fail("an object");
  }
  return node.json();
}

double finite(const JsonNode& node) {
  if (!node.json().is_number() || !std::isfinite(node.json().get<double>())) {
    node.fail("a number");
  }
  return node.json().get<double>();
}

std::uint64_t seed(const JsonNode& node) {
  if (!node.json().is_number_unsigned()) {
    node.fail("a whole number from 0 to 18446744073709551615");
  }
  return node.json().get<std::uint64_t>();
}

/// Reads strictly ascending whole numbers from 0.
std::vector<Index> ascending(const JsonNode& node) {
  std::vector<Index> numbers;
  for (const JsonNode& item : items(node)) {
    numbers.push_back(item.whole(numbers.empty() ? 0 : numbers.back() + 1));
  }
  return numbers;
}

Status read_status(const JsonNode& node) {
  static const std::vector<std::string> names = {
      "converged",         "iteration_limit", "incomplete", "time_limit",
      "numerical_failure", "skipped",         "failed",     "invalid"};
  return status_from_name(node.choice(names));
}

// At most this error of the norm of a component whose loadings are rounded to kLoadingDigits.
constexpr double kPrintedUnitTolerance = 1e-3;

Component read_component(const JsonNode& node) {
  node.accept_keys({"indices", "values"});
  Component component{.support = ascending(node.at("indices")), .values = {}};
  const std::vector<JsonNode> values = items(node.at("values"));
  if (values.size() != component.support.size() || values.empty()) {
    node.fail("as many values as indices, at least one");
  }
  component.values.resize(component.cardinality());
  for (std::size_t i = 0; i < values.size(); ++i) {
    component.values[static_cast<Index>(i)] = finite(values[i]);
  }
  if (!(std::abs(component.values.norm() - 1) <= kPrintedUnitTolerance)) {
    node.fail("values of unit length");
  }
  return component;
}

void read_metrics(const JsonNode& node, ComparedCell& cell) {
  object(node);
  if (node.json().empty()) {
    return;
  }
  for (const auto& [name, list] : node.members()) {
    const std::vector<JsonNode> numbers = items(list, cell.repeats.size());
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      cell.repeats[i].metrics[name] =
          numbers[i].json().is_null() ? kNotMeasured : finite(numbers[i]);
    }
  }
}

/// Returns the components that the cell with the number `node` has in the same repeat.
const std::vector<Component>& components_of_earlier(const JsonNode& node, Index repeat,
                                                    const std::vector<ComparedCell>& earlier) {
  const Index number = node.whole(0);
  if (number < std::ssize(earlier)) {
    for (const ComparedRepeat& other : earlier[static_cast<std::size_t>(number)].repeats) {
      if (other.repeat == repeat && !other.components.empty()) {
        return other.components;
      }
    }
  }
  node.fail(fmt::format(
      "components, or the number from 0 of an earlier cell that has components in repeat {}",
      repeat));
}

/// Reads the components of one repeat.
std::vector<Component> read_components(const JsonNode& node, Index repeat,
                                       const std::vector<ComparedCell>& earlier) {
  if (node.json().is_number()) {
    return components_of_earlier(node, repeat, earlier);
  }
  std::vector<Component> components;
  for (const JsonNode& component : items(node)) {
    components.push_back(read_component(component));
  }
  return components;
}

/// Reads the members of a cell that have one element for each repeat.
void read_repeats(const JsonNode& node, const std::vector<ComparedCell>& earlier,
                  ComparedCell& cell) {
  for (const Index repeat : ascending(node.at("repeats"))) {
    cell.repeats.push_back({.repeat = repeat, .message = {}, .metrics = {}, .components = {}});
  }
  const std::size_t count = cell.repeats.size();
  if (count == 0) {
    node.at("repeats").fail("a list with at least one element");
  }
  const auto each = [&](const char* key, auto read) {
    const std::vector<JsonNode> list = items(node.at(key), count);
    for (std::size_t i = 0; i < count; ++i) {
      read(list[i], cell.repeats[i]);
    }
  };
  each("seeds", [](const JsonNode& item, ComparedRepeat& repeat) { repeat.seed = seed(item); });
  each("status",
       [](const JsonNode& item, ComparedRepeat& repeat) { repeat.status = read_status(item); });
  each("messages", [](const JsonNode& item, ComparedRepeat& repeat) {
    repeat.message = kept_message(text(item));
  });
  each("contended",
       [](const JsonNode& item, ComparedRepeat& repeat) { repeat.contended = boolean(item); });
  each("loadings", [&](const JsonNode& item, ComparedRepeat& repeat) {
    repeat.components = read_components(item, repeat.repeat, earlier);
    // Otherwise an answer that lost its loadings would pass for a missing answer, and ours for a
    // better one.
    const bool has_answer =
        repeat.status == Status::kConverged || repeat.status == Status::kIterationLimit;
    if (has_answer == repeat.components.empty() && repeat.status != Status::kTimeLimit) {
      item.fail(fmt::format("{} with the status {}",
                            has_answer ? "at least one component" : "no component",
                            status_name(repeat.status)));
    }
  });
  read_metrics(node.at("metrics"), cell);
}

/// Reads a cell. Every key but data_checksum is required, and no other key is accepted: a misspelt
/// key would silently loosen the gate.
ComparedCell read_cell(const JsonNode& node, const std::vector<ComparedCell>& earlier = {}) {
  node.accept_keys({"grid", "dataset", "solver", "deflation", "cardinality", "dataset_name",
                    "dataset_options", "solver_name", "solver_options", "unconstrained", "repeats",
                    "seeds", "status", "messages", "contended", "metrics", "loadings",
                    "data_checksum"});
  ComparedCell cell{.grid = node.at("grid").word(),
                    .dataset = node.at("dataset").word(),
                    .solver = node.at("solver").word(),
                    .deflation = text(node.at("deflation")),
                    .cardinality = {},
                    .dataset_name = node.at("dataset_name").word(),
                    .solver_name = node.at("solver_name").word(),
                    .dataset_options = object(node.at("dataset_options")),
                    .solver_options = object(node.at("solver_options")),
                    .unconstrained = boolean(node.at("unconstrained")),
                    .repeats = {}};
  for (const JsonNode& k : node.at("cardinality").elements()) {
    cell.cardinality.push_back(k.whole(1));
  }
  if (const auto checksum = node.find("data_checksum")) {
    cell.data_checksum = checksum->word();
  }
  read_repeats(node, earlier, cell);
  return cell;
}

std::vector<ComparedCell> read_cells(const JsonNode& node) {
  std::vector<ComparedCell> cells;
  std::set<std::string> identities;
  for (const JsonNode& item : node.elements()) {
    cells.push_back(read_cell(item, cells));
    if (!identities.insert(cells.back().identity()).second) {
      item.fail("each cell once; this one occurs above");
    }
  }
  return cells;
}

Json read_machine(const JsonNode& node) {
  node.accept_keys(machine_fields());
  for (const std::string& field : machine_fields()) {
    const Json& value = node.at(field).json();
    if (!value.is_string() && !value.is_number_integer()) {
      node.at(field).fail("a word, a whole number");
    }
  }
  return node.json();
}

/// Reads the overrides of the run's command line. `spca check` runs the experiment with them, so
/// they must be complete and readable now, not after an hour of solving.
Json read_run(const JsonNode& node) {
  std::vector<std::string> keys;
  const Json accepted = overrides_to_json({});  // a variable, because items() holds a reference
  for (const auto& [key, value] : accepted.items()) {
    keys.push_back(key);
  }
  std::vector<std::string> all = keys;
  all.emplace_back("also");  // is missing if no solver was added
  node.accept_keys(all);
  try {
    overrides_from_json(node.json());
  } catch (const Json::exception&) {
    node.fail("\"overrides\" of a run's manifest.json, with all of " + join(keys));
  }
  return node.json();
}

template <class Value>
Value value_of(const std::string& word,
               std::initializer_list<std::pair<const char*, Value>> words) {
  for (const auto& [name, value] : words) {
    if (word == name) {
      return value;
    }
  }
  SPCA_CHECK(false, "a word that was accepted before");
}

GateOverride read_override(const JsonNode& node, const std::vector<ComparedCell>& cells) {
  node.accept_keys({"match", "metric", "direction", "absolute", "relative", "gate", "why"});
  GateOverride change;
  change.json = node.json();
  change.metric = node.at("metric").word();
  node.at("why").word();  // required, because a reader of a tolerance needs its reason
  if (const auto match = node.find("match")) {
    match->accept_keys({"grid", "dataset", "solver", "deflation", "cardinality"});
    change.match = read_match(*match);
  }
  if (const auto direction = node.find("direction")) {
    change.direction = value_of<Direction>(direction->choice({"higher", "lower", "none"}),
                                           {{"higher", Direction::kHigherIsBetter},
                                            {"lower", Direction::kLowerIsBetter},
                                            {"none", Direction::kNone}});
  }
  if (const auto absolute = node.find("absolute")) {
    change.absolute = absolute->number(0);
  }
  if (const auto relative = node.find("relative")) {
    change.relative = relative->number(0);
  }
  if (const auto gate = node.find("gate")) {
    change.gate = value_of<Gate>(gate->choice({"hard", "same-machine-only", "none"}),
                                 {{"hard", Gate::kHard},
                                  {"same-machine-only", Gate::kSameMachineOnly},
                                  {"none", Gate::kNone}});
  }
  if (!applies(change, cells)) {
    node.fail("a match and a metric that some cell of this baseline has");
  }
  return change;
}

}  // namespace

std::string baseline_text(const Baseline& baseline) {
  const ComparedRun& run = baseline.run;
  std::vector<std::string> overrides;
  for (const GateOverride& change : baseline.overrides) {
    overrides.push_back(json_line(change.json));
  }
  std::vector<std::string> cells;
  FirstCells first_cells;
  for (const ComparedCell& cell : run.cells) {
    cells.push_back(cell_text(cell, cells.size(), &first_cells));
  }
  return lines(
             {member("format", "\"spca-baseline\""),
              member("version", fmt::format("{}", first_cells.is_shared() ? kBaselineVersion : 1)),
              member("experiment", json_line(run.experiment)),
              member("run", json_line(run.overrides)), member("machine", json_line(run.machine)),
              member("revision", json_line(run.revision)),
              member("overrides", lines(overrides, '[', ']', "  ")),
              member("cells", lines(cells, '[', ']', "  "))},
             '{', '}', "") +
         "\n";
}

std::string baseline_cell_text(const ComparedCell& cell) { return cell_text(cell); }

ComparedCell read_baseline_cell(const std::string& text, const std::string& name) {
  const JsonSource source(std::make_shared<const JsonText>(text, name));
  return read_cell(JsonNode(source, source.text().json(), ""));
}

Baseline read_baseline(const std::filesystem::path& path) {
  if (std::error_code error; !std::filesystem::exists(path, error)) {
    throw InputError(
        fmt::format("{}: does not exist; accepted: a file that `spca baseline RUN -o FILE` wrote",
                    path.string()));
  }
  const JsonSource source(std::make_shared<const JsonText>(read_json_file(path)));
  const JsonNode document(source, source.text().json(), "");
  document.accept_keys(
      {"format", "version", "experiment", "run", "machine", "revision", "overrides", "cells"});
  document.at("format").choice({"spca-baseline"});
  if (document.at("version").whole(1) > kBaselineVersion) {
    document.at("version").fail(fmt::format("1 to {}", kBaselineVersion));
  }
  Baseline baseline;
  ComparedRun& run = baseline.run;
  run.experiment = document.at("experiment").word();
  run.overrides = read_run(document.at("run"));
  run.machine = read_machine(document.at("machine"));
  document.at("revision").accept_keys({"version", "sources"});
  document.at("revision").at("version").word();
  document.at("revision").at("sources").word();
  run.revision = document.at("revision").json();
  run.cells = read_cells(document.at("cells"));
  for (const JsonNode& node : items(document.at("overrides"))) {
    baseline.overrides.push_back(read_override(node, run.cells));
  }
  return baseline;
}

}  // namespace spca
