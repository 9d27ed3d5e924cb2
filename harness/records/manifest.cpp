#include "harness/records/manifest.h"

#include <sys/utsname.h>
#include <unistd.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>

#include "harness/records/build_facts.h"
#include "harness/records/stand_in_plugins.h"
#include "spca/base/json_text.h"
#include "spca/base/sha256.h"
#include "spca/dense/dense_products.h"
#include "spca/io/json_file.h"
#include "spca/io/revision.h"

namespace spca {
namespace {

/// Returns the text after "name : " in a file such as /proc/cpuinfo, or "unknown".
std::string proc_field(const char* file, const std::string& name) {
  std::ifstream lines(file);
  std::string line;
  while (std::getline(lines, line)) {
    const std::size_t colon = line.find(':');
    if (line.starts_with(name) && colon != std::string::npos) {
      const std::size_t start = line.find_first_not_of(" \t", colon + 1);
      return start == std::string::npos ? "unknown" : line.substr(start);
    }
  }
  return "unknown";
}

/// Returns null for a value that the command line did not set.
template <class Value>
Json or_null(const std::optional<Value>& value) {
  return value ? Json(*value) : Json(nullptr);
}

template <class Value>
void read_optional(const Json& json, const char* name, std::optional<Value>& value) {
  if (!json.at(name).is_null()) {
    value = json.at(name).get<Value>();
  }
}

}  // namespace

Json overrides_to_json(const ExperimentOverrides& overrides) {
  Json json = {{"profile", overrides.profile},
               {"seed", or_null(overrides.seed)},
               {"repeats", or_null(overrides.repeats)},
               {"time_limit", or_null(overrides.time_limit)},
               {"memory_limit", or_null(overrides.memory_limit)},
               {"only_solvers", overrides.only_solvers},
               {"only_datasets", overrides.only_datasets},
               {"set", overrides.settings},
               {"maximum_cells", or_null(overrides.maximum_cells)}};
  if (!overrides.also.empty()) {
    json["also"] = overrides.also;
  }
  return json;
}

ExperimentOverrides overrides_from_json(const Json& json) {
  ExperimentOverrides overrides;
  json.at("profile").get_to(overrides.profile);
  read_optional(json, "seed", overrides.seed);
  read_optional(json, "repeats", overrides.repeats);
  read_optional(json, "time_limit", overrides.time_limit);
  read_optional(json, "memory_limit", overrides.memory_limit);
  json.at("only_solvers").get_to(overrides.only_solvers);
  json.at("only_datasets").get_to(overrides.only_datasets);
  if (json.contains("set")) {  // missing in manifests of older versions
    json.at("set").get_to(overrides.settings);
    read_optional(json, "maximum_cells", overrides.maximum_cells);
  }
  if (json.contains("also")) {
    json.at("also").get_to(overrides.also);
  }
  return overrides;
}

Json build_information() {
  Json sources = Json::object();
  for (const auto& [file, digest] : source_digests()) {
    sources[file] = digest;
  }
  const BuildFacts facts = build_facts();
  return {{"version", facts.version},
          {"compiler", facts.compiler},
          {"flags", facts.flags},
          {"build_type", facts.build_type},
          {"revision", sha256(json_line(sources))},
          {"sources", sources}};
}

Json machine_information() {
  utsname system{};
  uname(&system);
  const long pages = sysconf(_SC_PHYS_PAGES);
  return {{"processor", proc_field("/proc/cpuinfo", "model name")},
          {"cores", sysconf(_SC_NPROCESSORS_ONLN)},
          {"memory_bytes", pages * sysconf(_SC_PAGESIZE)},
          {"operating_system", fmt::format("{} {}", system.sysname, system.release)},
          {"architecture", system.machine},
          {"instructions", instructions_of_products()}};
}

Json make_manifest(const Experiment& experiment, const Json& invocation) {
  return {{"experiment", experiment.name},
          {"path", experiment.path.string()},
          {"folder", experiment.folder.string()},
          {"title", experiment.title},
          {"source", experiment.source},
          {"profile", experiment.profile},
          {"seed", experiment.seed},
          {"overrides", overrides_to_json(experiment.overrides)},
          {"time_limit_seconds", experiment.time_limit},
          {"memory_limit_mb", experiment.memory_limit},
          {"cells", experiment.cells().size()},
          {"invocation", invocation},
          {"build", build_information()},
          {"machine", machine_information()}};
}

Experiment experiment_of_run(const std::filesystem::path& directory,
                             const std::filesystem::path& data_dir, Damage damage) {
  const std::filesystem::path file = directory / "manifest.json";
  require_intact_run(directory, damage);
  const Json manifest = read_manifest(directory, damage);
  const auto load = [&] {
    return load_experiment(directory / "experiment.json",
                           overrides_from_json(manifest.at("overrides")), data_dir);
  };
  const auto load_with_stand_ins = [&] {
    try {
      return load();
    } catch (const InputError&) {
      // The experiment may name plugins that only the program of the run has.
      if (!register_stand_ins(directory / "cells.jsonl", damage)) {
        throw;
      }
      return load();
    }
  };
  try {
    Experiment experiment = load_with_stand_ins();
    experiment.path = manifest.at("path").get<std::string>();
    if (manifest.contains("folder")) {  // missing in manifests of older versions
      experiment.folder = manifest["folder"].get<std::string>();
    }
    return experiment;
  } catch (const Json::exception&) {
    throw InputError(fmt::format("{}: not the manifest of a run of this program", file.string()));
  }
}

}  // namespace spca
