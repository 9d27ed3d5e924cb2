#include "harness/comparisons/pairing.h"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>
#include <unordered_map>

#include "harness/comparisons/paired_comparison.h"
#include "harness/experiments/experiment_identity.h"
#include "spca/data/dataset.h"
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

bool only_options_change_seed(const ComparedCell& ours, const ComparedCell& reference,
                              const RepeatPair& pair) {
  if (pair.ours == nullptr || ours.identity_json.is_null()) {
    return false;
  }
  Json identity = ours.identity_json;
  Json options = reference.solver_options;
  for (const auto& [key, value] : identity["solve"]["options"].items()) {
    if (!ours.solver_options.contains(key)) {
      options[key] = value;  // a penalty that was tuned: neither cell keeps it
    }
  }
  identity["solve"]["options"] = options;
  const DatasetEntry* dataset = DatasetRegistry::instance().find(ours.dataset_name);
  if (dataset != nullptr && !dataset->traits.generated) {
    identity["dataset"]["options"] = reference.dataset_options;  // they change no draw of the data
  }
  return solver_seed(identity, ours.experiment_seed, pair.reference->repeat) ==
         pair.reference->seed;
}

std::string data_change(const ComparedCell& ours, const ComparedCell& reference) {
  const auto has_answer = [](const ComparedCell& cell) {
    return std::any_of(cell.repeats.begin(), cell.repeats.end(),
                       [](const ComparedRepeat& repeat) { return repeat.has_answer(); });
  };
  if (ours.data_checksum.empty() || reference.data_checksum.empty() ||
      ours.data_checksum == reference.data_checksum || !has_answer(ours) ||
      !has_answer(reference)) {
    return "";
  }
  std::string name = ours.dataset;
  if (const DatasetEntry* dataset = DatasetRegistry::instance().find(ours.dataset_name)) {
    for (const std::string& option : dataset->traits.path_options) {
      if (const std::string path = ours.dataset_options.value(option, ""); !path.empty()) {
        name += ", " + path;
      }
    }
  }
  return fmt::format("its data changed: {}", name);
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
