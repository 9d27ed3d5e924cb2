#include <fmt/format.h>

#include <array>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "harness/cli/experiment_run.h"
#include "harness/cli/output.h"
#include "harness/runs/find_run.h"
#include "harness/submissions/run_status.h"
#include "spca/data/data_folder.h"
#include "spca/data/dataset.h"
#include "spca/io/json_file.h"
#include "spca/io/progress.h"

namespace spca::cli {
namespace {

Json counts_json(const CellCounts& counts) {
  return {{"done", counts.done},
          {"failed", counts.failed},
          {"skipped", counts.skipped},
          {"time_limited", counts.time_limited},
          {"missing", counts.missing}};
}

constexpr std::array<TaskProgress, 5> kProgress = {TaskProgress::kQueued, TaskProgress::kRunning,
                                                   TaskProgress::kFinished, TaskProgress::kFailed,
                                                   TaskProgress::kUnknown};

std::string job_text(const TaskState& state) {
  if (state.task == 0) {
    return state.submission.merge_job;
  }
  return state.submission.job.empty() ? "" : fmt::format("{}_{}", state.submission.job, state.task);
}

/// Returns null if the run was not submitted.
Json tasks_json(const RunStatus& status) {
  if (status.tasks.empty()) {
    return nullptr;
  }
  Json json = Json::object();
  for (const TaskProgress progress : kProgress) {
    json[task_progress_name(progress)] = status.count(progress);
  }
  Json all = Json::array();
  for (const TaskState& state : status.tasks) {
    const std::string job = job_text(state);
    all.push_back({{"submission", state.submission.folder.string()},
                   {"task", state.task == 0 ? Json(nullptr) : Json(state.task)},
                   {"job", job.empty() ? Json(nullptr) : Json(job)},
                   {"state", task_progress_name(state.progress)},
                   {"reason", state.reason.empty() ? Json(nullptr) : Json(state.reason)}});
  }
  json["all"] = all;
  return json;
}

/// Returns an empty text if the run was not submitted.
std::string tasks_text(const RunStatus& status) {
  if (status.tasks.empty()) {
    return "";
  }
  std::vector<std::string> counts;
  for (const TaskProgress progress : kProgress) {
    const std::size_t count = status.count(progress);
    if (count > 0 || progress != TaskProgress::kUnknown) {
      counts.push_back(fmt::format("{} {}", count, task_progress_name(progress)));
    }
  }
  std::string text = "\ntasks: " + join(counts) + "\n";
  for (const TaskState& state : status.tasks) {
    const std::string merge = fmt::format("merge of {}: {}", state.submission.folder.string(),
                                          task_progress_name(state.progress));
    if (state.task == 0) {
      text += fmt::format("{}{}\n", merge, state.reason.empty() ? "" : ": " + state.reason);
    } else if (state.progress == TaskProgress::kFailed) {
      text += fmt::format("task {}: {}: {}\n", state.task, state.reason,
                          task_log(state.submission, state.task).string());
    }
  }
  return text;
}

Json status_json(const std::filesystem::path& directory, const RunStatus& status) {
  Json groups = Json::array();
  for (const auto& [names, counts] : status.groups) {
    Json group = {{"solver", names.first}, {"dataset", names.second}};
    group.update(counts_json(counts));
    groups.push_back(group);
  }
  Json failures = Json::array();
  for (const FailedCell& failed : status.failures) {
    failures.push_back(
        {{"cell", failed.cell}, {"status", failed.status}, {"message", failed.message}});
  }
  return {{"directory", directory.string()},
          {"experiment", status.experiment},
          {"profile", status.profile},
          {"shard", status.shard.empty() ? Json(nullptr) : Json(status.shard)},
          {"state", status.state},
          {"process", status.process ? Json(*status.process) : Json(nullptr)},
          {"cells", status.cells},
          {"total", counts_json(status.total)},
          {"groups", groups},
          {"elapsed_seconds", status.elapsed_seconds},
          {"rest_seconds", number_to_json(status.rest_seconds)},
          {"last_failures", failures},
          {"tasks", tasks_json(status)}};
}

std::vector<std::string> counts_row(const std::string& solver, const std::string& dataset,
                                    const CellCounts& counts) {
  return {solver,
          dataset,
          std::to_string(counts.done),
          std::to_string(counts.failed),
          std::to_string(counts.skipped),
          std::to_string(counts.time_limited),
          std::to_string(counts.missing)};
}

std::string status_text(const std::filesystem::path& directory, const RunStatus& status) {
  std::string text = fmt::format(
      "{}: {}, profile {}{}\n{}{}; {} of {} cells after {}", directory.string(), status.experiment,
      status.profile, status.shard.empty() ? "" : ", shard " + status.shard, status.state,
      status.process ? " (" + *status.process + ")" : "", status.cells - status.total.missing,
      status.cells, format_duration(status.elapsed_seconds));
  if (status.total.missing > 0) {
    text += std::isfinite(status.rest_seconds)
                ? fmt::format("; the rest takes about {}", format_duration(status.rest_seconds))
                : "; the time of the rest is unknown";
  }
  std::vector<std::vector<std::string>> rows = {
      {"solver", "dataset", "done", "failed", "skipped", "time-limited", "missing"}};
  for (const auto& [names, counts] : status.groups) {
    rows.push_back(counts_row(names.first, names.second, counts));
  }
  rows.push_back(counts_row("total", "", status.total));
  text += "\n\n" + aligned(rows) + tasks_text(status);
  if (!status.failures.empty()) {
    text += "\nlast failures:\n";
  }
  for (const FailedCell& failed : status.failures) {
    text += fmt::format("{}: {}: {}\n", failed.cell, failed.status, failed.message);
  }
  return text;
}

std::function<int()> declare_status(Declarations& declare, const GlobalOptions& global) {
  struct Options {
    std::string run;
    bool json = false;
  };
  const auto options = std::make_shared<Options>();
  declare.positional("RUN", options->run,
                     "Folder of a run, or an experiment, whose newest run is used.");
  declare.flag("--json", options->json, "Print JSON instead of text.");
  return [options, &global] {
    const std::filesystem::path directory = find_run(options->run);
    const RunStatus status = status_of_run(directory, data_directory(global.data_dir));
    if (options->json) {
      write_json(status_json(directory, status));
    } else {
      write_stdout(status_text(directory, status));
    }
    return kExitOk;
  };
}

SPCA_COMMAND("status", CommandGroup::kExperiments,
             "Show the progress of a run, while it is running or after it was killed",
             "  spca status quickstart\n"
             "  spca status quickstart --json | jq .tasks   # after `spca submit quickstart`\n"
             "  spca status results/runs/quickstart/full --json",
             declare_status);

}  // namespace
}  // namespace spca::cli
