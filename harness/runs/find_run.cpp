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

bool is_same_file(const fs::path& a, const fs::path& b) {
  std::error_code error;
  return fs::equivalent(a, b, error);
}

/// Returns whether a name or, unless `file` is empty, the experiment in this file may find the run:
/// `--set` did not change its experiment, and the experiment is that of the file.
bool is_found(const fs::path& run, const fs::path& file) {
  const fs::path path = run / "manifest.json";
  const Json manifest = fs::exists(path) ? read_json_file(path).json() : Json();
  if (!manifest.is_object()) {
    return file.empty();
  }
  const Json overrides = manifest.value("overrides", Json());
  const bool has_settings = overrides.is_object() && !overrides.value("set", Json::array()).empty();
  const Json of = manifest.value("path", Json());
  return !has_settings &&
         (file.empty() || (of.is_string() && is_same_file(of.get<std::string>(), file)));
}

/// Returns the newest run without --set in the folders, or an empty path if there is none. `file`:
/// the runs have to be of the experiment in this file; empty: of any. Throws InputError if a clock
/// that was set back makes it unclear which run is the newest.
fs::path newest_run(const std::vector<fs::path>& folders, const fs::path& file = {}) {
  constexpr std::chrono::seconds kOtherClock(2);  // by which a file server's clock may be ahead
  fs::path newest;
  fs::file_time_type newest_time;
  std::size_t count = 0;
  for (const fs::path& folder : folders) {
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error)) {
      const fs::path& run = entry.path();
      const fs::path cells = run / "cells.jsonl";
      if (!fs::exists(cells) || !is_found(run, file)) {
        continue;
      }
      ++count;
      const fs::file_time_type time = fs::last_write_time(cells);
      if (newest.empty() || time > newest_time) {
        newest = run;
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

/// Returns the name of the experiment in this file; empty if it is not a JSON file with a name.
std::string name_in_file(const std::string& file) {
  if (fs::path(file).extension() == ".json" && fs::is_regular_file(file)) {
    const Json document = try_json_file(file);
    if (document.is_object() && document.contains("name") && document["name"].is_string()) {
      return document["name"];
    }
  }
  return "";
}

/// Returns whether this is a name below the folder of runs, and no path that leads out of it.
bool is_run_name(const std::string& name) {
  return !name.empty() && name.front() != '/' && name.find("..") == std::string::npos;
}

fs::path runs_below(const fs::path& folder) { return folder / "results" / "runs"; }

/// Returns the newest run of the experiment in the file, below the working directory or the folder
/// of the file. Throws InputError if there is none.
fs::path find_run_of_file(const std::string& file, const std::string& name) {
  std::vector<fs::path> folders = {runs_below("") / name};
  if (const fs::path beside = fs::path(file).parent_path();
      !beside.empty() && !is_same_file(beside, fs::current_path())) {
    folders.push_back(runs_below(beside) / name);
  }
  const fs::path newest = is_run_name(name) ? newest_run(folders, file) : fs::path();
  if (newest.empty()) {
    std::vector<std::string> names;
    for (const fs::path& folder : folders) {
      names.push_back(folder.string());
    }
    throw InputError(
        fmt::format("RUN: found no run of {} without --set in {}; accepted: a run folder (it holds "
                    "cells.jsonl), or the file of an experiment that was run, as by `spca run {}`",
                    printable(file), fmt::join(names, " or "), printable(file)));
  }
  return newest;
}

}  // namespace

fs::path find_run(const std::string& run) {
  if (fs::is_directory(run) && fs::exists(fs::path(run) / "cells.jsonl")) {
    return run;
  }
  if (const std::string name = name_in_file(run); !name.empty()) {
    return find_run_of_file(run, name);
  }
  fs::path newest = is_run_name(run) ? newest_run({runs_below("") / run}) : fs::path();
  if (newest.empty()) {
    refuse_no_run(run);
  }
  return newest;
}

std::vector<fs::path> newest_runs() {
  // results/runs/EXPERIMENT/PROFILE/cells.jsonl; an experiment's name may have folders.
  std::set<fs::path> experiments;
  std::error_code error;
  for (fs::recursive_directory_iterator entry(runs_below(""), error), end; !error && entry != end;
       entry.increment(error)) {
    if (entry->path().filename() == "cells.jsonl") {
      experiments.insert(entry->path().parent_path().parent_path());
    }
  }
  std::vector<fs::path> runs;
  for (const fs::path& experiment : experiments) {
    if (fs::path run = newest_run({experiment}); !run.empty()) {
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
