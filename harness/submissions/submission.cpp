#include "harness/submissions/submission.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>

#include "harness/submissions/run_merge.h"
#include "harness/submissions/slurm_queue.h"
#include "harness/submissions/task_status.h"
#include "spca/base/text.h"
#include "spca/io/file_descriptor.h"

namespace spca {
namespace {

namespace fs = std::filesystem;

/// The options of sbatch that a submission sets, or that would break it.
constexpr std::array<std::string_view, 14> kOwnOptions = {
    "array", "a",      "chdir", "D",    "clusters", "M",    "dependency",
    "d",     "output", "o",     "wait", "W",        "wrap", "parsable"};

/// Throws InputError if `option` is not in the form of an option, or is one of kOwnOptions.
void check_option(const std::string& option) {
  const bool is_long = option.starts_with("--") && option.size() > 2;
  const bool is_short = !is_long && option.size() > 1 && option[0] == '-' && option[1] != '-';
  if (!is_long && !is_short) {
    throw InputError(fmt::format(
        "--: found {}; accepted: options of sbatch in one word each, as --account=physics",
        in_quotes(option)));
  }
  const std::string name = is_long ? option.substr(2, option.find('=') - 2) : option.substr(1, 1);
  // sbatch accepts the beginning of a long option for the whole.
  const bool is_own = std::any_of(
      kOwnOptions.begin(), kOwnOptions.end(),
      [&](std::string_view own) { return (own.size() > 1) == is_long && own.starts_with(name); });
  if (is_own) {
    throw InputError(
        fmt::format("--: found {}, which only `spca submit` may set; accepted: any "
                    "other option of sbatch",
                    in_quotes(option)));
  }
}

/// Returns a path for sbatch's --output, in which % begins a field.
std::string log_pattern(const std::string& folder, const char* name) {
  std::string pattern;
  for (const char letter : folder) {
    pattern += letter == '%' ? "%%" : std::string(1, letter);
  }
  return pattern + "/" + name;
}

fs::path run_path(const SubmitRequest& request) {
  return fs::absolute(request.run.directory).lexically_normal();
}

/// Checks what can be checked without reading earlier runs. Throws InputError.
void check_request(const SubmitRequest& request) {
  for (const std::string& option : request.options) {
    check_option(option);
  }
  const std::size_t cells = request.run.experiment->cells().size();
  if (request.tasks && (*request.tasks == 0 || *request.tasks > cells)) {
    throw InputError(fmt::format("--tasks: found {}; accepted: 1 to {}, the number of cells",
                                 *request.tasks, cells));
  }
  // Slurm cannot write logs below a path with a backslash or a line feed.
  const fs::path folder = run_path(request);
  if (folder.string().find_first_of("\\\n") != std::string::npos) {
    throw InputError(
        fmt::format("-o: found the folder {}; accepted: for Slurm, a path without "
                    "backslashes and line feeds",
                    in_quotes(folder.string())));
  }
}

std::string program_path() { return fs::read_symlink("/proc/self/exe").string(); }

/// Returns the beginning of both scripts: the current folder and the environment variables SPCA_*
/// of the user's command.
std::string script_start() {
  std::string text = fmt::format("cd {} || exit 2\n", shell_word(fs::current_path().string()));
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view variable = *entry;
    const std::size_t equals = variable.find('=');
    if (variable.starts_with("SPCA_") && equals != std::string_view::npos) {
      text += fmt::format("export {}={}\n", variable.substr(0, equals),
                          shell_word(std::string(variable.substr(equals + 1))));
    }
  }
  return text;
}

std::string task_script_of(const fs::path& folder, const fs::path& data_dir) {
  return fmt::format(
      R"(#!/bin/sh
# A task of `spca submit`: solves the cells in chunk-I.json beside this file, I being the task.
{}folder={}
task=${{SLURM_ARRAY_TASK_ID:?a job array sets it}}
rm -f "$folder/task-$task.exit"
{} task "$folder/chunk-$task.json" --data-dir {} < /dev/null &
program=$!
# Slurm may send the signal that time is up to this shell alone.
trap 'kill -TERM "$program" 2> /dev/null' TERM INT
wait "$program"
code=$?
while [ "$code" -gt 128 ] && kill -0 "$program" 2> /dev/null; do
  wait "$program"
  code=$?
done
echo "$code" > "$folder/task-$task.exit"
exit "$code"
)",
      script_start(), shell_word(folder.string()), shell_word(program_path()),
      shell_word(fs::absolute(data_dir).string()));
}

