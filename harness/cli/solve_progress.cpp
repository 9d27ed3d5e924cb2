#include "harness/cli/solve_progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <utility>

#include "harness/tables/number_text.h"
#include "spca/base/standard_error.h"
#include "spca/base/text.h"
#include "spca/io/progress.h"
#include "spca/measure/contradiction.h"

namespace spca::cli {
namespace {

// At least this number of seconds before a terminal shows the line.
constexpr double kSecondsBeforeLine = 1;
// Number of seconds before the first line elsewhere.
constexpr double kFirstLine = 10;
// At most this number of seconds between two lines elsewhere.
constexpr double kLongestSilence = 600;
constexpr std::chrono::milliseconds kBetweenLooks(200);

}  // namespace

SolveProgress::SolveProgress(std::string solver, Index components, bool quiet)
    : solver_(std::move(solver)),
      components_(components),
      is_terminal_(isatty(STDERR_FILENO) == 1),
      began_(monotonic_seconds()) {
  if (quiet) {
    return;
  }
  // The new thread blocks all signals, so that it never receives those meant for the solve.
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  thread_ = std::thread([this] { look_on(); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

SolveProgress::~SolveProgress() {
  {
    const std::lock_guard lock(mutex_);
    is_done_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) {
    thread_.join();
  }
}

void SolveProgress::begin_phase(const std::string& phase) {
  const std::lock_guard lock(mutex_);
  phase_ = phase;
  shown_ = nullptr;
  began_ = monotonic_seconds();
}

SolveWatch* SolveProgress::begin_watched_phase(const std::string& phase) {
  begin_phase(phase);
  const std::lock_guard lock(mutex_);
  shown_ = &phase_watch_;
  return &phase_watch_;
}

std::string SolveProgress::line(double now) const {
  std::string text = fmt::format("{}: {}", solver_, format_duration(now - began_));
  if (!phase_.empty()) {
    text += " of " + phase_;
  }
  if (shown_ == nullptr) {
    return text;
  }
  const SolveWatch::View view = shown_->view();
  if (components_ > 1 && view.component > 0) {
    text += fmt::format(", component {} of {}", std::min(view.component, components_), components_);
  }
  if (std::isfinite(view.objective)) {
    text += fmt::format(", value {}", significant_text(view.objective, 6));
  }
  if (std::isfinite(view.bound)) {
    text += fmt::format(", bound {}", significant_text(view.bound, 6));
    const double gap = relative_gap(view.bound, view.objective);
    if (std::isfinite(gap) && view.bound > 0) {
      text += fmt::format(", gap {}", percent_text(gap));
    }
  }
  return text;
}

void SolveProgress::look_on() {
  bool is_drawn = false;
  double next_line = kFirstLine;
  std::unique_lock lock(mutex_);
  double line_phase = began_;
  while (!changed_.wait_for(lock, kBetweenLooks, [this] { return is_done_; })) {
    const double now = monotonic_seconds();
    if (line_phase != began_) {
      line_phase = began_;
      next_line = kFirstLine;
    }
    const double since = now - began_;
    if (is_terminal_ && (is_drawn || since >= kSecondsBeforeLine)) {
      // The cursor returns to the first column, so that a later message begins there if the program
      // ends.
      write_standard_error("\r" + printable(line(now)) + "\x1b[K\r");
      is_drawn = true;
    } else if (!is_terminal_ && since >= next_line) {
      say_line(line(now));
      next_line += std::min(next_line, kLongestSilence);
    }
  }
  if (is_drawn) {
    write_standard_error("\r\x1b[K");
  }
}

}  // namespace spca::cli
