#pragma once

/// Computes the median of the last runs of a history, as the baseline of a gate. The times of a
/// single run may be off by chance; the median of several is more stable.

#include <cstddef>
#include <string>

#include "harness/comparisons/baseline.h"
#include "harness/history/history_file.h"

namespace spca {

/// At most this number of runs enter the median by default.
inline constexpr std::size_t kReferenceRuns = 10;

struct HistoryReference {
  Baseline baseline;  // no cells if no other run is found
  std::string name;   // for example "history.sqlite, the median of 10 runs to commit 1a2b3c"
};

/// Uses the last `last` runs of the kind, experiment and profile of `ours`, without `ours` itself.
/// Takes the cells, their status and their loadings from the newest of these runs. Each number of a
/// repeat is the median over those that have the same question and that number. Measures of the
/// machine count only if they come from the machine of `ours` and no other cell ran at the time.
/// Throws as HistoryFile does.
HistoryReference history_reference(const HistoryFile& file, const HistoryEntry& ours,
                                   std::size_t last);

/// Returns the command line's overrides of the newest run of this experiment and profile, not of a
/// benchmark. An empty profile selects all profiles: a partial run then counts only if there is no
/// whole one. Throws InputError if there is no such run.
Json newest_overrides(const HistoryFile& file, const std::string& experiment,
                      const std::string& profile);

}  // namespace spca
