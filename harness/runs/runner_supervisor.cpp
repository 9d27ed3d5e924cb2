#include "harness/runs/runner_supervisor.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "harness/records/record_line.h"
#include "spca/base/interrupt.h"
#include "spca/base/megabyte.h"
#include "spca/measure/metrics.h"

namespace spca {
namespace {

constexpr double kForever = std::numeric_limits<double>::infinity();

constexpr int kPipeBytes = 1 << 20;  // limit of an unprivileged user

std::string describe_end(int exit_state) {
  if (WIFSIGNALED(exit_state)) {
    const int signal = WTERMSIG(exit_state);
    const char* name = sigabbrev_np(signal);
    return fmt::format("the process was killed by SIG{} ({})", name == nullptr ? "?" : name,
                       signal == SIGKILL ? "the system was out of memory?" : strsignal(signal));
  }
  return fmt::format("the process ended by itself with exit code {}", WEXITSTATUS(exit_state));
}

/// Returns the resident memory of this process in bytes, or 0 if /proc does not provide it.
double resident_bytes() {
  double all_pages = 0;
  double resident_pages = 0;
  std::ifstream("/proc/self/statm") >> all_pages >> resident_pages;
  return resident_pages * static_cast<double>(sysconf(_SC_PAGESIZE));
}

/// Returns the number of seconds after which a process that measures one metric or an upper bound
/// is killed: some metrics search for a bound of their own.
double seconds_of_measuring(double time_limit) {
  return seconds_until_killed(std::max(time_limit, kMetricSearchSeconds));
}

int wait_for(pid_t process) {
  int state = 0;
  while (waitpid(process, &state, 0) < 0 && errno == EINTR) {
  }
  return state;
}

}  // namespace

Supervisor::Supervisor(const RunContext& context, std::vector<Block> blocks, int jobs,
                       RunStore& store, CellCache& cache, Progress& progress)
    : context_(context),
      groups_(own_control_group()),
      waiting_(std::make_move_iterator(blocks.begin()), std::make_move_iterator(blocks.end())),
      jobs_(static_cast<std::size_t>(std::max(jobs, 1))),
      store_(store),
      cache_(cache),
      progress_(progress) {}

Supervisor::~Supervisor() { kill_all(); }

bool Supervisor::run() {
  const StopSignals signals(StopSignals::Repeat::kAlways);
  while (!waiting_.empty() || !children_.empty()) {
    while (!stop_requested() && may_start()) {
      Block block = std::move(waiting_.front());
      waiting_.pop_front();
      start(std::move(block));
    }
    if (stop_requested()) {
      for (Child& child : children_) {
        kill(child.process, SIGKILL);
      }
      for (Child& child : children_) {
        read_pipe(child);  // reads complete records that are still in the pipe
      }
      write_records();
      kill_all();
      return false;
    }
    wait_for_news();
    kill_late_children();
    progress_.update(done_ + measured_ + unmeasured_, failed_);
  }
  return true;
}

/// Returns whether a waiting block may run at the same time as the running children.
bool Supervisor::may_start() const {
  const auto is_alone = [this](const Block& block) {
    return runs_alone(block, context_.experiment, context_.cells);
  };
  if (waiting_.empty() || children_.size() >= jobs_) {
    return false;
  }
  return children_.empty() || (!is_alone(waiting_.front()) && !is_alone(children_.front().block));
}

void Supervisor::start(Block block) {
  int ends[2] = {-1, -1};
  if (pipe2(ends, O_CLOEXEC) != 0) {
    throw InputError(fmt::format("a pipe cannot be made: {}", std::strerror(errno)));
  }
  FileDescriptor read_end(ends[0]);
  FileDescriptor write_end(ends[1]);
  const double limit = context_.experiment.memory_limit;
  // Pages that the child shares with this process and then changes count as the child's.
  const std::filesystem::path group =
      groups_.make(limit > 0 ? kBytesOfAMegabyte * limit + resident_bytes() : 0);
  auto stage = std::make_unique<MeasuringStage>();
  const pid_t parent = getpid();
  const pid_t process = fork();
  if (process < 0) {
    throw InputError(fmt::format("a process cannot be started: {}", std::strerror(errno)));
  }
  if (process == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) {
      _exit(1);  // the parent ended before prctl
    }
    ControlGroups::join(group);
    store_.close_in_child();
    // The cache is left alone: a child must neither use nor close its parent's SQLite connection.
    run_child(context_, store_, spectra_, block, *stage, write_end.get());
  }
  for (Child& other : children_) {
    other.contended = true;
  }
  Child& child = children_.emplace_back();
  child.process = process;
  child.group = group;
  child.pipe = std::move(read_end);
  child.block = std::move(block);
  child.stage = std::move(stage);
  child.deadline = kForever;
  fcntl(child.pipe.get(), F_SETFL, O_NONBLOCK);
  fcntl(child.pipe.get(), F_SETPIPE_SZ, kPipeBytes);  // a smaller pipe works too, only slower
}

