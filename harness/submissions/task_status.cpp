#include "harness/submissions/task_status.h"

#include <fmt/format.h>

#include <optional>

#include "harness/runs/runner.h"
#include "harness/submissions/slurm_queue.h"
#include "spca/base/interrupt.h"

namespace spca {
namespace {

std::string exit_code_text(int code) {
  const std::string text = fmt::format("exit code {}", code);
  return code == kSomeCellsFailedExitCode ? text + ": some of its cells failed"
         : code == kInterruptedExitCode   ? text + ": interrupted"
         : code > kKilledExitCode
             ? text + fmt::format(": killed by signal {}", code - kKilledExitCode)
             : text;
}

/// Describes, by Slurm's state, the end of a job that left no exit code.
std::string end_text(const JobState& state) {
  return state.reason.empty() || state.reason == "None"
             ? state.state
             : fmt::format("{} ({})", state.state, state.reason);
}

/// Slurm's answer, or nothing if Slurm was not or could not be asked.
using QueueAnswer = std::optional<JobStates>;

TaskState active_state(const Submission& submission, std::size_t task, const JobState& job) {
  return {.submission = submission,
          .task = task,
          .progress = is_queued(job.state) ? TaskProgress::kQueued : TaskProgress::kRunning,
          .reason = job.reason == "None" ? "" : job.reason};
}

TaskState state_of_task(const Submission& submission, std::size_t task, const QueueAnswer& answer) {
  TaskState state{.submission = submission, .task = task, .progress = {}, .reason = ""};
  const JobState* in_slurm = nullptr;
  if (answer) {
    const auto found = answer->find({submission.job, task});
    in_slurm = found == answer->end() ? nullptr : &found->second;
  }
  if (in_slurm != nullptr && (is_queued(in_slurm->state) || is_running(in_slurm->state))) {
    state.progress = is_queued(in_slurm->state) ? TaskProgress::kQueued : TaskProgress::kRunning;
    state.reason = in_slurm->reason == "None" ? "" : in_slurm->reason;
    return state;
  }
  if (const std::optional<int> code = task_exit_code(submission, task)) {
    state.progress = *code == 0 ? TaskProgress::kFinished : TaskProgress::kFailed;
    state.reason = *code == 0 ? "" : exit_code_text(*code);
  } else if (answer) {
    state.progress = TaskProgress::kFailed;
    state.reason = submission.job.empty() ? "not known to have been submitted"
                   : in_slurm != nullptr  ? end_text(*in_slurm)
                                          : "ended without an exit code";
  } else {
    state.progress = TaskProgress::kUnknown;
  }
  return state;
}

std::optional<TaskState> state_of_merge(const Submission& submission, const QueueAnswer& answer) {
  if (!answer) {
    return std::nullopt;
  }
  const auto found = answer->find({submission.merge_job, 0});
  if (submission.merge_job.empty() || found == answer->end() ||
      found->second.state == "COMPLETED") {
    return std::nullopt;
  }
  const JobState& job = found->second;
  if (is_queued(job.state) || is_running(job.state)) {
    return active_state(submission, 0, job);
  }
  return TaskState{.submission = submission,
                   .task = 0,
                   .progress = TaskProgress::kFailed,
                   .reason = end_text(job)};
}

bool all_have_ended(const Submission& submission) {
  for (std::size_t task = 1; task <= submission.tasks; ++task) {
    if (!task_exit_code(submission, task)) {
      return false;
    }
  }
  return true;
}

/// Asks Slurm. Throws InputError if Slurm cannot be asked.
JobStates ask_slurm(const std::vector<Submission>& submissions) {
  std::vector<std::string> jobs;
  std::vector<std::string> without_end;
  for (const Submission& submission : submissions) {
    for (const std::string& job : {submission.job, submission.merge_job}) {
      if (!job.empty()) {
        jobs.push_back(job);
      }
    }
    if (!submission.job.empty() && !all_have_ended(submission)) {
      without_end.push_back(submission.job);
    }
  }
  JobStates states = ask_queue(jobs);
  add_from_accounting(without_end, states);
  return states;
}

}  // namespace

const char* task_progress_name(TaskProgress progress) {
  switch (progress) {
    case TaskProgress::kQueued:
      return "queued";
    case TaskProgress::kRunning:
      return "running";
    case TaskProgress::kFinished:
      return "finished";
    case TaskProgress::kFailed:
      return "failed";
    case TaskProgress::kUnknown:
      return "unknown";
  }
  return "unknown";
}

std::vector<TaskState> tasks_of_run(const std::filesystem::path& run, Scheduler scheduler) {
  const std::vector<Submission> submissions = submissions_of(run);
  QueueAnswer answer;
  if (!submissions.empty()) {
    try {
      answer = ask_slurm(submissions);
    } catch (const InputError&) {
      // Even a task with an exit code may have been requeued, which only the queue shows.
      if (scheduler == Scheduler::kRequired) {
        throw;
      }
    }
  }
  std::vector<TaskState> states;
  for (const Submission& submission : submissions) {
    for (std::size_t task = 1; task <= submission.tasks; ++task) {
      states.push_back(state_of_task(submission, task, answer));
    }
    if (std::optional<TaskState> merge = state_of_merge(submission, answer)) {
      states.push_back(std::move(*merge));
    }
  }
  return states;
}

}  // namespace spca
