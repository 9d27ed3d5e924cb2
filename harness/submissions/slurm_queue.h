#pragma once

/// Calls Slurm's commands: sbatch, squeue, sacct (SchedMD, "Slurm Workload Manager", version 22.05
/// and later).

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "spca/base/error.h"

namespace spca {

/// Returns whether there is a program sbatch on the PATH.
bool has_slurm();

/// sbatch accepted a job but printed no number. The job may be in the queue.
class JobOfUnknownNumber : public InputError {
 public:
  using InputError::InputError;
};

/// Runs a command line of sbatch with --parsable and returns the number of the job. Throws
/// InputError, one line, if sbatch cannot be started or fails (with its last line), and
/// JobOfUnknownNumber if it prints other text.
std::string submit_job(const std::vector<std::string>& command);

/// Slurm's state of a job ("PENDING", "NODE_FAIL") and its reason ("Priority", "NonZeroExitCode").
struct JobState {
  std::string state;
  std::string reason;
};

/// Returns whether the job waits for its turn, also after it was requeued.
bool is_queued(const std::string& state);
/// Returns whether the job has begun and Slurm may still change its state.
bool is_running(const std::string& state);

/// Keys: number of the job and of the task; 0 if the job is not an array.
using JobStates = std::map<std::pair<std::string, std::size_t>, JobState>;

/// Asks squeue for the states of these jobs. Slurm forgets a job some minutes after its end. Throws
/// InputError, one line, if squeue cannot be started, fails, or prints other text.
JobStates ask_queue(const std::vector<std::string>& jobs);

/// Asks sacct for the states of these jobs and adds those that `states` lacks. Does nothing if
/// there is no sacct or no accounting.
void add_from_accounting(const std::vector<std::string>& jobs, JobStates& states);

/// Quotes a word for a shell: 'it'\''s'.
std::string shell_word(const std::string& text);

}  // namespace spca
