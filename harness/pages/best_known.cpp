#include "harness/pages/best_known.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "harness/records/record_index.h"
#include "harness/runs/run_writer.h"
#include "harness/tables/number_text.h"
#include "harness/verdicts/printed_cell.h"

namespace spca {
namespace {

/// Returns identity_text of the one problem that the records answer; "" if there is none.
std::string shared_problem(const ProblemSource& run, std::size_t variant,
                           const std::vector<const Record*>& records) {
  std::string shared;
  for (const Record* record : records) {
    const std::optional<ProblemIdentity> identity = problem_of(run, variant, *record);
    const std::string text = identity ? identity_text(*identity) : "";
    if (text.empty() || (!shared.empty() && text != shared)) {
      return "";
    }
    shared = text;
  }
  return shared;
}

bool is_not_redrawn(const Variant& variant) {
  return !variant.dataset->traits.generated || variant.repeats == 1;
}

/// Adds the best value and the bound of the same problem in another run.
void merge(PosedProblem& problem, const PosedProblem& other) {
  if (problem.measure != other.measure) {
    // Values of two units cannot be compared. A variance has a bound, a share has none.
    problem = other.measure == ValueMeasure::kVariance ? other : problem;
    return;
  }
  problem.best = std::fmax(problem.best, other.best);
  problem.bound = std::fmin(problem.bound, other.bound);
  problem.is_contradicted = problem.best > problem.bound * (1 + kSameValue);
}

}  // namespace

std::map<std::string, std::string> data_checksums(const std::filesystem::path& run_directory) {
  std::map<std::string, std::string> checksums;
  for (const auto& [digest, identity] : read_identities(run_directory)) {
    if (identity.is_object() && identity.contains("data_checksum") &&
        identity["data_checksum"].is_string()) {
      checksums[digest] = identity["data_checksum"].get<std::string>();
    }
  }
  return checksums;
}

void BestKnown::add(const ProblemSource& run) {
  const std::vector<Variant>& variants = run.experiment->variants;
  const bool has_one_problem = std::any_of(variants.begin(), variants.end(),
                                           [](const Variant& one) { return is_not_redrawn(one); });
  if (!has_one_problem) {
    return;
  }
  for (PosedProblem& problem : problems_of({run})) {
    problem.answers.clear();
    const std::string text = identity_text(problem.identity);
    merge(problems_.try_emplace(text, problem).first->second, problem);
  }
  const RecordIndex index(*run.records);
  for (std::size_t i = 0; i < variants.size(); ++i) {
    const auto found = problems_.find(shared_problem(run, i, index.of(variants[i])));
    if (found != problems_.end()) {
      by_variant_[&variants[i]] = &found->second;
    }
  }
}

const PosedProblem* BestKnown::of(const Variant* variant) const {
  const auto found = by_variant_.find(variant);
  return found == by_variant_.end() ? nullptr : found->second;
}

std::string best_known_text(const PosedProblem& problem, const std::string& printed) {
  const std::string value = in_format_of(printed, problem.best);
  if (problem.is_certified()) {
    return value + ", optimal";
  }
  const double gap = problem.gap();
  if (!std::isfinite(gap)) {
    return value + ", no bound";
  }
  return fmt::format("{}, {}", value, small_percent_text(gap));
}

}  // namespace spca
