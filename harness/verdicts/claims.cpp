#include "harness/verdicts/claims.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <unordered_map>

#include "harness/comparisons/paired_comparison.h"
#include "harness/comparisons/pairing.h"
#include "harness/experiments/experiment_claims.h"
#include "harness/verdicts/published.h"
#include "spca/base/error.h"
#include "spca/base/text.h"

namespace spca {
namespace {

using CellsByLabels = std::unordered_map<VariantLabels, const ComparedCell*, CellIdentityHash>;

/// The numbers of one case for each repeat, or the reason why there are none.
struct ClaimValues {
  /// The values, of equal lengths; for a claim with a number, right repeats that number.
  std::vector<double> left, right;
  double single_error = 0;  // standard error of left - factor * right of the last pair of repeats
  std::string missing;
};

/// Returns the standard error of the difference of one pair of repeats by the claim's metric for
/// it, as if the two were independent; 0 if the claim names none.
double error_of_pair(const RepeatPair& pair, const Claim& claim) {
  if (claim.error_metric.empty()) {
    return 0;
  }
  const double left = pair.ours->value(claim.error_metric);
  const double right = claim.right ? claim.factor * pair.reference->value(claim.error_metric) : 0;
  return std::hypot(left, right);
}

double value_of(const ComparedRepeat& repeat, const Claim& claim, Index component) {
  if (!claim.is_fact && claim.component == 0) {
    return repeat.value(claim.metric);
  }
  const auto& lists = claim.is_fact ? repeat.facts : repeat.by_component;
  const auto position = lists.find(claim.metric);
  return position != lists.end() && component < std::ssize(position->second)
             ? position->second[static_cast<std::size_t>(component)]
             : kNotMeasured;
}

/// Returns the components to which the claim refers, from 0: for a fact, one case for each
/// component of the fact.
std::vector<Index> components_of(const Claim& claim, const ComparedCell* cell) {
  if (!claim.is_fact || cell == nullptr) {
    return {std::max<Index>(claim.component - 1, 0)};
  }
  Index components = 1;
  for (const ComparedRepeat& repeat : cell->repeats) {
    const auto position = repeat.facts.find(claim.metric);
    if (position != repeat.facts.end()) {
      components = std::max<Index>(components, std::ssize(position->second));
    }
  }
  std::vector<Index> all(static_cast<std::size_t>(components));
  std::iota(all.begin(), all.end(), Index{0});
  return all;
}

bool is_about_time(const Claim& claim) { return !claim.is_fact && is_machine_metric(claim.metric); }

/// Returns the reason why the pair of repeats has no two numbers; "" if it has.
std::string why_no_pair(const RepeatPair& pair, const Claim& claim, Index component) {
  for (const ComparedRepeat* repeat : {pair.ours, pair.reference}) {
    if (repeat == nullptr) {
      return "no record";
    }
    if (!repeat->has_answer()) {
      return no_answer_text(*repeat);
    }
    if (!std::isfinite(value_of(*repeat, claim, component))) {
      return fmt::format("{} was not measured", claim.metric);
    }
  }
  return is_about_time(claim) && !pair.both_timed_alone()
             ? "timed beside other cells, or on another machine"
             : "";
}

/// Returns the values of two cells. If the claim has a number on the right, the caller passes the
/// left cell as `right`, too.
ClaimValues values_of(const Claim& claim, const ComparedCell& left, const ComparedCell& right,
                      Index repeats, Index component) {
  ClaimValues values;
  for (const RepeatPair& pair : pair_repeats(left, right)) {
    if (pair.reference->repeat >= repeats) {
      continue;
    }
    values.missing = why_no_pair(pair, claim, component);
    if (!values.missing.empty()) {
      return values;
    }
    values.left.push_back(value_of(*pair.ours, claim, component));
    values.right.push_back(claim.right ? value_of(*pair.reference, claim, component)
                                       : claim.number);
    values.single_error = error_of_pair(pair, claim);
  }
  if (!std::isfinite(values.single_error)) {
    values.missing = fmt::format("{} was not measured", claim.error_metric);
    return values;
  }
  if (std::ssize(values.left) < repeats) {
    values.missing =
        fmt::format("{} of {} repeats have no record", repeats - std::ssize(values.left), repeats);
  }
  return values;
}

double mean_of(const std::vector<double>& values) {
  double mean = 0;
  double count = 0;
  for (const double value : values) {
    mean += (value - mean) / ++count;
  }
  return mean;
}

/// Returns the standard error of the mean; 0 for one value.
double standard_error_of(const std::vector<double>& values) {
  const double mean = mean_of(values);
  double squares = 0;
  for (const double value : values) {
    squares += (value - mean) * (value - mean);
  }
  const double n = static_cast<double>(values.size());
  return n > 1 ? std::sqrt(squares / (n - 1) / n) : 0;
}

bool is_yes_or_no(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(),
                     [](double value) { return value == 0 || value == 1; });
}

/// Returns the standard error of the difference of two paired shares, with half a pair added to
/// each of the four outcomes, because 50 pairs without a difference have an error too. Source:
/// Agresti, Min, Statistics in Medicine 24:729, 2005.
double standard_error_of_shares(const std::vector<double>& differences) {
  double one_way = 0.5;
  double other_way = 0.5;
  for (const double difference : differences) {
    one_way += difference > 0 ? 1 : 0;
    other_way += difference < 0 ? 1 : 0;
  }
  const double n = static_cast<double>(differences.size()) + 2;
  const double balance = one_way - other_way;
  return std::sqrt(one_way + other_way - balance * balance / n) / n;
}

ClaimVerdict claim_verdict_of(const Claim& claim, const ClaimCase& one) {
  const bool is_upward = claim.is == Relation::kAtLeast || claim.is == Relation::kAbove;
  const bool is_strict = claim.is == Relation::kAbove || claim.is == Relation::kBelow;
  const double difference = is_upward ? one.difference : -one.difference;
  const double error = one.half_width;
  // Doubles that round the same decimal count as equal.
  const double rounding = 1e-12 * std::max(std::abs(one.left), std::abs(claim.factor * one.right));
  if (is_strict) {
    const double needed = one.slack + rounding;
    return difference - error > needed    ? ClaimVerdict::kHolds
           : difference + error <= needed ? ClaimVerdict::kFails
                                          : ClaimVerdict::kUndecided;
  }
  const double allowed = -one.slack - rounding;
  return difference - error >= allowed  ? ClaimVerdict::kHolds
         : difference + error < allowed ? ClaimVerdict::kFails
                                        : ClaimVerdict::kUndecided;
}

void judge_numbers(const Claim& claim, ClaimValues values, ClaimCase& one) {
  const bool is_time = is_about_time(claim);
  const bool are_shares = claim.right && claim.factor == 1 && values.left.size() > 1 &&
                          is_yes_or_no(values.left) && is_yes_or_no(values.right);
  std::vector<double> differences;
  for (std::size_t i = 0; i < values.left.size(); ++i) {
    double& left = values.left[i];
    double& right = values.right[i];
    if (is_time) {
      // A clock may show zero for a short solve.
      constexpr double kTick = 1e-9;
      left = std::log(std::max(left, kTick));
      right = std::log(std::max(right, kTick));
    }
    differences.push_back(is_time ? left - right - std::log(claim.factor)
                                  : left - claim.factor * right);
  }
  one.repeats = differences.size();
  one.left = mean_of(values.left);
  one.right = mean_of(values.right);
  one.difference = mean_of(differences);
  one.standard_error = are_shares                ? standard_error_of_shares(differences)
                       : differences.size() == 1 ? values.single_error
                                                 : standard_error_of(differences);
  one.half_width =
      one.standard_error * (are_shares ? kStandardErrors : mean_half_width(differences.size()));
  if (is_time) {
    one.left = std::exp(one.left);
    one.right = std::exp(one.right);
    one.slack = std::log1p(claim.slack);
  } else {
    one.slack = claim.slack * (claim.slack_is_relative ? std::abs(claim.factor * one.right) : 1);
  }
  one.verdict = claim_verdict_of(claim, one);
}

/// Returns the cell. A single repeat is copied to the repeats 0 to `count` - 1.
ComparedCell repeated(const ComparedCell& cell, Index count) {
  ComparedCell many = cell;
  if (cell.repeats.size() == 1) {
    many.repeats.assign(static_cast<std::size_t>(count), cell.repeats.front());
    for (Index i = 0; i < count; ++i) {
      many.repeats[static_cast<std::size_t>(i)].repeat = i;
    }
  }
  return many;
}

/// Returns true if the single repeat of one side is compared with each repeat of the other: one
/// side has more repeats, and no data are drawn anew. Of data that are drawn anew, only repeats of
/// the same number have the same data.
bool single_stands_for_all(const ClaimPair& pair) {
  return pair.right != nullptr && pair.left->repeats != pair.right->repeats &&
         std::min(pair.left->repeats, pair.right->repeats) == 1 &&
         !pair.left->dataset->traits.generated && !pair.right->dataset->traits.generated;
}

ClaimCase judge_case(const Claim& claim, const ClaimPair& pair, const ComparedCell* left,
                     const ComparedCell* right, Index component) {
  ClaimCase one{.cells = pair, .component = component, .reason = ""};
  if (left == nullptr || right == nullptr) {
    one.reason = "no record";
    return one;
  }
  const auto [least, most] =
      std::minmax(pair.left->repeats, (pair.right == nullptr ? pair.left : pair.right)->repeats);
  ClaimValues values =
      single_stands_for_all(pair)
          ? values_of(claim, repeated(*left, most), repeated(*right, most), most, component)
          : values_of(claim, *left, *right, least, component);
  if (!values.missing.empty()) {
    one.reason = values.missing;
    return one;
  }
  judge_numbers(claim, std::move(values), one);
  return one;
}

ClaimVerdict together(const std::vector<ClaimCase>& cases) {
  const auto has = [&](ClaimVerdict verdict) {
    return std::any_of(cases.begin(), cases.end(),
                       [&](const ClaimCase& one) { return one.verdict == verdict; });
  };
  return has(ClaimVerdict::kFails)       ? ClaimVerdict::kFails
         : has(ClaimVerdict::kUndecided) ? ClaimVerdict::kUndecided
         : has(ClaimVerdict::kHolds)     ? ClaimVerdict::kHolds
                                         : ClaimVerdict::kNotRun;
}

std::string side_text(const CellMatch& match) {
  std::vector<std::string> parts;
  const auto add = [&](const char* key, const std::vector<std::string>& words) {
    if (!words.empty()) {
      parts.push_back(fmt::format("{} {}", key, fmt::join(words, " or ")));
    }
  };
  add("grid", match.grids);
  add("dataset", match.datasets);
  add("solver", match.solvers);
  add("deflation", match.deflations);
  std::vector<std::string> cardinalities;
  std::transform(match.cardinalities.begin(), match.cardinalities.end(),
                 std::back_inserter(cardinalities), cardinality_text);
  add("k", cardinalities);
  return parts.empty() ? "every cell" : join(parts, ", ");
}

}  // namespace

