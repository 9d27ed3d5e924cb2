#pragma once

/// Histories made by hand.

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/history/history_file.h"
#include "tests/temporary_files.h"

namespace spca::trial {

/// The day of the i-th run.
inline std::string day(std::size_t i) {
  return "2026-" + std::string(i < 28 ? "01" : "02") + "-" + (i % 28 + 1 < 10 ? "0" : "") +
         std::to_string(i % 28 + 1) + "T00:00:00Z";
}

/// The i-th run of an experiment, of commit c<i>, without cells.
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

/// A cell with one exact number and one time.
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

/// A history in a folder of its own.
class HistoryTest : public TemporaryFiles {
 protected:
  fs::path path() const { return folder_ / "h.sqlite"; }
  void add(const HistoryEntry& made) const { HistoryFile(path(), SqlAccess::kMade).add(made); }
};

}  // namespace spca::trial