void Supervisor::wait_for_news() {
  /// At most this wait, so that progress moves and stop signals are handled soon.
  constexpr double kLongestWaitSeconds = 0.1;
  // Cells of about 100 us finish faster than it is worth waking up for: their records accumulate in
  // the pipe meanwhile, and the child continues undisturbed.
  constexpr useconds_t kCollectMicroseconds = 2000;
  usleep(kCollectMicroseconds);
  double wait = kLongestWaitSeconds;
  std::vector<pollfd> pipes;
  for (const Child& child : children_) {
    // A pipe reached its end: the child is about to end.
    constexpr double kEndSeconds = 0.001;
    pipes.push_back({.fd = child.pipe.get(), .events = POLLIN, .revents = 0});
    wait = child.pipe.is_open() ? wait : std::min(wait, kEndSeconds);
    wait = std::min(wait, child.deadline - monotonic_seconds());
  }
  const int milliseconds = static_cast<int>(1000 * std::max(wait, 0.0)) + 1;
  poll(pipes.data(), pipes.size(), milliseconds);
  std::size_t i = 0;
  for (auto child = children_.begin(); child != children_.end(); ++i) {
    if (pipes[i].revents != 0) {
      read_pipe(*child);
    }
    const auto next = std::next(child);
    if (has_ended(*child)) {
      finish(*child, child->end_state);
      children_.erase(child);
    }
    child = next;
  }
  write_records();
}

/// Checks the process and not the end of the pipe: a process that the solver started may hold the
/// pipe open indefinitely, or the solver may have closed it and continue.
bool Supervisor::has_ended(Child& child) {
  const pid_t process = child.process;
  if (waitpid(process, &child.end_state, WNOHANG) != process) {
    return false;
  }
  child.process = -1;
  strays_.kill_those_of(process, running());
  child.out_of_memory = ControlGroups::ran_out_of_memory(child.group);
  groups_.remove(child.group);
  while (read_some(child)) {
  }
  read_frames(child);
  return true;
}

std::set<pid_t> Supervisor::running() const {
  std::set<pid_t> running;
  for (const Child& child : children_) {
    if (child.process > 0) {
      running.insert(child.process);
    }
  }
  return running;
}

/// Reads once. Returns true if there may be more. Closes the pipe at its end.
bool Supervisor::read_some(Child& child) {
  constexpr std::size_t kReadBytes = std::size_t{1} << 16;
  char bytes[kReadBytes];
  if (!child.pipe.is_open()) {
    return false;
  }
  const ssize_t count = read(child.pipe.get(), bytes, sizeof bytes);
  if (count > 0) {
    child.buffer.append(bytes, static_cast<std::size_t>(count));
    return true;
  }
  if (count < 0 && errno == EINTR) {
    return true;
  }
  if (count == 0 || errno != EAGAIN) {
    child.pipe.close();
  }
  return false;
}

/// Reads the available data up to a limit, because other children wait too.
void Supervisor::read_pipe(Child& child) {
  constexpr int kMostReads = 2 * kPipeBytes / (1 << 16);
  for (int reads = 0; reads < kMostReads && read_some(child); ++reads) {
  }
  read_frames(child);
}

