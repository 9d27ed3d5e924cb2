#include "harness/runs/runner_worker.h"

#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>
#include <new>

#include "spca/base/megabyte.h"
#include "spca/base/text.h"
#include "spca/io/file_descriptor.h"

namespace spca {
namespace {

/// Returns the address space of this process in bytes, from /proc/self/statm, or 0 if the file
/// cannot be read.
double address_space() {
  double pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * static_cast<double>(sysconf(_SC_PAGESIZE));
}

/// Sets the soft limit only, so that it can be lifted to report that it was reached.
void limit_memory(double megabytes) {
  rlimit limit{};
  if (!kCanLimitMemory || megabytes <= 0 || getrlimit(RLIMIT_AS, &limit) != 0) {
    return;
  }
  const double bytes = address_space() + kBytesOfAMegabyte * megabytes;
  limit.rlim_cur = std::min(limit.rlim_max, static_cast<rlim_t>(bytes));
  setrlimit(RLIMIT_AS, &limit);
}

void lift_memory_limit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) == 0) {
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_AS, &limit);
  }
}

void append_frame(std::string& out, const FrameHeader& header, const std::string& line) {
  char bytes[sizeof header];
  std::memcpy(bytes, &header, sizeof header);
  out.append(bytes, sizeof bytes);
  out += line;
}

/// Writes all frames. If the parent is gone, the child exits.
void send(int pipe, std::string& frames) {
  if (try_write_all(pipe, frames) != 0) {
    _exit(1);
  }
  frames.clear();
}

void append_answer(FrameKind kind, std::size_t cell, const Record& record, std::string& frames) {
  const std::string answer = answer_text(record);
  append_frame(frames, {.kind = kind, .index = cell, .length = answer.size()}, answer);
}

void solve_job(CellRunner& runner, const Job& job, std::string& frames) {
  const std::vector<Record> records = runner.run(job);
  if (runner.out_of_memory()) {
    lift_memory_limit();
  }
  for (std::size_t i = 0; i < records.size(); ++i) {
    append_answer(FrameKind::kAnswer, job.cells[i], records[i], frames);
  }
}

void measure_job(CellRunner& runner, const RunStore& store, const Job& job, std::string& frames) {
  const std::size_t cell = job.cells.front();
  std::string why;
  try {
    const Record record = runner.measure(job, job.found.empty() ? store.line(cell) : job.found);
    if (runner.out_of_memory()) {
      lift_memory_limit();
    }
    append_answer(FrameKind::kAnswer, cell, record, frames);
    return;
  } catch (const std::bad_alloc&) {
    lift_memory_limit();
    why = "out of memory";
  } catch (const std::exception& error) {
    why = kept_message(error.what());
  } catch (...) {
    why = "an exception that is not a std::exception";
  }
  append_frame(frames, {.kind = FrameKind::kUnmeasured, .index = cell, .length = why.size()}, why);
}

}  // namespace

void run_child(const RunContext& context, const RunStore& store, const KnownSpectra& spectra,
               const Block& block, MeasuringStage& stage, int pipe) noexcept {
  // The processes that the solver starts belong to this session and end with it
  // (stray_processes.h).
  setsid();
  // Ctrl-C goes to every process of the terminal; the parent decides how to react.
  std::signal(SIGINT, SIG_IGN);
  std::signal(SIGTERM, SIG_DFL);
  // The output of a solver must not get into a table or JSON on the program's output.
  dup2(STDERR_FILENO, STDOUT_FILENO);
  limit_memory(context.experiment.memory_limit);
  std::string frames;
  CellRunner runner(
      context,
      {.on_found =
           [&](std::size_t cell, const Record& record) {
             append_answer(FrameKind::kFound, cell, record, frames);
             send(pipe, frames);
           },
       .on_metric = [&](std::size_t cell, const std::string& metric) { stage.begin(cell, metric); },
       .on_spectrum =
           [&](std::size_t cell, const Vector& values) {
             const std::string bytes(reinterpret_cast<const char*>(values.data()),
                                     sizeof(double) * static_cast<std::size_t>(values.size()));
             append_frame(frames,
                          {.kind = FrameKind::kSpectrum, .index = cell, .length = bytes.size()},
                          bytes);
           }},
      &spectra);
  for (std::size_t index = 0; index < block.size(); ++index) {
    if (!runner.has_loaded(block[index])) {
      append_frame(frames, {.kind = FrameKind::kLoad, .index = index}, "");
      send(pipe, frames);
      runner.load(block[index]);
    }
    // The records of one job and the beginning of the next are sent in one write.
    append_frame(frames, {.kind = FrameKind::kBegin, .index = index}, "");
    send(pipe, frames);
    if (block[index].only_measures) {
      measure_job(runner, store, block[index], frames);
    } else {
      solve_job(runner, block[index], frames);
    }
    if (runner.out_of_memory()) {
      send(pipe, frames);
      _exit(kExitOutOfMemory);
    }
  }
  send(pipe, frames);
  _exit(0);
}

}  // namespace spca
