#include "harness/cli/solve_result.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "harness/tables/csv_text.h"
#include "spca/base/error.h"
#include "spca/base/json_text.h"
#include "spca/io/json_file.h"
#include "spca/solving/feasibility.h"
#include "spca/solving/solve.h"

namespace spca::cli {
namespace {

std::vector<double> numbers(const Vector& values) { return {values.begin(), values.end()}; }

Vector vector_from(const Json& json) {
  const std::vector<double> values = json.get<std::vector<double>>();
  return Eigen::Map<const Vector>(values.data(), std::ssize(values));
}

/// Records for each component those names of its variables that other variables of the data have
/// too.
void add_shared_names(const std::vector<std::string>& variable_names, Json& components) {
  std::unordered_map<std::string, Index> counts;
  for (const Json& component : components) {
    for (const Json& name : component["names"]) {
      counts.emplace(name_in_json(name.get<std::string>()), 0);
    }
  }
  for (const std::string& name : variable_names) {
    if (const auto found = counts.find(name_in_json(name)); found != counts.end()) {
      ++found->second;
    }
  }
  for (Json& component : components) {
    Json& shared = component["shared_names"] = Json::array();
    for (const Json& name : component["names"]) {
      if (counts.at(name_in_json(name.get<std::string>())) > 1) {
        shared.push_back(name);
      }
    }
  }
}

/// Reads the names that add_shared_names() recorded, and adds the names that several variables of
/// the answer share.
void read_shared_names(const Json& components, StoredResult& result) {
  result.records_shared_names = true;
  for (const Json& component : components) {
    result.records_shared_names &= component.contains("shared_names");
    result.shared_names.merge(component.value("shared_names", std::unordered_set<std::string>()));
  }
  std::unordered_map<std::string, Index> variables;
  for (std::size_t j = 0; j < result.components.size(); ++j) {
    for (std::size_t i = 0; i < result.names[j].size(); ++i) {
      const Index variable = result.components[j].support[i];
      if (variables.emplace(result.names[j][i], variable).first->second != variable) {
        result.shared_names.insert(result.names[j][i]);
      }
    }
  }
}

}  // namespace

std::string name_in_json(const std::string& name) {
  const bool is_ascii =
      std::all_of(name.begin(), name.end(), [](unsigned char byte) { return byte < 0x80; });
  return is_ascii ? name : parse_json(json_line(Json(name))).get<std::string>();
}

Json result_json(const Request& request, const SolveReport& report,
                 const std::vector<Preparation>& prepared_variables) {
  Json result = {{"schema", kResultVersion}, {"data", request.data}};
  result.update(report_json(request, report));
  for (std::size_t j = 0; j < prepared_variables.size() && j < result["components"].size(); ++j) {
    result["components"][j]["means"] = numbers(prepared_variables[j].means);
    result["components"][j]["deviations"] = numbers(prepared_variables[j].deviations);
    if (!prepared_variables[j].alleles.empty()) {
      result["components"][j]["alleles"] = prepared_variables[j].alleles;
    }
  }
  if (!prepared_variables.empty()) {
    add_shared_names(request.dataset.variable_names, result["components"]);
  }
  return result;
}

std::string loadings_csv(const Dataset& dataset, const std::vector<Component>& components) {
  std::map<Index, std::vector<double>> rows;
  for (std::size_t j = 0; j < components.size(); ++j) {
    for (Index i = 0; i < components[j].cardinality(); ++i) {
      std::vector<double>& row = rows[components[j].support[static_cast<std::size_t>(i)]];
      row.resize(components.size());
      row[j] = components[j].values[i];
    }
  }
  std::string text = "index,name";
  for (std::size_t j = 1; j <= components.size(); ++j) {
    text += fmt::format(",component{}", j);
  }
  text += "\n";
  for (const auto& [variable, loadings] : rows) {
    const auto at = static_cast<std::size_t>(variable);
    text +=
        fmt::format("{},{},{}\n", variable,
                    at < dataset.variable_names.size() ? csv_name(dataset.variable_names[at]) : "",
                    fmt::join(loadings, ","));
  }
  return text;
}

StoredResult read_result(const std::string& file) {
  const JsonText text = read_json_file(file);
  const Json& json = text.json();
  const auto refuse = [&file](const std::string& found, const std::string& accepted) {
    throw InputError(fmt::format("{}: found {}; accepted: {}", file, found, accepted));
  };
  if (!json.is_object() || !json.contains("schema") || !json.contains("components")) {
    refuse("no result", "a file that `spca solve -o FILE.json` wrote");
  }
  if (json["schema"] != kResultVersion) {
    refuse(fmt::format("a result of version {}", json["schema"].dump()),
           fmt::format("version {}", kResultVersion));
  }
  StoredResult result;
  result.file = file;
  try {
    result.variables = json.at("p").get<Index>();
    result.data = json.at("data");
    for (const Json& one : json.at("components")) {
      if (!one.contains("means") || !one.contains("deviations")) {
        refuse(
            "components without the means of their variables",
            "a result of data, not of a covariance or of genotypes without alleles, written by -o");
      }
      result.components.push_back(
          {.support = one.at("indices").get<Support>(), .values = vector_from(one.at("values"))});
      result.names.push_back(one.at("names").get<std::vector<std::string>>());
      result.prepared.push_back({.means = vector_from(one.at("means")),
                                 .deviations = vector_from(one.at("deviations")),
                                 .alleles = one.value("alleles", std::vector<std::string>())});
      const Index k = result.components.back().cardinality();
      const std::string wrong = find_malformation(result.components.back(), result.variables);
      const bool is_short =
          result.prepared.back().means.size() != k ||
          result.prepared.back().deviations.size() != k ||
          (result.prepared.back().deviations.array() <= 0).any() ||
          (!result.names.back().empty() && std::ssize(result.names.back()) != k) ||
          result.prepared.back().alleles.empty() != result.prepared.front().alleles.empty() ||
          (!result.prepared.back().alleles.empty() &&
           std::ssize(result.prepared.back().alleles) != k);
      if (!wrong.empty() || is_short) {
        refuse(
            fmt::format("component {}: {}", result.components.size(),
                        wrong.empty() ? "lists of different lengths, or deviations <= 0" : wrong),
            "a result as it was written");
      }
    }
    read_shared_names(json.at("components"), result);
  } catch (const Json::exception&) {
    refuse("members that are missing or of another type",
           "a result as `spca schema result` describes it");
  }
  if (result.components.empty()) {
    refuse("no component", "a result with an answer");
  }
  return result;
}

}  // namespace spca::cli