void Supervisor::read_frames(Child& child) {
  std::size_t position = 0;
  while (child.buffer.size() - position >= sizeof(FrameHeader)) {
    FrameHeader header;
    std::memcpy(&header, child.buffer.data() + position, sizeof header);
    if (child.buffer.size() - position - sizeof header < header.length) {
      break;
    }
    position += sizeof header;
    if (header.kind == FrameKind::kSpectrum) {
      Vector values(static_cast<Index>(header.length / sizeof(double)));
      std::memcpy(values.data(), child.buffer.data() + position, header.length);
      spectra_.add(context_, header.index, values);
      position += header.length;
      continue;
    }
    if (header.kind == FrameKind::kAnswer || header.kind == FrameKind::kUnmeasured) {
      const std::string_view text = std::string_view(child.buffer).substr(position, header.length);
      if (header.kind == FrameKind::kAnswer) {
        store_answer(child, header.index, text);
      } else {
        abandon_measuring(header.index, std::string(text));
      }
      count_answered(child);
      position += header.length;
      continue;
    }
    bool measures = header.kind == FrameKind::kFound;
    if (measures) {
      child.found[header.index] = child.buffer.substr(position, header.length);
      position += header.length;
    } else {
      child.job = header.index;
      child.answered = 0;
      child.found.clear();
      child.is_loading = header.kind == FrameKind::kLoad;
      child.contended = children_.size() > 1;
      measures = child.block[child.job].only_measures;
    }
    const double limit = time_limit_of(child);
    child.deadline = child.is_loading || limit <= 0
                         ? kForever
                         : monotonic_seconds() + (measures ? seconds_of_measuring(limit)
                                                           : seconds_until_killed(limit));
  }
  child.buffer.erase(0, position);
}

void Supervisor::store_answer(Child& child, std::size_t cell, std::string_view answer) {
  const Job& job = child.block[child.job];
  if (!job.found.empty()) {
    store_solved(cell, read_envelope(job.found).contended, answer);
  } else if (job.only_measures) {
    store_measured(cell, answer);
  } else {
    store_solved(cell, child.contended, answer);
  }
}

void Supervisor::count_answered(Child& child) {
  ++child.answered;
  if (child.answered == child.block[child.job].cells.size()) {
    ++child.job;
    child.answered = 0;
    child.found.clear();
    child.deadline = kForever;
  }
}

std::string Supervisor::envelop(std::size_t cell, bool contended, std::string_view answer) const {
  const Variant& variant = context_.variant(cell);
  return compose_line({.key = context_.key(cell),
                       .grid = variant.grid,
                       .dataset = variant.dataset_label,
                       .solver = variant.solver_label,
                       .contended = contended},
                      answer);
}

void Supervisor::store_solved(std::size_t cell, bool contended, std::string_view answer) {
  const Variant& variant = context_.variant(cell);
  std::string line = envelop(cell, contended, answer);
  const RecordLine record = scan_record_line(line);
  const std::size_t variant_index = context_.cells[cell].variant;
  cache_.add({.key = context_.key(cell),
              .solver = variant.solver->name,
              .dataset = variant.dataset->name,
              .status = record.status,
              .solve_seconds = record.solve_seconds,
              .text = line},
             context_.digests[variant_index], context_.identities[variant_index]);
  new_records_.push_back({.cell = cell, .is_measured_only = false, .line = std::move(line)});
}

/// Replaces the answer of a record after measuring; the other members, such as the origin, stay.
void Supervisor::store_measured(std::size_t cell, std::string_view answer) {
  std::string line = compose_line(read_envelope(store_.line(cell)), answer);
  cache_.add_metrics(context_.key(cell), line);
  new_records_.push_back({.cell = cell, .is_measured_only = true, .line = std::move(line)});
}

void Supervisor::abandon_measuring(std::size_t cell, std::string why) {
  if (unmeasured_ == 0) {
    why_unmeasured_ = fmt::format("{}: {}", cell_name(context_.identity(cell)), why);
  }
  ++unmeasured_;
}

/// Writes records that came together in one transaction of the cache. The cache is written first:
/// if the process is killed between the two writes, the run finds the records in the cache.
void Supervisor::write_records() {
  if (new_records_.empty()) {
    return;
  }
  cache_.commit();
  for (const NewRecord& record : new_records_) {
    failed_ += store_.append(record.cell, record.line).is_failure ? 1 : 0;
    ++(record.is_measured_only ? measured_ : done_);
  }
  new_records_.clear();
}

void Supervisor::kill_late_children() {
  const double now = monotonic_seconds();
  for (Child& child : children_) {
    if (now >= child.deadline && !may_measure_on(child, now)) {
      kill(child.process, SIGKILL);
      child.killed_job = child.job;
      child.deadline = kForever;
    }
  }
}

