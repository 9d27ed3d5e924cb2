#pragma once

/// The median of the last runs of a history, as the baseline of a gate. One run may have been lucky
/// or unlucky; the median of several was not.

#include <cstddef>
#include <string>

#include "harness/history/history_file.h"
#include "harness/verdicts/baseline.h"

namespace spca {

/// How many runs are looked at, unless the user says otherwise.
inline constexpr std::size_t kReferenceRuns = 10;

struct HistoryReference {
  Baseline baseline;  // without cells if the history has no such run
  std::string name;   // "history.sqlite, the median of 10 runs to commit 1a2b3c"
};

/// The newest run of this experiment and profile gives the cells, their status and their loadings.
/// Each number of a repeat is the median over the last `last` runs that asked the same and have it.
/// Measures of the machine count if their run was of the machine of `ours` and nothing ran beside.
/// `ours` itself does not count if the history has it. Throws as HistoryFile does.
HistoryReference history_reference(const HistoryFile& file, const HistoryEntry& ours,
                                   std::size_t last);

/// The command line's overrides of the newest run of this experiment, and of this profile unless
/// that is empty. Throws InputError if there is none.
Json newest_overrides(const HistoryFile& file, const std::string& experiment,
                      const std::string& profile);

}  // namespace spca
