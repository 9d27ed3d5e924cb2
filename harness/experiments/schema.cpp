#include "harness/experiments/schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "harness/experiments/experiment_document.h"
#include "harness/experiments/experiment_expand.h"
#include "harness/experiments/experiment_figures.h"
#include "harness/experiments/experiment_tables.h"
#include "harness/experiments/schema_options.h"
#include "spca/base/error.h"
#include "spca/base/json_text.h"
#include "spca/covariance/deflation.h"
#include "spca/measure/metrics.h"

namespace spca {
namespace {

Json described(Json schema, const std::string& description) {
  schema["description"] = description;
  return schema;
}

Json any_of(std::vector<Json> schemas) { return {{"anyOf", std::move(schemas)}}; }

/// Returns the schema of a list that may be empty, such as "published" or "tables": in a profile,
/// an empty list removes all elements.
Json list_or_none(const Json& items) { return {{"type", "array"}, {"items", items}}; }

Json once_each(Json list) {
  list["uniqueItems"] = true;
  return list;
}

Json whole(Index minimum) { return {{"type", "integer"}, {"minimum", minimum}}; }

Json number_from(double minimum) { return {{"type", "number"}, {"minimum", minimum}}; }

Json one_of(const std::vector<std::string>& words) { return {{"enum", words}}; }

/// Returns the schema of an object with exactly the keys that the reader accepts, in the reader's
/// order. Checks fail if a key is only in the reader or only in `properties`.
Json object_of(const std::vector<std::string>& keys, const Json& properties,
               const std::vector<std::string>& required = {}) {
  Json ordered = Json::object();
  for (const std::string& key : keys) {
    SPCA_CHECK(properties.contains(key), fmt::format("the schema does not describe \"{}\"", key));
    ordered[key] = properties[key];
  }
  SPCA_CHECK(ordered.size() == properties.size(), "the schema describes a key that no reader uses");
  Json schema = {{"type", "object"}, {"properties", ordered}, {"additionalProperties", false}};
  if (!required.empty()) {
    schema["required"] = required;
  }
  return schema;
}

/// Returns the schema of an object that is merged over an object with the schema `object`, to which
/// `pointer` refers: any of the keys may be missing or null.
Json patch_of(const Json& object, const std::string& pointer) {
  Json patch = object;
  patch.erase("required");
  for (auto& [key, schema] : patch["properties"].items()) {
    const Json same = {{"$ref", fmt::format("{}/properties/{}", pointer, pointer_step(key))}};
    schema = any_of({same, {{"type", "null"}}});
  }
  return patch;
}

template <class Entry>
Json name_of() {
  return one_of(Registry<Entry>::instance().names());
}

/// One definition for all plugins with equal options, named after the first of them.
struct SharedOptions {
  std::string definition;  // "dataset.20news"
  Json options;            // in the form of describe_options
  std::vector<std::string> plugins;
};

template <class Entry>
std::vector<SharedOptions> shared_options(const std::string& kind) {
  std::vector<SharedOptions> all;
  for (const auto& [plugin, entry] : Registry<Entry>::instance().entries()) {
    const Json options = entry.describe();
    const auto same = [&](const SharedOptions& shared) { return shared.options == options; };
    auto found = std::find_if(all.begin(), all.end(), same);
    if (found == all.end()) {
      found = all.insert(
          all.end(),
          {.definition = fmt::format("{}.{}", kind, plugin), .options = options, .plugins = {}});
    }
    found->plugins.push_back(plugin);
  }
  return all;
}

/// Returns the schema of {"name", "label", "options", "grid"}. The name determines which options
/// are accepted.
Json entry_object(const std::vector<SharedOptions>& all, const Json& name) {
  Json schema = object_of(
      entry_keys(),
      {{"name", name},
       {"label", described(schema_reference("word"),
                           "unique within the grid; {name} and {option} stand for their values")},
       {"options", {{"type", "object"}}},
       {"grid", schema_reference("option-grid")}},
      {"name"});
  schema["allOf"] = Json::array();
  for (const SharedOptions& shared : all) {
    const Json options = schema_reference(shared.definition);
    schema["allOf"].push_back({{"if", {{"properties", {{"name", {{"enum", shared.plugins}}}}}}},
                               {"then",
                                {{"properties",
                                  {{"options", given_options_schema(options, shared.options)},
                                   {"grid", {{"additionalProperties", options}}}}}}}});
  }
  // One rule says for all plugins without a list option that they take single values.
  std::vector<std::string> with_lists;
  for (const SharedOptions& shared : all) {
    if (has_list_option(shared.options)) {
      with_lists.insert(with_lists.end(), shared.plugins.begin(), shared.plugins.end());
    }
  }
  const Json single = {{"additionalProperties", schema_reference("single")}};
  schema["allOf"].push_back({{"if", {{"properties", {{"name", {{"enum", with_lists}}}}}}},
                             {"else", {{"properties", {{"options", single}}}}}});
  return schema;
}

/// Returns the options that occur in plugins with different sets of options, each as its
/// json_line().
std::set<std::string> repeated_options(const std::vector<SharedOptions>& all) {
  std::set<std::string> seen, repeated;
  for (const SharedOptions& shared : all) {
    for (const Json& option : shared.options) {
      if (const std::string line = json_line(option); !seen.insert(line).second) {
        repeated.insert(line);
      }
    }
  }
  return repeated;
}

/// Defines the entries of grids, "dataset-entry" or "solver-entry", and the options of their
/// plugins.
template <class Entry>
void define_entries(const std::string& kind, Json& definitions) {
  const std::vector<SharedOptions> all = shared_options<Entry>(kind);
  const std::set<std::string> repeated = repeated_options(all);
  definitions[kind + "-entry"] = entry_object(all, schema_reference(kind + "-name"));
  for (const SharedOptions& shared : all) {
    definitions[shared.definition] =
        options_schema(shared.options, schema_reference(shared.definition), repeated, definitions);
  }
}

Json cardinality_schema() {
  const Json range =
      object_of({"from", "to", "step"}, {{"from", whole(1)}, {"to", whole(1)}, {"step", whole(1)}},
                {"from", "to"});
  return any_of({whole(1), schema_list(any_of({whole(1), schema_list(whole(1)), range}))});
}

Json match_schema() {
  const Json wanted = {{"type", "object"}, {"minProperties", 1}};
  return object_of(match_keys(),
                   {{"grid", schema_reference("words")},
                    {"dataset", described(schema_reference("words"), "labels")},
                    {"solver", described(schema_reference("words"), "labels")},
                    {"deflation", schema_reference("words")},
                    {"cardinality", schema_reference("cardinality")},
                    {"dataset_options", described(wanted, "option -> a value or several")},
                    {"solver_options", described(wanted, "option -> a value or several")}});
}

/// Returns the schema of the elements of an "exclude".
Json exclusion_schema(const std::vector<std::string>& keys) {
  Json match = match_schema();
  for (const std::string& key : match_keys()) {
    if (std::find(keys.begin(), keys.end(), key) == keys.end()) {
      match["properties"].erase(key);
    }
  }
  match["minProperties"] = 1;
  return described(schema_list(match), "combinations that are left out");
}

Json grid_schema() {
  std::vector<std::string> keys_of_match = match_keys();
  std::erase(keys_of_match, "grid");
  const Json zipped = once_each(schema_list(one_of({"datasets", "solvers", "cardinality"})));
  Json zip = described(zipped, "lists taken element by element, not crossed");
  zip["minItems"] = 2;
  Json components = whole(1);
  components["maximum"] = kMostComponents;
  Json ranks = whole(1);
  ranks["maximum"] = kMostRanks;
  return object_of(
      grid_keys(),
      {{"title", schema_reference("word")},
       {"datasets",
        schema_list(any_of({schema_reference("dataset-name"), schema_reference("dataset-entry")}))},
       {"solvers",
        schema_list(any_of({schema_reference("solver-name"), schema_reference("solver-entry")}))},
       {"exclude_solvers", described(schema_reference("words"), "what patterns do not stand for")},
       {"components", described(components, "r, default 1; at most p")},
       {"cardinality",
        described(schema_reference("cardinality"), "k for each component, r numbers, or a range")},
       {"deflations", once_each(schema_list(schema_reference("deflation")))},
       {"zip", zip},
       {"exclude", exclusion_schema(keys_of_match)},
       {"repeats", described(whole(1), "default 1")},
       {"metrics", once_each(schema_list(schema_reference("metric")))},
       {"penalty", described(number_from(0), "rho of the metric penalised_objective")},
       {"trace", described({{"type", "boolean"}}, "keep the objective of each step")},
       {"alone", described({{"type", "boolean"}}, "one cell at a time")},
       {"may_time_out", described({{"type", "boolean"}}, "a time limit is a result")},
       {"time_limit", described(number_from(0), "in place of the experiment's")},
       {"ranks", described(ranks, "processes that share the rows of X")}},
      {"datasets", "solvers", "cardinality"});
}

/// Returns the schema of {"absolute": value} or {"relative": value}, with the other keys of `keys`.
Json absolute_or_relative(const std::vector<std::string>& keys, Json properties, const Json& value,
                          const std::vector<std::string>& required = {}) {
  properties["absolute"] = value;
  properties["relative"] = value;
  Json schema = object_of(keys, properties, required);
  schema["oneOf"] = {{{"required", {"absolute"}}}, {{"required", {"relative"}}}};
  return schema;
}

Json method_schema() {
  return described(one_of({"own", "baseline", "other", "check"}),
                   "own: the paper's method, run as the paper says; baseline: another that the "
                   "paper runs; other: any other solver");
}

Json tolerance_schema() {
  return absolute_or_relative({"absolute", "relative", "why"}, {{"why", schema_reference("word")}},
                              number_from(0), {"why"});
}

/// Returns the schema of one printed number.
Json printed_schema() {
  return {{"type", "string"},
          {"pattern", "^(-|[+-]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]+)?\\*?)$"},
          {"description",
           "as the paper prints it: its digits set the tolerance; -: empty; * behind it: its data "
           "are not public"}};
}

/// Returns the properties that a table, a column and a row may give for their numbers.
Json common_of_published() {
  return {{"where", described(schema_reference("word"), "the place in the paper")},
          {"method", schema_reference("method")},
          {"metric", schema_reference("metric")},
          {"tolerance", schema_reference("tolerance")},
          {"repeats", described(whole(1), "of which the printed number is the mean")},
          {"select", one_of({"each", "best"})},
          {"not_comparable",
           described(schema_reference("word"), "why no answer can be compared with it")},
          {"match", schema_reference("match")}};
}

Json published_column_schema() {
  Json properties = common_of_published();
  properties["label"] = described(schema_reference("word"), "as the paper has it");
  return object_of(published_column_keys(), properties, {"label"});
}

Json published_row_schema() {
  const Json printed = schema_reference("printed");
  const Json curve = object_of({"file", "key", "column"},
                               {{"file", schema_reference("word")},
                                {"key", schema_reference("word")},
                                {"column", schema_reference("word")}},
                               {"file", "key", "column"});
  Json properties = common_of_published();
  properties["label"] = described(schema_reference("word"), "as the paper has it");
  properties["printed"] = described(any_of({printed, schema_list(printed)}), "one for each column");
  properties["curve"] = curve;
  Json schema = object_of(published_row_keys(), properties, {"label"});
  schema["oneOf"] = {{{"required", {"printed"}}}, {{"required", {"curve"}}}};
  return schema;
}

Json published_schema() {
  Json properties = common_of_published();
  properties["name"] = {{"type", "string"}, {"pattern", "^[a-z0-9._-]+$"}};
  properties["title"] = schema_reference("word");
  properties["origin"] =
      described(one_of({"paper", "by hand", "certified", "another program"}), "default: paper");
  properties["columns"] = schema_list(published_column_schema());
  properties["rows"] = schema_list(published_row_schema());
  return object_of(published_table_keys(), properties, {"name", "where", "rows"});
}

Json measurement_schema() {
  return object_of(measurement_keys(),
                   {{"experiment", described(schema_reference("word"), "of this project")},
                    {"grid", described(schema_reference("word"), "of that experiment")}},
                   {"experiment", "grid"});
}

Json known_difference_schema() {
  Json ends = schema_list(number_from(0));
  ends["minItems"] = 2;
  ends["maxItems"] = 2;
  const Json range = absolute_or_relative({"absolute", "relative"}, Json::object(), ends);
  return object_of(
      known_difference_keys(),
      {{"match", schema_reference("match")},
       {"metric", schema_reference("metric")},
       {"direction", one_of({"better", "worse"})},
       {"range", described(range, "least and most of |ours - published|, or of its share")},
       {"why", schema_reference("word")},
       {"measured_by",
        described(measurement_schema(), "without it the difference counts as unexplained")}},
      {"match", "metric", "direction", "range", "why"});
}

Json claim_schema() {
  const Json relative = object_of({"relative"}, {{"relative", number_from(0)}}, {"relative"});
  Json factor = {{"type", "number"}, {"exclusiveMinimum", 0}};
  Json schema = object_of(
      claim_keys(),
      {{"claim", schema_reference("word")},
       {"where", described(schema_reference("word"),
                           "the place in the paper; without it the claim is ours")},
       {"match", described(schema_reference("match"), "what left and right have in common")},
       {"left", schema_reference("match")},
       {"is", one_of({">=", "<=", ">", "<"})},
       {"right", any_of({schema_reference("match"), {{"type", "number"}}})},
       {"metric", schema_reference("metric")},
       {"fact", described(schema_reference("word"), "a fact of the records, no metric")},
       {"component", described(whole(1), "of a metric with one number a component: only this one")},
       {"factor", described(factor, "right is multiplied by it; default 1")},
       {"slack", described(any_of({number_from(0), relative}), "differences up to it are none")},
       {"standard_error", described(schema_reference("metric"), "of one repeat's number")},
       {"why", described(schema_reference("word"), "why it fails, if that is known")},
       {"measured_by", measurement_schema()}},
      {"claim", "left", "is", "right"});
  schema["oneOf"] = {{{"required", {"metric"}}}, {{"required", {"fact"}}}};
  schema["dependentRequired"] = {{"measured_by", {"why"}}};
  return schema;
}

Json table_schema() {
  const Json dimension = one_of({"solver", "dataset", "cardinality", "deflation", "grid"});
  const Json of_a_metric = object_of(table_keys(),
                                     {{"kind", {{"const", kTableKinds.front()}}},
                                      {"title", schema_reference("word")},
                                      {"metric", schema_reference("metric")},
                                      {"rows", dimension},
                                      {"columns", dimension},
                                      {"where", schema_reference("match")}},
                                     {"title", "metric"});
  const Json of_bounds = object_of(bound_table_keys(),
                                   {{"kind", {{"const", kTableKinds.back()}}},
                                    {"title", schema_reference("word")},
                                    {"where", schema_reference("match")}},
                                   {"kind", "title"});
  return any_of({of_a_metric, of_bounds});
}

/// Returns the schema of one option of a figure, as read_figure accepts it.
Json figure_option_schema(const Json& declared) {
  if (declared.is_array()) {
    return one_of(declared.get<std::vector<std::string>>());
  }
  return declared.is_number() ? whole(1) : schema_reference("metric");
}

/// Returns the schema of a figure: one alternative for each kind. The kind determines which options
/// are accepted.
Json figure_schema() {
  std::vector<Json> kinds;
  for (const auto& [kind, declared] : figure_kinds()) {
    std::vector<std::string> keys = figure_keys();
    Json properties = {
        {"kind", {{"const", kind}}}, {"name", true}, {"title", true}, {"where", true}};
    for (const auto& [option, value] : declared.items()) {
      keys.push_back(option);
      properties[option] = figure_option_schema(value);
    }
    kinds.push_back(object_of(keys, properties, {"kind", "title"}));
  }
  Json figure = any_of(kinds);
  figure["properties"] = {{"name", {{"type", "string"}, {"pattern", "^[a-z0-9_-]+$"}}},
                          {"title", schema_reference("word")},
                          {"where", schema_reference("match")}};
  return figure;
}

Json document_schema() {
  const Json grids = {
      {"type", "object"}, {"minProperties", 1}, {"additionalProperties", schema_reference("grid")}};
  const Json profiles = {{"type", "object"},
                         {"minProperties", 1},
                         {"additionalProperties", schema_reference("profile")}};
  return object_of(
      document_keys(),
      {{"$schema", described(schema_reference("word"), "for editors; not read")},
       {"name",
        {{"type", "string"},
         {"pattern", "^[a-z0-9_-]+(/[a-z0-9_-]+)*$"},
         {"description", "as the file's path below experiments/, without .json"}}},
       {"title", described(schema_reference("word"), "one line")},
       {"source", described(schema_reference("word"), "authors, venue, year, table or figure")},
       {"claim", described(schema_reference("word"), "what the experiment confirms or refutes")},
       {"remarks", described(schema_reference("words"), "how it was done")},
       {"seed", described(whole(0), "from which all draws derive; default 1")},
       {"time_limit", described(number_from(0), "seconds for one cell; 0: no limit")},
       {"memory_limit", described(number_from(0), "MB for one cell; 0: no limit")},
       {"maximum_cells",
        described(whole(1), fmt::format("most cells in all; default {}", kDefaultMaximumCells))},
       {"grids", grids},
       {"exclude", exclusion_schema(match_keys())},
       {"profiles", described(profiles, "name -> what differs from this document")},
       {"published", described(list_or_none(schema_reference("published")), "the paper's numbers")},
       {"known_differences", described(list_or_none(schema_reference("known-difference")),
                                       "differences from them that are known beforehand")},
       {"claims", described(list_or_none(schema_reference("claim")), "ordinal statements")},
       {"tables", described(list_or_none(schema_reference("table")), "what spca table shows")},
       {"figures", described(list_or_none(schema_reference("figure")), "what spca plot draws")}},
      {"name", "title", "grids"});
}

/// Returns the schema of a profile: the keys that are merged over the document, and JSON pointers
/// with their values.
Json profile_schema(const Json& document) {
  Json profile = patch_of(document, "#");
  for (const std::string& key : document_keys()) {
    const std::vector<std::string> accepted = profile_keys();
    if (std::find(accepted.begin(), accepted.end(), key) == accepted.end()) {
      profile["properties"].erase(key);
    }
  }
  const Json null = {{"type", "null"}};
  profile["properties"]["grids"] = {
      {"type", {"object", "null"}},
      {"additionalProperties", any_of({schema_reference("grid-patch"), null})}};
  profile["patternProperties"] = {
      {"^/", {{"description", "the value at this JSON pointer; null takes it away"}}}};
  return profile;
}

Json definitions_for(const Json& document) {
  Json definitions = Json::object();
  definitions["word"] = {{"type", "string"}, {"minLength", 1}};
  definitions["words"] = any_of({schema_reference("word"), schema_list(schema_reference("word"))});
  definitions["cardinality"] = cardinality_schema();
  definitions["metric"] = name_of<MetricEntry>();
  definitions["deflation"] = name_of<DeflationEntry>();
  definitions["match"] = match_schema();
  definitions["method"] = method_schema();
  definitions["tolerance"] = tolerance_schema();
  definitions["printed"] = printed_schema();
  definitions["dataset-name"] = name_of<DatasetEntry>();
  definitions["solver-name"] =
      any_of({name_of<SolverEntry>(),
              {{"type", "string"},
               {"pattern", "[*?]"},
               {"description", "every registered solver that the pattern matches"}},
              {{"type", "string"},
               {"pattern", "^peers/|[.]json$"},
               {"description", "a program of others (docs/PEERS.md)"}}});
  definitions["published"] = published_schema();
  definitions["known-difference"] = known_difference_schema();
  definitions["claim"] = claim_schema();
  definitions["table"] = table_schema();
  definitions["figure"] = figure_schema();
  definitions["grid"] = grid_schema();
  definitions["grid-patch"] = patch_of(grid_schema(), "#/$defs/grid");
  definitions["profile"] = profile_schema(document);
  definitions["range"] = range_schema();
  definitions["single"] = single_schema();
  definitions["option-grid"] = option_grid_schema();
  define_entries<DatasetEntry>("dataset", definitions);
  define_entries<SolverEntry>("solver", definitions);
  return definitions;
}

}  // namespace

Json experiment_schema() {
  Json schema = {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                 {"title", "An experiment of spca-bench"},
                 {"description", "Generated by spca schema; docs/EXPERIMENTS.md explains it."}};
  const Json document = document_schema();
  schema.update(document);
  schema["$defs"] = definitions_for(document);
  return schema;
}

// Number of levels down to a definition, "$defs" / name, which gets a line of its own in the text.
constexpr int kLineDepth = 2;

std::string experiment_schema_text() {
  return json_lines_to_depth(experiment_schema(), kLineDepth);
}

}  // namespace spca
