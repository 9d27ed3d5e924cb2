#pragma once

/// The parent's side of a run: starts children, reads their records, and detects crashes and hangs.

#include <sys/types.h>

#include <deque>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/runs/cell_cache.h"
#include "harness/runs/control_groups.h"
#include "harness/runs/run_writer.h"
#include "harness/runs/runner_worker.h"
#include "harness/runs/stray_processes.h"
#include "spca/io/progress.h"

namespace spca {

class Supervisor {
 public:
  /// Prepares a run of `blocks` in up to `jobs` children at a time. run() forks, so this process
  /// must not have threads.
  Supervisor(const RunContext& context, std::vector<Block> blocks, int jobs, RunStore& store,
             CellCache& cache, Progress& progress);
  /// Kills the children that still run.
  ~Supervisor();
  Supervisor(const Supervisor&) = delete;
  Supervisor& operator=(const Supervisor&) = delete;

  /// Runs until every cell of every block has a record, and returns true. After SIGINT or SIGTERM,
  /// stores the complete records and returns false. Throws InputError if a record cannot be written
  /// or a child cannot be started.
  bool run();
  std::size_t done() const { return done_; }  // number of cells solved
  std::size_t measured() const { return measured_; }
  /// Return the number of cells whose stored answers could not be measured again, and the reason of
  /// the first. Their records are unchanged.
  std::size_t unmeasured() const { return unmeasured_; }
  const std::string& why_unmeasured() const { return why_unmeasured_; }

 private:
  struct Child {
    std::filesystem::path group;  // empty: none
    bool out_of_memory = false;   // the kernel killed a process of the group for lack of memory
    pid_t process = -1;           // -1: it has ended
    int end_state = 0;            // once it has ended: the state of waitpid(2)
    FileDescriptor pipe;
    std::string buffer;  // incomplete frames
    Block block;
    std::size_t job = 0;       // index in the block of the running or next job
    std::size_t answered = 0;  // number of cells of that job with a record
    bool is_loading = false;   // the data of that job are being loaded
    double deadline = 0;       // of that job, on monotonic_seconds(); infinite if there is none
    std::optional<std::size_t> killed_job;  // the job for whose deadline the child was killed
    std::unique_ptr<MeasuringStage> stage;
    /// The answers of that job's cells that are being measured.
    std::map<std::size_t, std::string> found;
    bool contended = false;  // true if another child ran at the same time
  };

  bool may_start() const;
  void start(Block block);
  void wait_for_news();
  void read_pipe(Child& child);
  bool read_some(Child& child);
  bool has_ended(Child& child);
  std::set<pid_t> running() const;
  void read_frames(Child& child);
  void store_answer(Child& child, std::size_t cell, std::string_view answer);
  void count_answered(Child& child);
  void abandon_measuring(std::size_t cell, std::string why);
  void kill_late_children();
  void finish(Child& child, int state);
  Block end_running_job(Child& child, int exit_state);
  std::optional<Job> measuring_job(const Child& child, std::size_t cell, const std::string& why);
  std::string how_it_ended(const Child& child, int exit_state) const;
  bool may_measure_on(Child& child, double now) const;
  double time_limit_of(const Child& child) const;
  std::string envelop(std::size_t cell, bool contended, std::string_view answer) const;
  void store_solved(std::size_t cell, bool contended, std::string_view answer);
  void store_measured(std::size_t cell, std::string_view answer);
  void write_records();
  void kill_all();

  /// A received record that is not yet in cells.jsonl.
  struct NewRecord {
    std::size_t cell = 0;
    bool is_measured_only = false;
    std::string line;
  };

  const RunContext& context_;
  const StrayProcesses strays_;
  ControlGroups groups_;
  KnownSpectra spectra_;  // each child is forked with a copy
  std::deque<Block> waiting_;
  std::list<Child> children_;
  std::vector<NewRecord> new_records_;
  std::size_t jobs_;
  RunStore& store_;
  CellCache& cache_;
  Progress& progress_;
  std::size_t done_ = 0;
  std::size_t measured_ = 0;
  std::size_t unmeasured_ = 0;
  std::string why_unmeasured_;
  std::size_t failed_ = 0;
};

}  // namespace spca
