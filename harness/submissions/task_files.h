#pragma once

/// Defines the files of a submitted run beside its records: RUN/slurm/1, RUN/slurm/2, ... with one
/// folder for each submission.
///
///   submission.json   the jobs, and the overrides of the experiment
///   experiment.json   the experiment at the time of the submission
///   task.sh           the script of each task of the array
///   merge.sh          the script of the job that waits for the tasks
///   chunk-I.json      the keys of the cells of task I; I counts from 1
///   task-I/           the run of task I
///   task-I.log        its output, over all its tries
///   task-I.exit       its exit code; missing while it runs and if it was killed
///   merge.log         the output of the merging job

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/runs/runner.h"

namespace spca {

struct Submission {
  std::filesystem::path folder;
  std::size_t tasks = 0;
  int jobs = 1;     // for each task: cells at a time
  int threads = 1;  // for each solve
  /// The numbers of Slurm's jobs. Empty if unknown: the submission was interrupted.
  std::string job, merge_job;
};

std::filesystem::path chunk_file(const Submission& submission, std::size_t task);
std::filesystem::path task_folder(const Submission& submission, std::size_t task);
std::filesystem::path task_log(const Submission& submission, std::size_t task);
/// Returns the exit code that the task's script wrote at its end, or nothing if the task has not
/// ended or was killed.
std::optional<int> task_exit_code(const Submission& submission, std::size_t task);

/// Returns RUN/slurm.
std::filesystem::path submissions_folder(const std::filesystem::path& run);
/// Returns the submissions of a run, the oldest first. Throws InputError that names a damaged file.
std::vector<Submission> submissions_of(const std::filesystem::path& run);
/// Returns the folder of the next submission without creating it.
std::filesystem::path next_submission_folder(const std::filesystem::path& run);

/// Writes submission.json and, the first time, experiment.json. Throws as write_json_file does.
void write_submission(const Submission& submission, const Experiment& experiment);

/// Writes the cells of one task, with the predicted seconds of solving them.
void write_chunk(const Submission& submission, std::size_t task,
                 const std::vector<std::string>& keys, double predicted_seconds);
/// Reads a chunk. Throws InputError if the file cannot be read or is not in the form of
/// write_chunk.
TaskChunk read_chunk(const std::filesystem::path& file);

/// One task that is ready to run.
struct LoadedTask {
  Experiment experiment;
  RunRequest request;  // the caller must set its pointer to the experiment
};
/// Reads the files that `spca submit` wrote for the task whose chunk is in `file`. It does not read
/// the experiment's own file or the records of the run, which may have changed since.
LoadedTask load_task(const std::filesystem::path& file, const std::filesystem::path& data_dir);

/// Returns the manifest of a task's run. Throws InputError if it is missing or was changed; the
/// task's records do not count then.
Json task_manifest(const Submission& submission, std::size_t task);

/// Adds the keys of the cells that a task has finished. Lines that do not match their checks do not
/// count, and neither does a task without task_manifest().
void add_finished_keys(const Submission& submission, std::size_t task,
                       std::set<std::string>& finished);

}  // namespace spca
