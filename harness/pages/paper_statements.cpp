#include "harness/pages/paper_statements.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "harness/pages/shared_beginning.h"
#include "harness/tables/number_text.h"
#include "harness/tables/table.h"
#include "harness/verdicts/comparison_tables.h"
#include "harness/verdicts/lettered_notes.h"
#include "spca/base/text.h"

namespace spca {
namespace {

/// Returns " (slack 10 %)" or " (slack 0.1)"; empty for a claim whose slack is only for rounding.
std::string slack_text(const Claim& claim, double right) {
  constexpr double kRounding = 1e-6;
  const double share = claim.slack_is_relative ? claim.slack : claim.slack / std::abs(right);
  if (claim.slack == 0 || share <= kRounding) {
    return "";
  }
  return claim.slack_is_relative ? fmt::format(" (slack {:g} %)", 100 * claim.slack)
                                 : fmt::format(" (slack {:g})", claim.slack);
}

/// Returns the numbers of the case that decides: "3.1 >= 2.9: a and b on kos, k=5".
std::string deciding_text(const JudgedClaim& judged) {
  const ClaimCase* hardest = judged.hardest();
  if (hardest == nullptr) {
    return "";
  }
  const std::string cells = case_cells_text(*hardest);
  if (!std::isfinite(hardest->left) || !std::isfinite(hardest->right)) {
    return cells;
  }
  constexpr int kDigits = 4;
  const std::string factor =
      judged.claim->factor == 1 ? "" : fmt::format("{:g} x ", judged.claim->factor);
  const std::string error =
      hardest->standard_error > 0 ? fmt::format(" (s.e. {:.2g})", hardest->standard_error) : "";
  return fmt::format("{} {} {}{}{}{}: {}", significant_text(hardest->left, kDigits),
                     relation_sign(judged.claim->is), factor,
                     significant_text(hardest->right, kDigits),
                     slack_text(*judged.claim, hardest->right), error, cells);
}

}  // namespace

std::string statements_text(const std::vector<JudgedExperiment>& runs, bool of_paper) {
  std::vector<const JudgedClaim*> claims;
  std::vector<std::string> places;
  for (const JudgedExperiment& run : runs) {
    for (const JudgedClaim& judged : run.verdicts->claims) {
      if (judged.claim->where.empty() != of_paper) {
        claims.push_back(&judged);
        places.push_back(judged.claim->where);
      }
    }
  }
  if (claims.empty()) {
    return "";
  }
  const auto order = [](const JudgedClaim* judged) {
    switch (judged->verdict) {
      case ClaimVerdict::kFails:
        return 0;
      case ClaimVerdict::kUndecided:
        return 1;
      case ClaimVerdict::kHolds:
        return 2;
      case ClaimVerdict::kNotRun:
        break;
    }
    return 3;
  };
  std::stable_sort(claims.begin(), claims.end(),
                   [&](const JudgedClaim* a, const JudgedClaim* b) { return order(a) < order(b); });
  const std::string beginning = shared_beginning(places);
  LetteredNotes notes;
  Table table{.title = "", .header = {"verdict", "statement"}, .rows = {}, .notes = {}};
  if (of_paper) {
    table.header.emplace_back("where");
  }
  table.header.emplace_back("pairs of cells");
  table.header.emplace_back("the pair that decides");
  for (const JudgedClaim* judged : claims) {
    const std::string note = claim_note(*judged);
    table.rows.push_back(
        {claim_verdict_words(judged->verdict) + (note.empty() ? "" : " " + notes.mark(note)),
         judged->claim->text});
    if (of_paper) {
      table.rows.back().push_back(without_beginning(judged->claim->where, beginning));
    }
    table.rows.back().push_back(cases_text(*judged));
    table.rows.back().push_back(deciding_text(*judged));
  }
  table.notes = notes.lines();
  table.left_columns = table.header.size();
  return render(table, TableFormat::kMarkdown) + "\n";
}

}  // namespace spca