std::string merge_script_of(const fs::path& run, const fs::path& data_dir) {
  return fmt::format(
      R"(#!/bin/sh
# Script of the job of `spca submit` that waits for all tasks: merges their records into the run.
{}exec {} merge --tasks {} --data-dir {}
)",
      script_start(), shell_word(program_path()), shell_word(run.string()),
      shell_word(fs::absolute(data_dir).string()));
}

std::vector<std::string> sbatch_command(const SubmitRequest& request, const std::string& name,
                                        const std::string& log,
                                        const std::vector<std::string>& own) {
  std::vector<std::string> command = {"sbatch",         "--parsable", "--job-name=" + name,
                                      "--ntasks=1",     "--requeue",  "--open-mode=append",
                                      "--output=" + log};
  command.insert(command.end(), own.begin(), own.end());
  for (const auto& [option, value] :
       {std::pair("--partition=", request.partition), std::pair("--time=", request.time),
        std::pair("--mem=", request.memory)}) {
    if (!value.empty()) {
      command.push_back(option + value);
    }
  }
  command.insert(command.end(), request.options.begin(), request.options.end());
  return command;
}

/// The keys of the cells that need not be submitted.
struct Settled {
  std::set<std::string> finished;    // finished by tasks, perhaps not merged yet
  std::set<std::string> on_the_way;  // in tasks that wait or run
};

Settled settled_cells(const fs::path& run) {
  Settled settled;
  // The queue is asked first: a task that has ended by then has its records in its folder.
  for (const TaskState& state : tasks_of_run(run, Scheduler::kRequired)) {
    if (state.task == 0) {
      continue;
    }
    add_finished_keys(state.submission, state.task, settled.finished);
    if (state.progress == TaskProgress::kQueued || state.progress == TaskProgress::kRunning) {
      const TaskChunk chunk = read_chunk(chunk_file(state.submission, state.task));
      settled.on_the_way.insert(chunk.keys.begin(), chunk.keys.end());
    }
  }
  return settled;
}

std::size_t tasks_asked_for(const SubmitRequest& request, const RunPlan& plan,
                            const std::vector<std::size_t>& wanted) {
  if (request.tasks) {
    return std::min(*request.tasks, wanted.size());
  }
  double seconds = 0;
  bool is_known = false;
  for (const CellChunk& chunk : divide_by_time(*request.run.experiment, plan, wanted, 1)) {
    seconds += chunk.predicted_seconds;
  }
  for (const std::size_t cell : wanted) {
    is_known = is_known || std::isfinite(plan.planned[cell].predicted_seconds);
  }
  return std::min(default_tasks(seconds / request.run.jobs, is_known), wanted.size());
}

/// Writes the files of a submission whose jobs are not yet known.
void write_files(const SubmissionPlan& plan, const Experiment& experiment) {
  const Submission& submission = plan.submission;
  make_directory(submission.folder);
  write_file_atomically(submission.folder / "task.sh", plan.task_script);
  write_file_atomically(submission.folder / "merge.sh", plan.merge_script);
  for (std::size_t i = 0; i < plan.chunks.size(); ++i) {
    std::vector<std::string> keys;
    for (const std::size_t cell : plan.chunks[i].cells) {
      keys.push_back(plan.run.planned[cell].key);
    }
    write_chunk(submission, i + 1, keys, plan.chunks[i].predicted_seconds);
  }
  write_submission(submission, experiment);
}

}  // namespace

std::size_t default_tasks(double predicted_seconds, bool is_known) {
  constexpr double kSecondsOfATask = 600;
  return is_known
             ? static_cast<std::size_t>(std::clamp(std::ceil(predicted_seconds / kSecondsOfATask),
                                                   1.0, static_cast<double>(kMostDefaultTasks)))
             : kTasksOfUnknownTime;
}

