/// Tests that the committed JSON Schema equals the one that the code generates.
/// tests/schema_validation.py tries it with an independent validator.

#include "harness/experiments/schema.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>

#include "spca/io/json_file.h"
#include "spca/solving/solver.h"

namespace spca::schema_test {
namespace {

/// Returns the names of definitions that one schema lacks or that differ between the two.
std::string differences(const Json& code, const Json& file) {
  std::string names;
  for (const auto& [name, definition] : code["$defs"].items()) {
    if (!file["$defs"].contains(name) || file["$defs"][name] != definition) {
      names += "\n  " + name;
    }
  }
  for (const auto& [name, definition] : file["$defs"].items()) {
    names += code["$defs"].contains(name) ? "" : "\n  " + name + " (no longer there)";
  }
  return names;
}

TEST(Schema, CommittedFileIsTheGeneratedOne) {
  const std::string path = SPCA_SOURCE_DIR "/experiments/schema.json";
  const Json file = read_json_file(path).json();
  const Json code = experiment_schema();
  ASSERT_TRUE(file.contains("$defs"));
  EXPECT_EQ(code.dump(), file.dump())
      << "experiments/schema.json was made before a solver, a data set, a metric or an option was "
         "added or changed:"
      << differences(code, file) << "\nrefresh it: spca schema -o " << path;
}

/// Returns the part of `schema` to which "$ref" in `json` refers, or `json` if it has no "$ref".
const Json& referred(const Json& schema, const Json& json) {
  return json.contains("$ref")
             ? schema.at(Json::json_pointer(json["$ref"].get<std::string>().substr(1)))
             : json;
}

/// Returns the properties that the schema gives for the options of the solver `name`.
const Json& options_of(const Json& schema, const std::string& name) {
  for (const Json& choice : schema["$defs"]["solver-entry"]["allOf"]) {
    const Json& names = choice["if"]["properties"]["name"]["enum"];
    if (std::find(names.begin(), names.end(), name) != names.end()) {
      return referred(schema, choice["then"]["properties"]["options"])["properties"];
    }
  }
  throw std::out_of_range(name);
}

TEST(Schema, DescribesEveryOptionOfEverySolver) {
  const Json schema = experiment_schema();
  for (const auto& [name, entry] : SolverRegistry::instance().entries()) {
    const Json& properties = options_of(schema, name);
    for (const Json& option : entry.describe()) {
      const Json& given = properties.at(option["name"].get<std::string>());
      const Json& property = given.contains("default") ? given : referred(schema, given);
      EXPECT_EQ(property["default"], option["default"]) << name;
      EXPECT_EQ(property["description"], option["help"]) << name;
    }
  }
}

/// Collects every "$ref" in `json`.
void collect_references(const Json& json, std::set<std::string>& references) {
  if (json.is_object() && json.contains("$ref") && json["$ref"].is_string()) {
    references.insert(json["$ref"].get<std::string>());
  }
  for (const Json& member : json) {
    if (member.is_structured()) {
      collect_references(member, references);
    }
  }
}

TEST(Schema, EveryReferenceLeadsSomewhere) {
  const Json schema = experiment_schema();
  std::set<std::string> references;
  collect_references(schema, references);
  EXPECT_FALSE(references.empty());
  for (const std::string& reference : references) {
    EXPECT_TRUE(schema.contains(Json::json_pointer(reference.substr(1)))) << reference;
  }
}

}  // namespace
}  // namespace spca::schema_test
