#include "harness/runs/foreign_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "spca/base/error.h"
#include "spca/base/json_text.h"
#include "spca/base/types.h"
#include "spca/io/json_file.h"

namespace spca {
namespace {

namespace fs = std::filesystem;

/// The files and folders of a run beside cells.jsonl. Other programs write a manifest.json too, so
/// that is_of_run() reads it.
constexpr std::array<std::string_view, 6> kOfRuns = {
    ".lock", "experiment.json", "figures", "identities.jsonl", "manifest.json", "slurm"};

/// Returns whether a killed process left this file (replace_file).
bool is_unfinished(const std::string& name) {
  return name.ends_with(".tmp") &&
         std::any_of(kOfRuns.begin(), kOfRuns.end(),
                     [&](std::string_view own) { return name.starts_with(own); });
}

bool is_of_run(const fs::path& path) {
  const std::string name = path.filename().string();
  if (name == "manifest.json") {
    const Json manifest = try_json_file(path);
    return manifest.is_object() && manifest.contains("experiment") && manifest.contains("profile");
  }
  return std::find(kOfRuns.begin(), kOfRuns.end(), name) != kOfRuns.end() || is_unfinished(name);
}

}  // namespace

void refuse_foreign_folder(const fs::path& directory) {
  std::error_code error;
  if (fs::exists(directory / "cells.jsonl", error)) {
    return;
  }
  for (fs::directory_iterator entry(directory, error), end; !error && entry != end;
       entry.increment(error)) {
    if (!is_of_run(entry->path())) {
      throw InputError(fmt::format(
          "-o: found the folder \"{}\", which holds \"{}\" and no run; accepted: a new folder, an "
          "empty one, or one with a run",
          directory.string(), entry->path().filename().string()));
    }
  }
}

}  // namespace spca
