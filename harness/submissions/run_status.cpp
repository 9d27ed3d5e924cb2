#include "harness/submissions/run_status.h"

#include <sys/stat.h>

#include <algorithm>
#include <ctime>
#include <nlohmann/json.hpp>

#include "harness/records/record_line.h"
#include "harness/runs/run_folder.h"
#include "spca/base/text.h"

namespace spca {
namespace {

constexpr std::size_t kMostFailures = 5;

/// Converts "2026-01-31T12:00:00Z" to seconds since 1970.
double utc_seconds(const Json& text) {
  std::tm time{};
  strptime(text.get<std::string>().c_str(), "%Y-%m-%dT%H:%M:%SZ", &time);
  return static_cast<double>(timegm(&time));
}

double changed_at(const std::filesystem::path& file) {
  struct stat state {};
  ::stat(file.c_str(), &state);
  return static_cast<double>(state.st_mtime);
}

std::size_t& count_of(const StoredRecord& record, CellCounts& counts) {
  if (!record.exists) {
    return counts.missing;
  }
  if (record.status == Status::kTimeLimit) {
    return counts.time_limited;
  }
  if (record.status == Status::kSkipped) {
    return counts.skipped;
  }
  return record.is_failure ? counts.failed : counts.done;
}

/// The records of a run, and those of its tasks for cells without a final record in the run.
struct AllRecords {
  std::vector<StoredRecord> records;
  /// The lines of failed cells whose record comes from a task.
  std::map<std::size_t, std::string> lines;
};

AllRecords all_records(const std::filesystem::path& directory, const RunContext& context,
                       const std::vector<TaskState>& tasks) {
  AllRecords all{.records = find_finished_cells(context, directory), .lines = {}};
  std::vector<std::filesystem::path> folders;
  for (const TaskState& state : tasks) {
    try {
      if (state.task > 0) {
        task_manifest(state.submission, state.task);
        folders.push_back(task_folder(state.submission, state.task));
      }
    } catch (const InputError&) {
      // The task has not begun, or will never be merged.
    }
  }
  for_each_record(
      context, folders,
      [&](std::size_t, std::size_t cell, const StoredRecord& record, const std::string& line) {
        StoredRecord& known = all.records[cell];
        if (known.exists && (is_final(known.status) || !is_final(record.status))) {
          return;
        }
        known = record;
        all.lines.erase(cell);
        if (record.is_failure) {
          all.lines.emplace(cell, line);
        }
      });
  return all;
}

std::vector<FailedCell> last_failures(const RunFolder& run, const RunContext& context,
                                      const AllRecords& all) {
  const std::vector<StoredRecord>& records = all.records;
  std::vector<std::size_t> failed;
  for (std::size_t cell = 0; cell < records.size(); ++cell) {
    if (records[cell].exists && records[cell].is_failure) {
      failed.push_back(cell);
    }
  }
  std::sort(failed.begin(), failed.end(),
            [&](std::size_t a, std::size_t b) { return records[a].offset > records[b].offset; });
  failed.resize(std::min(failed.size(), kMostFailures));
  std::vector<FailedCell> failures;
  for (const std::size_t cell : failed) {
    FailedCell& failure = failures.emplace_back();
    failure.cell = cell_name(context.identity(cell));
    failure.status = status_name(records[cell].status);
    try {
      const auto of_task = all.lines.find(cell);
      const std::string line =
          of_task == all.lines.end() ? run.line(records[cell]) : of_task->second;
      failure.message = kept_message(text_of(raw_field(line, "message")));
    } catch (const InputError&) {
      // The run ended just now and sorted its records, so the line is elsewhere.
    }
  }
  return failures;
}

bool is_in_slurm(const RunStatus& status) {
  return std::any_of(status.tasks.begin(), status.tasks.end(), [](const TaskState& state) {
    return state.progress == TaskProgress::kQueued || state.progress == TaskProgress::kRunning;
  });
}

void add_times(const RunFolder& run, RunStatus& status) {
  const Json& manifest = run.manifest();
  double end = changed_at(run.cells_file());
  if (status.process || is_in_slurm(status)) {
    end = static_cast<double>(std::time(nullptr));
  } else if (manifest["ended"].is_string()) {
    end = utc_seconds(manifest["ended"]);
  }
  status.elapsed_seconds = std::max(0.0, end - utc_seconds(manifest["began"]));
  const auto before = manifest["kept"].get<std::size_t>() + manifest["reused"].get<std::size_t>();
  const std::size_t there = status.cells - status.total.missing;
  if (status.total.missing == 0) {
    status.rest_seconds = 0;
  } else if (there > before && status.elapsed_seconds > 0) {
    status.rest_seconds = status.elapsed_seconds * static_cast<double>(status.total.missing) /
                          static_cast<double>(there - before);
  }
}

}  // namespace

RunStatus status_of_run(const std::filesystem::path& directory,
                        const std::filesystem::path& data_dir) {
  // This must precede reading the records: a process that ends meanwhile leaves them complete.
  const std::optional<std::string> process = running_process(directory);
  const RunFolder run(directory, data_dir);
  const RunContext context = run.context(false);
  const Json& manifest = run.manifest();
  RunStatus status;
  status.tasks = tasks_of_run(directory, Scheduler::kOptional);
  const AllRecords all = all_records(directory, context, status.tasks);
  status.experiment = manifest.at("experiment").get<std::string>();
  status.profile = manifest.at("profile").get<std::string>();
  status.shard = manifest["shard"].is_string() ? manifest["shard"].get<std::string>() : "";
  status.process = process;
  status.cells = context.cells.size();
  std::map<std::pair<std::string, std::string>, std::size_t> position;
  for (std::size_t cell = 0; cell < all.records.size(); ++cell) {
    const Variant& variant = context.variant(cell);
    const std::pair group(variant.solver_label, variant.dataset_label);
    const auto [found, is_new] = position.emplace(group, status.groups.size());
    if (is_new) {
      status.groups.emplace_back(group, CellCounts());
    }
    ++count_of(all.records[cell], status.groups[found->second].second);
    ++count_of(all.records[cell], status.total);
  }
  const bool ended = manifest["ended"].is_string();
  const bool any_runs =
      std::any_of(status.tasks.begin(), status.tasks.end(),
                  [](const TaskState& state) { return state.progress == TaskProgress::kRunning; });
  status.state = process || any_runs                    ? "running"
                 : is_in_slurm(status)                  ? "queued"
                 : !ended                               ? "killed"
                 : manifest.value("interrupted", false) ? "interrupted"
                                                        : "finished";
  add_times(run, status);
  status.failures = last_failures(run, context, all);
  return status;
}

std::size_t RunStatus::count(TaskProgress progress) const {
  return static_cast<std::size_t>(std::count_if(
      tasks.begin(), tasks.end(),
      [progress](const TaskState& task) { return task.task > 0 && task.progress == progress; }));
}

}  // namespace spca
