#include <fmt/format.h>
#include <zlib.h>

#include <Spectra/Util/Version.h>
#include <CLI/Version.hpp>
#include <Eigen/Core>
#include <memory>
#include <nlohmann/json.hpp>

#include "harness/cells/instruction_counter.h"
#include "harness/cli/command.h"
#include "harness/cli/output.h"
#include "harness/pages/python_program.h"
#include "harness/records/manifest.h"
#include "harness/records/record.h"
#include "harness/runs/control_groups.h"
#include "harness/runs/sqlite.h"
#include "spca/base/error.h"
#include "spca/base/json_text.h"
#include "spca/data/data_folder.h"
#include "spca/data/dataset.h"
#include "spca/data/fetch/download.h"
#include "spca/data/readers/hdf5_process.h"
#include "spca/methods/packing/packing_program.h"

namespace spca::cli {
namespace {

std::string three(int major, int minor, int patch) {
  return fmt::format("{}.{}.{}", major, minor, patch);
}

/// Returns the entry of a library that does not provide its version.
Json linked(bool is_linked) { return is_linked ? Json("linked") : Json(nullptr); }

/// Returns the versions of the headers of the build, and for shared libraries the versions at run
/// time.
Json library_versions() {
  const std::string curl = downloader_version();
  return {{"eigen", three(EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION)},
          {"spectra", three(SPECTRA_MAJOR_VERSION, SPECTRA_MINOR_VERSION, SPECTRA_PATCH_VERSION)},
          {"nlohmann_json", three(NLOHMANN_JSON_VERSION_MAJOR, NLOHMANN_JSON_VERSION_MINOR,
                                  NLOHMANN_JSON_VERSION_PATCH)},
          {"fmt", three(FMT_VERSION / 10000, FMT_VERSION / 100 % 100, FMT_VERSION % 100)},
          {"cli11", CLI11_VERSION},
          {"zlib", zlibVersion()},
          {"hdf5", hdf5_version()},
          {"sqlite", sqlite_version()},
          {"clp", clp_version()},
          {"curl", curl.empty() ? Json(nullptr) : Json(curl)},
          {"liblinear", linked(SPCA_LINKS_LIBLINEAR)},
          {"libsvm", linked(SPCA_LINKS_LIBSVM)}};
}

/// Returns for each data set the number of its files and the names of the missing ones. Does not
/// compute checksums, as `spca fetch --check` does.
Json data_sets_at_hand(const std::filesystem::path& data_dir) {
  Json sets = Json::object();
  for (const auto& [name, entry] : DatasetRegistry::instance().entries()) {
    Json missing = Json::array();
    for (const std::string& file : entry.traits.files) {
      try {
        find_data_file(data_dir, file);
      } catch (const MissingData&) {
        missing.push_back(file);
      }
    }
    sets[name] = {{"files", entry.traits.files.size()}, {"missing", missing}};
  }
  return sets;
}

/// Describes the Python interpreter of plotting/. If it is missing or fails, "error" is the reason.
Json python_environment() {
  try {
    const PythonOutput output = run_python("versions.py", {});
    if (output.exit_code != 0) {
      return {{"error", fmt::format("exit code {}", output.exit_code)}};
    }
    Json versions = parse_json(output.text);
    return versions.is_discarded()
               ? Json{{"error", "the interpreter printed something else than JSON"}}
               : versions;
  } catch (const InputError& error) {
    return {{"error", error.what()}};
  }
}

Json environment(const GlobalOptions& global) {
  Json build = build_information();
  build.erase("sources");
  const std::filesystem::path data_dir = data_directory(global.data_dir);
  std::error_code error;
  return {{"build", build},
          {"machine", machine_information()},
          {"libraries", library_versions()},
          {"python", python_environment()},
          {"cells",
           {{"limits", cell_limits_in_force()},
            {"instructions", why_no_instructions().empty() ? "counted" : why_no_instructions()}}},
          {"data",
           {{"folder", data_dir.string()},
            {"exists", std::filesystem::is_directory(data_dir, error)},
            {"datasets", data_sets_at_hand(data_dir)}}}};
}

std::string shown(const Json& value) {
  return value.is_null()     ? "missing"
         : value.is_string() ? value.get<std::string>()
                             : json_line(value);
}

std::string data_set_text(const Json& set) {
  const auto count = set["files"].get<std::size_t>();
  const Json& missing = set["missing"];
  return count == 0        ? "needs no file"
         : missing.empty() ? "there"
         : missing.size() < count
             ? "in part; missing: " + join(missing.get<std::vector<std::string>>())
             : "missing";
}

std::string environment_text(const Json& all) {
  std::vector<std::vector<std::string>> rows;
  const auto add = [&rows](const std::string& name, const std::string& value) {
    rows.push_back({name, value});
  };
  for (const char* part : {"build", "machine", "libraries", "python", "cells"}) {
    for (const auto& [name, value] : all[part].items()) {
      add(fmt::format("{} {}", part, name), shown(value));
    }
  }
  const Json& data = all["data"];
  add("data folder", shown(data["folder"]) + (data["exists"] ? "" : " (does not exist)"));
  for (const auto& [name, set] : data["datasets"].items()) {
    add("data set " + name, data_set_text(set));
  }
  return aligned(rows);
}

std::function<int()> declare_env(Declarations& declare, const GlobalOptions& global) {
  const auto json = std::make_shared<bool>(false);
  declare.flag("--json", *json, "Print JSON instead of text.");
  return [json, &global] {
    const Json all = environment(global);
    *json ? write_json(all) : write_stdout(environment_text(all));
    return kExitOk;
  };
}

SPCA_COMMAND("env", CommandGroup::kProgram,
             "Print how the program was built and what it runs on, for a bug report",
             "  spca env\n  spca env --json", declare_env);

}  // namespace
}  // namespace spca::cli