SubmissionPlan plan_submission(const SubmitRequest& request) {
  check_request(request);
  const fs::path run = run_path(request);
  const Settled settled = settled_cells(request.run.directory);
  SubmissionPlan plan;
  plan.run = plan_run(request.run);
  plan.cells = plan.run.cells.size();
  plan.to_measure = plan.run.count(CellSource::kMeasure);
  std::vector<std::size_t> wanted;
  for (std::size_t cell = 0; cell < plan.cells; ++cell) {
    const PlannedCell& planned = plan.run.planned[cell];
    if (planned.source != CellSource::kSolve || settled.finished.contains(planned.key)) {
      continue;
    }
    if (settled.on_the_way.contains(planned.key)) {
      ++plan.on_the_way;
    } else {
      wanted.push_back(cell);
    }
  }
  const std::size_t tasks = tasks_asked_for(request, plan.run, wanted);
  if (wanted.empty()) {
    return plan;
  }
  plan.chunks = divide_by_time(*request.run.experiment, plan.run, wanted, tasks);
  Submission& submission = plan.submission;
  submission.folder = next_submission_folder(run);
  submission.tasks = plan.chunks.size();
  submission.jobs = request.run.jobs;
  submission.threads = request.run.threads;
  plan.task_script = task_script_of(submission.folder, request.run.data_dir);
  plan.merge_script = merge_script_of(run, request.run.data_dir);
  const std::string name = "spca " + request.run.experiment->name;
  const std::string folder = submission.folder.string();
  plan.task_command =
      sbatch_command(request, name, log_pattern(folder, "task-%a.log"),
                     {fmt::format("--array=1-{}", submission.tasks),
                      fmt::format("--cpus-per-task={}", submission.jobs * submission.threads)});
  plan.task_command.push_back((submission.folder / "task.sh").string());
  plan.merge_command =
      sbatch_command(request, name + " merge", log_pattern(folder, "merge.log"), {});
  plan.merge_command.push_back((submission.folder / "merge.sh").string());
  return plan;
}

Submitter::Submitter(const SubmitRequest& request) : request_(request) {
  if (!has_slurm()) {
    throw InputError(
        "sbatch: not found on the PATH; accepted: a machine that submits to Slurm; elsewhere `spca "
        "run --shard i/n` divides a run");
  }
  check_request(request);
  const fs::path folder = submissions_folder(request.run.directory);
  make_directory(folder);
  lock_ = open_or_throw(folder / ".lock", O_RDWR | O_CREAT);
  if (!try_lock(lock_, LOCK_EX)) {
    throw InputError(
        fmt::format("{}: another process submits this run just now; accepted: to wait "
                    "until it has ended",
                    request.run.directory.string()));
  }
}

SubmissionPlan Submitter::submit() {
  SubmissionPlan plan = plan_submission(request_);
  prepare_run(request_.run);
  const fs::path& run = request_.run.directory;
  if (plan.chunks.empty()) {
    if (!submissions_of(run).empty()) {
      merge_tasks(run, request_.run.data_dir, request_.run.invocation);
    }
    return plan;
  }
  Submission& submission = plan.submission;
  const Experiment& experiment = *request_.run.experiment;
  write_files(plan, experiment);
  try {
    submission.job = submit_job(plan.task_command);
  } catch (const JobOfUnknownNumber& error) {
    throw InputError(fmt::format("{}; the job may be in the queue: its files stay in {}",
                                 error.what(), submission.folder.string()));
  } catch (const InputError&) {
    std::error_code ignored;
    fs::remove_all(submission.folder, ignored);
    throw;
  }
  write_submission(submission, experiment);
  plan.merge_command.insert(plan.merge_command.end() - 1,
                            "--dependency=afterany:" + submission.job);
  try {
    submission.merge_job = submit_job(plan.merge_command);
  } catch (const InputError& error) {
    throw InputError(fmt::format(
        "job {} is submitted, but not the one that merges: {}; accepted: `spca merge --tasks {}` "
        "when it has ended",
        submission.job, error.what(), shell_word(run.string())));
  }
  write_submission(submission, experiment);
  return plan;
}

std::string command_line(const std::vector<std::string>& command) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=:,./@%";
  std::vector<std::string> words;
  words.reserve(command.size());
  for (const std::string& word : command) {
    const bool is_plain = !word.empty() && word.find_first_not_of(kPlain) == std::string::npos;
    words.push_back(is_plain ? word : shell_word(word));
  }
  return join(words, " ");
}

}  // namespace spca
