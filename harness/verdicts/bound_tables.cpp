#include "harness/verdicts/bound_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "harness/experiments/experiment_tables.h"
#include "harness/records/record_index.h"
#include "harness/tables/number_text.h"
#include "spca/base/text.h"
#include "spca/measure/contradiction.h"

namespace spca {
namespace {

constexpr const char* kBound = "upper_bound";
constexpr const char* kDisjointBound = "upper_bound_disjoint";
constexpr const char* kOrthogonalBound = "upper_bound_orthogonal";
// The relative gap at which searches for a bound stop, and a tenth of it for the digits of the
// bound.
constexpr double kReached = 1.1e-5;
// At most this relative difference between the values of two answers with the same support: they
// may add the same numbers in different orders.
constexpr double kEqualValues = 1e-9;

/// The ways in which components may share variables. A bound holds for answers of its own kind.
enum class Sharing { kOneComponent, kDisjoint, kOrthogonal, kOther };

Sharing sharing_of(const Variant& variant) {
  if (variant.components == 1) {
    return Sharing::kOneComponent;
  }
  const bool is_deflated_apart = variant.deflation != nullptr && variant.deflation->disjoint;
  if (variant.solver->traits.disjoint || is_deflated_apart) {
    return Sharing::kDisjoint;
  }
  return variant.solver->traits.orthogonal ? Sharing::kOrthogonal : Sharing::kOther;
}

/// Returns the metrics that are upper bounds on every answer of this kind.
std::vector<std::string> bounds_of(Sharing sharing) {
  switch (sharing) {
    case Sharing::kOneComponent:
      return {kBound};
    case Sharing::kDisjoint:
      return {kBound, kDisjointBound, kOrthogonalBound};
    case Sharing::kOrthogonal:
      return {kBound, kOrthogonalBound};
    case Sharing::kOther:
      break;
  }
  return {};
}

/// The result of one solver on a problem.
struct Finding {
  double value = kNotMeasured;
  double bound = kNotMeasured;
  double cpu_seconds = kNotMeasured;
  std::string published = {};
  std::string reason = {};  // the reason if there is no value
};

/// The results of all solvers of a table on a problem, and the best of them.
struct BoundRow {
  const Variant* variant = nullptr;         // one of the variants with the problem
  std::map<std::string, Finding> findings;  // key: solver
  std::string published = {};
  double value = kNotMeasured;
  double bound = kNotMeasured;
  double cpu_seconds = kNotMeasured;
};

bool is_same_problem(const Variant& a, const Variant& b) {
  return a.grid == b.grid && a.dataset_label == b.dataset_label && a.cardinality == b.cardinality &&
         sharing_of(a) == sharing_of(b);
}

std::string published_number(const Variant& variant,
                             const std::vector<PublishedComparison>& comparisons) {
  for (const PublishedComparison& comparison : comparisons) {
    if (comparison.variant == &variant && comparison.published->metric == kBoundedMetric) {
      return comparison.published->printed;
    }
  }
  return "";
}

std::string share_text(double share) {
  return std::abs(share) <= kEqualValues ? "0 %" : small_percent_text(share, 2);
}

/// Returns the gap. A value above another solver's bound has no gap: one of the two is wrong.
std::string gap_text(const BoundRow& row) {
  if (exceeds(row.value, row.bound)) {
    return "contradiction";
  }
  const double gap = relative_gap(row.bound, row.value);
  return std::isfinite(gap) ? share_text(gap) : "none";
}

/// Returns the words for a finding in comparison with the best value and bound.
std::string verdict_text(const Finding& finding, const BoundRow& row) {
  if (!std::isfinite(finding.value)) {
    return finding.reason;
  }
  const double less = (row.value - finding.value) / std::abs(row.value);
  if (less > kEqualValues) {
    return share_text(less) + " less";
  }
  const bool is_reached = row.bound - finding.value <= kReached * std::abs(row.bound);
  return is_reached && !exceeds(row.value, row.bound) ? "optimal" : "best";
}

std::string number_or_none(double value, bool is_time) {
  return std::isfinite(value) ? number_text(value, is_time) : "none";
}

class BoundTableBuilder {
 public:
  BoundTableBuilder(const std::vector<Record>& records,
                    const std::vector<PublishedComparison>& comparisons)
      : index_(records), comparisons_(comparisons) {}

