#include "harness/verdicts/summary_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "harness/tables/number_text.h"
#include "harness/verdicts/standings.h"
#include "spca/base/error.h"

namespace spca {
namespace {

constexpr int kDigits = 3;

std::string status_counts(const std::vector<Record>& records) {
  std::map<Status, std::size_t> by_status;
  for (const Record& record : records) {
    ++by_status[record.status];
  }
  std::vector<std::string> counts;
  counts.reserve(by_status.size());
  for (const auto& [status, count] : by_status) {
    counts.push_back(fmt::format("{} {}", count, status_name(status)));
  }
  return counts.empty() ? "no record" : join(counts);
}

std::string shortfall_text(double share) {
  if (std::isnan(share)) {
    return "-";
  }
  return share >= 1 - kSameValue ? "0" : significant_text(100 * (1 - share), kDigits) + " %";
}

/// Returns the registered names of solvers whose times are marked.
std::set<std::string> unoptimised_solvers(const std::vector<Record>& records) {
  std::set<std::string> names;
  for (const Record& record : records) {
    if (record.unoptimised) {
      names.insert(record.solver_name);
    }
  }
  return names;
}

}  // namespace

Table summary_table(const Experiment& experiment, const std::vector<Record>& records) {
  const ProblemSource source{
      .experiment = &experiment, .records = &records, .data_checksums = {}, .machine = "run"};
  const std::set<std::string> unoptimised = unoptimised_solvers(records);
  Table table{.title = fmt::format("Summary of {} ({}): {} of {} cells: {}", experiment.name,
                                   experiment.profile, records.size(), experiment.cells().size(),
                                   status_counts(records)),
              .header = {"solver", "answers", "best", "median", "worst", "time (s)"},
              .rows = {},
              .notes = {}};
  std::vector<SolverStanding> standings = solver_standings(problems_of({source}));
  std::stable_sort(standings.begin(), standings.end(), [](const auto& a, const auto& b) {
    const auto share_of_best = [](const Standing& one) {
      return one.shares == 0 ? -1.0
                             : static_cast<double>(one.best) / static_cast<double>(one.shares);
    };
    return share_of_best(a.overall) > share_of_best(b.overall);
  });
  bool has_mark = false;
  for (const SolverStanding& standing : standings) {
    const Standing& overall = standing.overall;
    const bool is_marked = unoptimised.contains(standing.solver);
    const bool has_time = std::isfinite(overall.median_seconds);
    has_mark = has_mark || (is_marked && has_time);
    table.rows.push_back(
        {standing.solver, fmt::format("{} of {}", overall.answered, overall.cells),
         overall.shares == 0 ? "-" : fmt::format("{} of {}", overall.best, overall.shares),
         shortfall_text(overall.median_share), shortfall_text(overall.least_share),
         (has_time ? number_text(overall.median_seconds, true) : std::string("-")) +
             (is_marked && has_time ? kUnoptimisedMark : "")});
  }
  table.notes = {
      "best: answers with the largest value that any solver of the run has, of those to problems "
      "for which several solvers have a value. median, worst: shortfall of these answers from it. "
      "time: median over the cells that ran alone."};
  if (has_mark) {
    table.notes.push_back(fmt::format("{} {}", kUnoptimisedMark, kUnoptimisedNote));
  }
  return table;
}

}  // namespace spca