const char* claim_verdict_name(ClaimVerdict verdict) {
  switch (verdict) {
    case ClaimVerdict::kHolds:
      return "holds";
    case ClaimVerdict::kUndecided:
      return "undecided";
    case ClaimVerdict::kFails:
      return "fails";
    case ClaimVerdict::kNotRun:
      break;
  }
  return "not run";
}

const char* claim_verdict_words(ClaimVerdict verdict) {
  return verdict == ClaimVerdict::kUndecided ? "can't tell" : claim_verdict_name(verdict);
}

std::size_t JudgedClaim::count(ClaimVerdict of) const {
  return static_cast<std::size_t>(std::count_if(
      cases.begin(), cases.end(), [&](const ClaimCase& one) { return one.verdict == of; }));
}

const ClaimCase* JudgedClaim::hardest() const {
  const bool is_upward = claim->is == Relation::kAtLeast || claim->is == Relation::kAbove;
  // The margin of the case without the slack, relative to its right side, because cases may have
  // any scale.
  const auto margin = [&](const ClaimCase& one) {
    const double scale = is_about_time(*claim) ? 1 : std::abs(claim->factor * one.right);
    return (is_upward ? one.difference : -one.difference) / (scale > 0 ? scale : 1);
  };
  const ClaimCase* hardest = nullptr;
  for (const ClaimCase& one : cases) {
    if (one.verdict == verdict && (hardest == nullptr || margin(one) < margin(*hardest))) {
      hardest = &one;
    }
  }
  return hardest;
}