/// Returns the time limit of the cells of the child's job, which are of one grid.
double Supervisor::time_limit_of(const Child& child) const {
  return context_.time_limit(child.block[child.job].cells.front());
}

/// Returns true if the deadline of the metric that is being measured is later than now. Each metric
/// has its own deadline.
bool Supervisor::may_measure_on(Child& child, double now) const {
  if (child.found.empty() && !child.block[child.job].only_measures) {
    return false;
  }
  child.deadline = child.stage->begun() + seconds_of_measuring(time_limit_of(child));
  return child.deadline > now;
}

/// Handles the end of a child, whose block may be unfinished.
void Supervisor::finish(Child& child, int state) {
  if (child.job == child.block.size()) {
    return;
  }
  const bool gave_up_in_order =
      child.job > 0 && WIFEXITED(state) && WEXITSTATUS(state) == kExitOutOfMemory;
  // The job answered just as the child was killed for it: the next job is not to blame.
  const bool was_killed_too_late = child.killed_job && *child.killed_job != child.job;
  Block next;
  if (!gave_up_in_order && !was_killed_too_late) {
    next = end_running_job(child, state);
  }
  next.insert(next.end(),
              std::make_move_iterator(child.block.begin() + static_cast<Index>(child.job)),
              std::make_move_iterator(child.block.end()));
  if (!next.empty()) {
    waiting_.push_front(std::move(next));
  }
}

std::string Supervisor::how_it_ended(const Child& child, int exit_state) const {
  const double limit = time_limit_of(child);
  if (child.killed_job) {
    const bool measures = !child.found.empty() || child.block[child.job].only_measures;
    return measures
               ? fmt::format("killed after {:.3g} s, because it did not stop",
                             seconds_of_measuring(limit))
               : fmt::format("time limit of {} s; killed, because the solver did not stop", limit);
  }
  if (child.out_of_memory) {
    return fmt::format("memory limit of {} MB exceeded, by all processes of the cell together",
                       context_.experiment.memory_limit);
  }
  return describe_end(exit_state) + (child.is_loading ? " while the data were loaded" : "");
}

/// Returns the remaining job for a cell whose answer is known: all metrics except the one that
/// ended the child. Returns nothing if that metric is unknown, or if the cell was only measured,
/// because it would end the next child too.
std::optional<Job> Supervisor::measuring_job(const Child& child, std::size_t cell,
                                             const std::string& why) {
  const Job& job = child.block[child.job];
  Job rest{.cells = {cell}, .only_measures = true, .found = job.found, .failed = job.failed};
  if (const auto found = child.found.find(cell); found != child.found.end()) {
    rest.found = envelop(cell, child.contended, found->second);
  }
  if (rest.found.empty()) {
    return std::nullopt;  // the stored record is unchanged
  }
  const bool is_known = child.stage->begun() > 0 && child.stage->cell() == cell;
  if (is_known && rest.failed.emplace(child.stage->metric(), why).second) {
    return rest;
  }
  return job.only_measures ? std::nullopt : std::optional(rest);
}

/// Stores the known answers of the job in which the child ended. Returns the remaining work for the
/// other cells.
Block Supervisor::end_running_job(Child& child, int exit_state) {
  const Job& job = child.block[child.job];
  const std::string message = how_it_ended(child, exit_state);
  Block rest;
  for (std::size_t i = child.answered; i < job.cells.size(); ++i) {
    const std::size_t cell = job.cells[i];
    const bool is_known = job.only_measures || child.found.contains(cell);
    if (std::optional<Job> measuring =
            is_known ? measuring_job(child, cell, message) : std::nullopt) {
      rest.push_back(*std::move(measuring));
      continue;
    }
    if (job.only_measures && job.found.empty()) {
      abandon_measuring(cell, message);
      continue;
    }
    Record record = make_record(context_, cell);
    record.status = child.killed_job ? Status::kTimeLimit : Status::kFailed;
    record.message = message;
    store_solved(cell, child.contended, answer_text(record));
  }
  ++child.job;
  return rest;
}

void Supervisor::kill_all() {
  for (Child& child : children_) {
    if (child.process > 0) {
      kill(child.process, SIGKILL);
      wait_for(child.process);
      strays_.kill_those_of(std::exchange(child.process, -1), running());
      groups_.remove(child.group);
    }
  }
  children_.clear();
}

}  // namespace spca
