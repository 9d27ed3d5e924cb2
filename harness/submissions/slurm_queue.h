#pragma once

/// Slurm's commands: sbatch, squeue, sacct (SchedMD, "Slurm Workload Manager", version 22.05 and
/// later).

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace spca {

/// Whether there is a program sbatch on the PATH.
bool has_slurm();

/// Runs a command line of sbatch with --parsable and returns the number of the job. Throws
/// InputError, one line: sbatch cannot be started, fails (with its last line), or prints something
/// else.
std::string submit_job(const std::vector<std::string>& command);

/// Slurm's words for a job: "PENDING", "NODE_FAIL", and why ("Priority", "NonZeroExitCode").
struct JobState {
  std::string state;
  std::string reason;
};

/// Waits for its turn, also after it was requeued.
bool is_queued(const std::string& state);
/// Has begun, and Slurm may still change something of it.
bool is_running(const std::string& state);

/// Number of the job and of the task; 0 if the job is no array.
using JobStates = std::map<std::pair<std::string, std::size_t>, JobState>;

/// What squeue knows of these jobs. Slurm forgets what has ended after some minutes. Throws
/// InputError, one line, if squeue cannot be started, fails, or prints something else.
JobStates ask_queue(const std::vector<std::string>& jobs);

/// Adds what sacct knows of the jobs that `states` does not have. Nothing if there is no sacct or no
/// accounting.
void add_from_accounting(const std::vector<std::string>& jobs, JobStates& states);

/// A word of a shell: 'it'\''s'.
std::string shell_word(const std::string& text);

}  // namespace spca