std::vector<JudgedClaim> judge_claims(const Experiment& experiment,
                                      const std::vector<Record>& records) {
  std::vector<JudgedClaim> judged;
  if (experiment.claims.empty()) {
    return judged;
  }
  const std::vector<ComparedCell> cells = compared_cells(records);
  CellsByLabels by_labels;
  for (const ComparedCell& cell : cells) {
    by_labels.emplace(cell.labels(), &cell);
  }
  const auto find = [&](const Variant* variant) -> const ComparedCell* {
    const auto position = by_labels.find(labels_of(*variant));
    return position == by_labels.end() ? nullptr : position->second;
  };
  for (const Claim& claim : experiment.claims) {
    judged.push_back({.claim = &claim, .cases = {}});
    for (const ClaimPair& pair : claim_pairs(claim, experiment.variants)) {
      const ComparedCell* left = find(pair.left);
      const ComparedCell* right = pair.right == nullptr ? left : find(pair.right);
      for (const Index component : components_of(claim, left)) {
        judged.back().cases.push_back(judge_case(claim, pair, left, right, component));
      }
    }
    judged.back().verdict = together(judged.back().cases);
  }
  return judged;
}

std::string claim_counts(const std::map<ClaimVerdict, std::size_t>& counts) {
  std::vector<std::string> parts;
  for (const auto& [verdict, count] : counts) {
    const std::string name = claim_verdict_words(verdict);
    const bool is_plural_verb = count > 1 && name.ends_with("s");
    parts.push_back(
        fmt::format("{} {}", count, is_plural_verb ? name.substr(0, name.size() - 1) : name));
  }
  return join(parts);
}

