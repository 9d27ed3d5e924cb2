#include "harness/runs/find_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <set>

#include "harness/experiments/experiment.h"
#include "spca/base/error.h"
#include "spca/base/text.h"
#include "spca/io/json_file.h"

namespace spca {

namespace {

namespace fs = std::filesystem;

/// Returns true if `--set` changed the experiment of this run, so that the name alone must not find
/// the run.
bool has_settings(const fs::path& run) {
  const fs::path manifest = run / "manifest.json";
  const Json json = fs::exists(manifest) ? read_json_file(manifest).json() : Json();
  const Json overrides = json.is_object() ? json.value("overrides", Json()) : Json();
  return overrides.is_object() && !overrides.value("set", Json::array()).empty();
}

/// Returns the newest run without --set in the folder, or an empty path if there is none. Throws
/// InputError if a clock that was set back makes it unclear which run is the newest.
fs::path newest_run(const fs::path& runs) {
  constexpr std::chrono::seconds kOtherClock(2);  // by which a file server's clock may be ahead
  fs::path newest;
  fs::file_time_type newest_time;
  std::size_t count = 0;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(runs, error)) {
    const fs::path cells = entry.path() / "cells.jsonl";
    if (fs::exists(cells) && !has_settings(entry.path())) {
      ++count;
      const fs::file_time_type time = fs::last_write_time(cells);
      if (newest.empty() || time > newest_time) {
        newest = entry.path();
        newest_time = time;
      }
    }
  }
  if (count > 1 && newest_time > fs::file_time_type::clock::now() + kOtherClock) {
    throw InputError(
        fmt::format("RUN: {} is dated in the future, so that the newest of {} runs is not known; "
                    "accepted: the "
                    "folder of one",
                    newest.string(), count));
  }
  return newest;
}

/// Throws InputError. The message for an experiment that was not run differs from the message for a
/// mistyped name.
[[noreturn]] void refuse_no_run(const std::string& name) {
  const std::vector<std::string> experiments = experiment_names();
  if (std::find(experiments.begin(), experiments.end(), name) != experiments.end()) {
    throw InputError(fmt::format(
        "RUN: found no run of {0} without --set below results/runs; accepted: a run folder (it "
        "holds cells.jsonl), or an experiment that was run, as by `spca run {0}`",
        name));
  }
  throw InputError(fmt::format(
      "RUN: found \"{}\"{}; accepted: a run folder (it holds cells.jsonl), or an experiment that "
      "was run without --set below results/runs",
      name, did_you_mean(name, experiments)));
}

/// Returns the name of the experiment in this file, or the argument if it is not a JSON file with a
/// name.
std::string name_in_file(const std::string& name_or_file) {
  if (fs::path(name_or_file).extension() == ".json" && fs::is_regular_file(name_or_file)) {
    const Json document = try_json_file(name_or_file);
    if (document.is_object() && document.contains("name") && document["name"].is_string()) {
      return document["name"];
    }
  }
  return name_or_file;
}

}  // namespace

fs::path find_run(const std::string& run) {
  if (fs::is_directory(run) && fs::exists(fs::path(run) / "cells.jsonl")) {
    return run;
  }
  const std::string name = name_in_file(run);
  // Accepts a name below the folder of runs, but no path that leads out of it.
  const bool is_name = !name.empty() && name.front() != '/' && name.find("..") == std::string::npos;
  fs::path newest = is_name ? newest_run(fs::path("results") / "runs" / name) : fs::path();
  if (newest.empty()) {
    refuse_no_run(run);
  }
  return newest;
}

std::vector<fs::path> newest_runs() {
  // results/runs/EXPERIMENT/PROFILE/cells.jsonl; an experiment's name may have folders.
  std::set<fs::path> experiments;
  std::error_code error;
  for (fs::recursive_directory_iterator entry(fs::path("results") / "runs", error), end;
       !error && entry != end; entry.increment(error)) {
    if (entry->path().filename() == "cells.jsonl") {
      experiments.insert(entry->path().parent_path().parent_path());
    }
  }
  std::vector<fs::path> runs;
  for (const fs::path& experiment : experiments) {
    if (fs::path run = newest_run(experiment); !run.empty()) {
      runs.push_back(std::move(run));
    }
  }
  return runs;
}

bool has_record(const fs::path& run) {
  std::error_code error;
  const auto size = fs::file_size(run / "cells.jsonl", error);
  return !error && size > 0;
}

}  // namespace spca
