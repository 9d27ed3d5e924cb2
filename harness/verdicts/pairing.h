#pragma once

/// Two runs side by side: which cells, and which repeats of a cell, belong together. `spca check`
/// and `spca compare` both pair here. Repeat i of both runs saw the same draw of the data and the
/// same random numbers if the seeds agree. Then only differences within a pair count, and the
/// spread from draw to draw cancels.

#include <string>
#include <vector>

#include "harness/verdicts/compared_run.h"

namespace spca {

/// A cell of the reference with the same cell of our run. Both runs must outlive it.
struct CellPair {
  const ComparedCell* reference = nullptr;  // never null
  const ComparedCell* ours = nullptr;       // null: our run does not have it
};

struct PairedCells {
  std::vector<CellPair> pairs;                 // one for each cell of the reference, in its order
  std::vector<const ComparedCell*> only_ours;  // what the reference does not have
};

PairedCells pair_cells(const ComparedRun& ours, const ComparedRun& reference);

/// A repeat of the reference with the same repeat of our run.
struct RepeatPair {
  const ComparedRepeat* reference = nullptr;  // never null
  const ComparedRepeat* ours = nullptr;       // null: our run does not have it

  bool both_answer() const;
  /// Whether the seeds agree. False if `ours` is null.
  bool same_draw() const;
  /// Whether both were timed alone and on the machine of their run. False if `ours` is null.
  bool both_timed_alone() const;
};

/// One pair for each repeat of the reference, ascending. Both cells must outlive them.
std::vector<RepeatPair> pair_repeats(const ComparedCell& ours, const ComparedCell& reference);

/// One metric over several pairs: two lists of the same length.
struct PairedValues {
  std::vector<double> ours, reference;
};

/// The numbers of a metric over `pairs`, all of which answer. The two metrics of a pair
/// (kSupportF1ToReference, kAngleToReference) are computed here from the components: their
/// reference is what perfect agreement gives, 1 and 0.
PairedValues paired_values(const std::vector<RepeatPair>& pairs, const std::string& metric);

}  // namespace spca
