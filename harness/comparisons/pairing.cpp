#include "harness/comparisons/pairing.h"

#include <algorithm>
#include <numbers>
#include <unordered_map>

#include "harness/comparisons/paired_comparison.h"
#include "spca/measure/metric_formulas.h"

namespace spca {
namespace {

using CellsByIdentity = std::unordered_map<std::string, const ComparedCell*>;

CellsByIdentity by_identity(const std::vector<ComparedCell>& cells) {
  CellsByIdentity index;
  for (const ComparedCell& cell : cells) {
    index.emplace(cell.identity(), &cell);
  }
  return index;
}

const ComparedCell* find_cell(const CellsByIdentity& cells, const ComparedCell& same) {
  const auto position = cells.find(same.identity());
  return position == cells.end() ? nullptr : position->second;
}

/// Returns the mean F1 of the supports under the best matching. A component without a partner
/// scores 0.
double support_agreement(const std::vector<Component>& a, const std::vector<Component>& b) {
  // best_matching needs at least as many columns as rows.
  const bool ordered = a.size() <= b.size();
  return best_matching(ordered ? support_f1_scores(a, b) : support_f1_scores(b, a)) /
         static_cast<double>(std::max(a.size(), b.size()));
}

/// Returns the largest principal angle between the spans. Answers of different size are at a right
/// angle: the larger span always has a direction that is orthogonal to the smaller one.
double subspace_angle(const std::vector<Component>& a, const std::vector<Component>& b) {
  return a.size() == b.size() ? largest_principal_angle(a, b) : std::numbers::pi / 2;
}

}  // namespace

PairedCells pair_cells(const ComparedRun& ours, const ComparedRun& reference) {
  const CellsByIdentity in_ours = by_identity(ours.cells);
  const CellsByIdentity in_reference = by_identity(reference.cells);
  PairedCells paired;
  for (const ComparedCell& cell : reference.cells) {
    paired.pairs.push_back({.reference = &cell, .ours = find_cell(in_ours, cell)});
  }
  for (const ComparedCell& cell : ours.cells) {
    if (find_cell(in_reference, cell) == nullptr) {
      paired.only_ours.push_back(&cell);
    }
  }
  return paired;
}

bool RepeatPair::both_answer() const {
  return ours != nullptr && ours->has_answer() && reference->has_answer();
}

bool RepeatPair::same_draw() const { return ours != nullptr && ours->seed == reference->seed; }

bool RepeatPair::both_timed_alone() const {
  return ours != nullptr && !ours->contended && !reference->contended;
}

std::vector<RepeatPair> pair_repeats(const ComparedCell& ours, const ComparedCell& reference) {
  std::vector<RepeatPair> pairs;
  for (const ComparedRepeat& repeat : reference.repeats) {
    pairs.push_back({.reference = &repeat, .ours = ours.find(repeat.repeat)});
  }
  return pairs;
}

PairedValues paired_values(const std::vector<RepeatPair>& pairs, const std::string& metric) {
  PairedValues values;
  for (const auto& [reference, ours] : pairs) {
    if (metric == kSupportF1ToReference) {
      values.ours.push_back(support_agreement(ours->components, reference->components));
      values.reference.push_back(1);
    } else if (metric == kAngleToReference) {
      values.ours.push_back(subspace_angle(ours->components, reference->components));
      values.reference.push_back(0);
    } else {
      values.ours.push_back(ours->value(metric));
      values.reference.push_back(reference->value(metric));
    }
  }
  return values;
}

}  // namespace spca
