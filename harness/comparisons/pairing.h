#pragma once

/// Pairs the cells and repeats of two runs for `spca check` and `spca compare`. If the seeds agree,
/// repeat i of both runs has the same draw of the data and the same random numbers. Then only
/// differences within a pair matter, and the spread between draws cancels.

#include <string>
#include <vector>

#include "harness/comparisons/compared_run.h"

namespace spca {

/// A cell of the reference with the same cell of the other run, called ours. Both runs must outlive
/// it.
struct CellPair {
  const ComparedCell* reference = nullptr;  // never null
  const ComparedCell* ours = nullptr;       // null: our run lacks the cell
};

struct PairedCells {
  std::vector<CellPair> pairs;                 // one for each cell of the reference, in its order
  std::vector<const ComparedCell*> only_ours;  // cells that the reference lacks
};

PairedCells pair_cells(const ComparedRun& ours, const ComparedRun& reference);

/// A repeat of the reference with the same repeat of our run.
struct RepeatPair {
  const ComparedRepeat* reference = nullptr;  // never null
  const ComparedRepeat* ours = nullptr;       // null: our run lacks the repeat

  bool both_answer() const;
  /// Returns whether the seeds agree. False if `ours` is null.
  bool same_draw() const;
  /// Returns whether both were timed alone and on the machine of their run. False if `ours` is
  /// null.
  bool both_timed_alone() const;
};

/// Returns one pair for each repeat of the reference, ascending. Both cells must outlive the pairs.
std::vector<RepeatPair> pair_repeats(const ComparedCell& ours, const ComparedCell& reference);

/// Returns whether only the options explain that the seeds of a pair differ: with the options of
/// the reference, our solver would have the reference's seed. A seed depends on the options of its
/// cell, so that a new option or another default changes it, although the data are the same.
/// False if our run does not say what its answers were computed from.
bool only_options_change_seed(const ComparedCell& ours, const ComparedCell& reference,
                              const RepeatPair& pair);

/// Returns the sentence that says that the files of the data set have other bytes than the
/// reference's. "" if they have the same, if one of the cells does not know its bytes, or if one
/// has no answer: then its files may have been missing.
std::string data_change(const ComparedCell& ours, const ComparedCell& reference);

/// One metric over several pairs: two lists of equal length.
struct PairedValues {
  std::vector<double> ours, reference;
};

/// Returns the numbers of a metric over `pairs`, all of which have answers. The two metrics of a
/// pair (kSupportF1ToReference, kAngleToReference) are computed here from the components: their
/// reference is the value for perfect agreement, 1 and 0.
PairedValues paired_values(const std::vector<RepeatPair>& pairs, const std::string& metric);

}  // namespace spca
