#pragma once

/// What a run that was submitted to Slurm keeps beside its records: RUN/slurm/1, RUN/slurm/2, ... one
/// folder for each submission.
///
///   submission.json   the jobs, and how the experiment was overridden
///   experiment.json   the experiment as it was then
///   task.sh           what each task of the array runs
///   merge.sh          what the job runs that waits for them
///   chunk-I.json      the keys of the cells of task I, from 1
///   task-I/           the run of task I
///   task-I.log        what it said, over all its tries
///   task-I.exit       its exit code; not there while it runs and if it was killed
///   merge.log         what the merging said

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
  int jobs = 1;     // of each task: cells at a time
  int threads = 1;  // of each solve
  /// Numbers of Slurm's jobs. Empty if nobody knows: the submission was cut short.
  std::string job, merge_job;
};

std::filesystem::path chunk_file(const Submission& submission, std::size_t task);
std::filesystem::path task_folder(const Submission& submission, std::size_t task);
std::filesystem::path task_log(const Submission& submission, std::size_t task);
/// What the task's script wrote at its end. Nothing if it has not ended, or was killed.
std::optional<int> task_exit_code(const Submission& submission, std::size_t task);

/// RUN/slurm.
std::filesystem::path submissions_folder(const std::filesystem::path& run);
/// The submissions of a run, the oldest first. Throws InputError that names a file that is not as it
/// was written.
std::vector<Submission> submissions_of(const std::filesystem::path& run);
/// The folder of the next one. It is not made.
std::filesystem::path next_submission_folder(const std::filesystem::path& run);

/// Writes submission.json; the first time also experiment.json. Throws as write_json_file does.
void write_submission(const Submission& submission, const Experiment& experiment);

/// The cells of one task, with the predicted seconds of solving them.
void write_chunk(const Submission& submission, std::size_t task,
                 const std::vector<std::string>& keys, double predicted_seconds);
/// Throws InputError if the file cannot be read or is not as write_chunk wrote it.
TaskChunk read_chunk(const std::filesystem::path& file);

/// One task, ready to run.
struct LoadedTask {
  Experiment experiment;
  RunRequest request;  // its pointer to the experiment is to be set
};
/// Reads what `spca submit` wrote of the task whose chunk is in `file`. The experiment's own file,
/// and the run's folder, may have changed since.
LoadedTask load_task(const std::filesystem::path& file, const std::filesystem::path& data_dir);

/// The manifest of a task's run. Throws InputError if it is not there, or not as the run left it:
/// then the task's records do not count.
Json task_manifest(const Submission& submission, std::size_t task);

/// Adds the keys of the cells that a task has finished. Lines that do not match their checks do not
/// count, nor does a task without task_manifest().
void add_finished_keys(const Submission& submission, std::size_t task,
                       std::set<std::string>& finished);

}  // namespace spca
