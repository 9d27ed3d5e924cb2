#pragma once

/// Histories made by hand.

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/history/history_file.h"
#include "tests/temporary_files.h"

namespace spca::trial {

/// Returns the date of the i-th run, a day after that of the run before, for i < 56.
inline std::string day(std::size_t i) {
  return "2026-" + std::string(i < 28 ? "01" : "02") + "-" + (i % 28 + 1 < 10 ? "0" : "") +
         std::to_string(i % 28 + 1) + "T00:00:00Z";
}

/// Returns the i-th run of an experiment, of the commit c<i>, without cells.
inline HistoryEntry entry(std::size_t i, const std::string& machine = "a") {
  HistoryEntry made;
  made.kind = "run";
  made.experiment = "e";
  made.profile = "smoke";
  made.commit = "c" + std::to_string(i);
  made.revision = "r" + std::to_string(i);
  made.date = day(i);
  made.machine = {{"name", machine}};
  made.overrides = nullptr;
  made.digest = "d" + std::to_string(i) + machine;
  return made;
}

/// Returns a cell with one exact number and one time.
inline EntryCell cell(Index k, double variance, double seconds) {
  return {
      .question = {{"experiment", "e"},
                   {"profile", "smoke"},
                   {"grid", "g"},
                   {"dataset", "pitprops"},
                   {"solver", "tpower"},
                   {"deflation", ""},
                   {"cardinality", {k}}},
      .answer = "{}",
      .points = {{.metric = "explained_variance", .mean = variance, .count = 1, .by_repeat = ""},
                 {.metric = "solve_seconds",
                  .mean = seconds,
                  .count = 1,
                  .by_repeat = "[" + std::to_string(seconds) + "]"}}};
}

/// A test with a history in a temporary folder.
class HistoryTest : public TemporaryFiles {
 protected:
  fs::path path() const { return folder_ / "h.sqlite"; }
  void add(const HistoryEntry& made) const { HistoryFile(path(), SqlAccess::kMade).add(made); }
};

}  // namespace spca::trial
