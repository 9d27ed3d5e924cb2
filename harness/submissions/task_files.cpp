#include "harness/submissions/task_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "harness/records/manifest.h"
#include "harness/records/record.h"
#include "harness/records/record_line.h"
#include "harness/records/run_seal.h"
#include "spca/base/text.h"
#include "spca/io/file_descriptor.h"
#include "spca/io/json_file.h"

namespace spca {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kChunkPrefix = "chunk-";

fs::path submission_file(const fs::path& folder) { return folder / "submission.json"; }

[[noreturn]] void not_as_written(const JsonText& text) {
  throw InputError(fmt::format("{}: not as `spca submit` writes it", text.name()));
}

bool is_job(const Json& json) {
  return json.is_null() ||
         (json.is_string() && parse_integer(json.get<std::string>()).value_or(0) > 0);
}

/// Returns the number that a name such as "3" spells, or 0 for any other name ("x", "03", "0").
std::size_t number_of(const std::string& name) {
  const auto number = parse_integer(name);
  return number && *number > 0 && std::to_string(*number) == name
             ? static_cast<std::size_t>(*number)
             : 0;
}

std::vector<std::size_t> submission_numbers(const fs::path& run) {
  std::vector<std::size_t> numbers;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(submissions_folder(run), error)) {
    if (const std::size_t number = number_of(entry.path().filename().string()); number > 0) {
      numbers.push_back(number);
    }
  }
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

Submission submission_from(const fs::path& folder, const JsonText& text) {
  const Json& json = text.json();
  const auto is_count = [&](const char* name) {
    return json.contains(name) && json[name].is_number_unsigned() && json[name] > 0;
  };
  if (!json.is_object() || !is_count("tasks") || !is_count("jobs") || !is_count("threads") ||
      !json.contains("job") || !is_job(json["job"]) || !json.contains("merge_job") ||
      !is_job(json["merge_job"])) {
    not_as_written(text);
  }
  return {.folder = folder,
          .tasks = json["tasks"].get<std::size_t>(),
          .jobs = json["jobs"].get<int>(),
          .threads = json["threads"].get<int>(),
          .job = json["job"].is_null() ? "" : json["job"].get<std::string>(),
          .merge_job = json["merge_job"].is_null() ? "" : json["merge_job"].get<std::string>()};
}

Json job_to_json(const std::string& job) { return job.empty() ? Json(nullptr) : Json(job); }

}  // namespace

fs::path chunk_file(const Submission& submission, std::size_t task) {
  return submission.folder / fmt::format("{}{}.json", kChunkPrefix, task);
}

fs::path task_folder(const Submission& submission, std::size_t task) {
  return submission.folder / fmt::format("task-{}", task);
}

fs::path task_log(const Submission& submission, std::size_t task) {
  return submission.folder / fmt::format("task-{}.log", task);
}

std::optional<int> task_exit_code(const Submission& submission, std::size_t task) {
  std::ifstream file(submission.folder / fmt::format("task-{}.exit", task));
  int code = 0;
  return file >> code ? std::optional(code) : std::nullopt;
}

fs::path submissions_folder(const fs::path& run) { return run / "slurm"; }

std::vector<Submission> submissions_of(const fs::path& run) {
  std::vector<Submission> submissions;
  for (const std::size_t number : submission_numbers(run)) {
    const fs::path folder = submissions_folder(run) / std::to_string(number);
    // A submission without this file was interrupted before any job was submitted.
    if (fs::exists(submission_file(folder))) {
      submissions.push_back(submission_from(folder, read_json_file(submission_file(folder))));
    }
  }
  return submissions;
}

fs::path next_submission_folder(const fs::path& run) {
  const std::vector<std::size_t> numbers = submission_numbers(run);
  return submissions_folder(run) / std::to_string(numbers.empty() ? 1 : numbers.back() + 1);
}