  /// Adds the result of a variant if it can be compared with a bound.
  void add(const Variant& variant) {
    const std::vector<const Record*>& records = index_.of(variant);
    const Aggregate value = aggregate(records, kBoundedMetric);
    if (variant.repeats != 1 || value.unconstrained || sharing_of(variant) == Sharing::kOther) {
      return;
    }
    Finding finding{.value = value.mean, .published = published_number(variant, comparisons_)};
    if (value.count == 0) {
      finding.reason = records.empty() ? "no record" : status_name(records.front()->status);
    } else {
      finding.cpu_seconds = records.front()->cost.cpu_seconds;
      for (const std::string& bound : bounds_of(sharing_of(variant))) {
        finding.bound = std::fmin(finding.bound, aggregate(records, bound).mean);
      }
    }
    add_once(solvers_, variant.solver_label);
    enter(variant, finding);
  }

  bool is_empty() const { return rows_.empty(); }

  Table build(const std::string& title) const {
    const bool has_published = std::any_of(
        rows_.begin(), rows_.end(), [](const BoundRow& row) { return !row.published.empty(); });
    Table table;
    table.title = title;
    table.header = {"dataset", "r", "k"};
    if (has_published) {
      table.header.emplace_back("published");
    }
    table.header.insert(table.header.end(), {"value", "upper bound", "gap", "CPU s"});
    table.header.insert(table.header.end(), solvers_.begin(), solvers_.end());
    for (const BoundRow& row : rows_) {
      table.rows.push_back(entries(row, has_published));
    }
    table.notes = {
        "optimal: reaches the certified bound of any solver. best: no other in its row is better, "
        "which is not proven. CPU s: processor time of the solver with that bound, without what "
        "checks or computes the bound afterwards."};
    return table;
  }

 private:
  void enter(const Variant& variant, const Finding& finding) {
    auto row = std::find_if(rows_.begin(), rows_.end(), [&](const BoundRow& other) {
      return is_same_problem(*other.variant, variant);
    });
    if (row == rows_.end()) {
      row = rows_.insert(rows_.end(), BoundRow{.variant = &variant, .findings = {}});
    }
    row->findings[variant.solver_label] = finding;
    row->value = std::fmax(row->value, finding.value);
    if (row->published.empty()) {
      row->published = finding.published;
    }
    if (finding.bound <= row->bound || (std::isfinite(finding.bound) && std::isnan(row->bound))) {
      row->bound = finding.bound;
      row->cpu_seconds = finding.cpu_seconds;
    }
  }

  std::vector<std::string> entries(const BoundRow& row, bool has_published) const {
    std::vector<std::string> entries = {row.variant->dataset_label,
                                        fmt::format("{}", row.variant->components),
                                        cardinality_text(row.variant->cardinality)};
    if (has_published) {
      entries.push_back(row.published);
    }
    entries.insert(entries.end(),
                   {number_or_none(row.value, false), number_or_none(row.bound, false),
                    gap_text(row), number_or_none(row.cpu_seconds, true)});
    for (const std::string& solver : solvers_) {
      const auto finding = row.findings.find(solver);
      entries.push_back(finding == row.findings.end() ? "not asked"
                                                      : verdict_text(finding->second, row));
    }
    return entries;
  }

  RecordIndex index_;
  const std::vector<PublishedComparison>& comparisons_;
  std::vector<std::string> solvers_;
  std::vector<BoundRow> rows_;
};

}  // namespace

std::vector<Table> bound_tables(const Experiment& experiment, const std::vector<Record>& records,
                                const std::vector<PublishedComparison>& comparisons) {
  std::vector<Table> tables;
  for (const BoundTableSpec& spec : experiment.bound_tables) {
    BoundTableBuilder builder(records, comparisons);
    for (const Variant& variant : experiment.variants) {
      if (spec.where.matches(variant)) {
        builder.add(variant);
      }
    }
    if (!builder.is_empty()) {
      tables.push_back(builder.build(spec.title));
    }
  }
  return tables;
}

}  // namespace spca