std::string cases_text(const JudgedClaim& judged) {
  std::map<ClaimVerdict, std::size_t> counts;
  for (const ClaimCase& one : judged.cases) {
    ++counts[one.verdict];
  }
  return claim_counts(counts);
}

std::string claim_note(const JudgedClaim& judged) {
  const ClaimCase* hardest = judged.hardest();
  if (hardest != nullptr && !hardest->reason.empty()) {
    return hardest->reason;
  }
  const Claim& claim = *judged.claim;
  return judged.verdict != ClaimVerdict::kFails ? ""
         : claim.why.empty()                    ? "Unexplained."
                                                : explanation_text(claim.why, claim.measured_by);
}

std::string claim_text(const Claim& claim) {
  const std::string factor = claim.factor == 1 ? "" : fmt::format("{:g} x ", claim.factor);
  const std::string slack = claim.slack == 0
                                ? ""
                                : fmt::format(", slack {:g}{}", claim.slack,
                                              claim.slack_is_relative ? " of the right side" : "");
  const std::string component =
      claim.component == 0 ? "" : fmt::format(" of component {}", claim.component);
  return fmt::format(
      "{}{}: {} {} {}{}{}", claim.metric, component, side_text(claim.left), relation_sign(claim.is),
      factor, claim.right ? side_text(*claim.right) : fmt::format("{:g}", claim.number), slack);
}

}  // namespace spca