void write_submission(const Submission& submission, const Experiment& experiment) {
  const fs::path copy = submission.folder / "experiment.json";
  if (!fs::exists(copy)) {
    write_json_file(copy, experiment.json);
  }
  write_json_file(submission_file(submission.folder),
                  {{"experiment", experiment.name},
                   {"path", experiment.path.string()},
                   {"folder", experiment.folder.string()},
                   {"overrides", overrides_to_json(experiment.overrides)},
                   {"tasks", submission.tasks},
                   {"jobs", submission.jobs},
                   {"threads", submission.threads},
                   {"job", job_to_json(submission.job)},
                   {"merge_job", job_to_json(submission.merge_job)}});
}

void write_chunk(const Submission& submission, std::size_t task,
                 const std::vector<std::string>& keys, double predicted_seconds) {
  write_json_file(chunk_file(submission, task),
                  {{"chunk", fmt::format("{}/{}", task, submission.tasks)},
                   {"predicted_seconds", number_to_json(predicted_seconds)},
                   {"cells", keys}});
}

TaskChunk read_chunk(const fs::path& file) {
  const JsonText text = read_json_file(file);
  const Json& json = text.json();
  const bool has_members = json.is_object() && json.contains("chunk") &&
                           json["chunk"].is_string() && json.contains("cells") &&
                           json["cells"].is_array();
  if (!has_members || json["cells"].empty() ||
      !std::all_of(json["cells"].begin(), json["cells"].end(),
                   [](const Json& key) { return key.is_string(); })) {
    not_as_written(text);
  }
  return {.file = file,
          .name = json["chunk"].get<std::string>(),
          .keys = json["cells"].get<std::vector<std::string>>()};
}

LoadedTask load_task(const fs::path& file, const fs::path& data_dir) {
  const std::string name = file.stem().string();
  const std::size_t task =
      name.starts_with(kChunkPrefix) ? number_of(name.substr(kChunkPrefix.size())) : 0;
  if (task == 0) {
    throw InputError(
        fmt::format("{}: accepted: a file chunk-N.json that `spca submit` wrote", file.string()));
  }
  TaskChunk chunk = read_chunk(file);
  const fs::path folder = file.parent_path();
  const JsonText text = read_json_file(submission_file(folder));
  const Submission submission = submission_from(folder, text);
  LoadedTask loaded;
  try {
    loaded.experiment = load_experiment(folder / "experiment.json",
                                        overrides_from_json(text.json().at("overrides")), data_dir);
    loaded.experiment.path = text.json().at("path").get<std::string>();
    loaded.experiment.folder = text.json().at("folder").get<std::string>();
  } catch (const Json::exception&) {
    not_as_written(text);
  }
  RunRequest& request = loaded.request;
  request.directory = task_folder(submission, task);
  request.data_dir = data_dir;
  request.jobs = submission.jobs;
  request.threads = submission.threads;
  request.chunk = std::move(chunk);
  return loaded;
}

Json task_manifest(const Submission& submission, std::size_t task) {
  const fs::path folder = task_folder(submission, task);
  Json manifest = read_manifest(folder);
  const bool has_fields = [&] {
    for (const char* field : {"shard", "machine", "jobs", "threads", "began", "ended", "build"}) {
      if (!manifest.contains(field)) {
        return false;
      }
    }
    return manifest.contains("origin") && manifest["origin"].is_string() &&
           manifest.contains("reused_from") && manifest["reused_from"].is_object();
  }();
  if (!has_fields) {
    throw damaged_file((folder / "manifest.json").string(), "not of a task");
  }
  return manifest;
}

void add_finished_keys(const Submission& submission, std::size_t task,
                       std::set<std::string>& finished) {
  try {
    task_manifest(submission, task);
  } catch (const InputError&) {
    return;  // the merging command reports it
  }
  std::ifstream file(task_folder(submission, task) / "cells.jsonl", std::ios::binary);
  for (std::string line; std::getline(file, line) && !file.eof();) {
    try {
      require_check(line);
      const RecordLine record = scan_record_line(line);
      if (is_final(record.status)) {
        finished.emplace(record.key);
      }
    } catch (const InputError&) {
      continue;
    }
  }
}

}  // namespace spca
