#include "harness/cli/path_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "harness/cli/output.h"
#include "harness/tables/number_text.h"
#include "spca/measure/contradiction.h"

namespace spca::cli {
namespace {

/// Returns the number as written by a function of number_text.h; "-" if it was not measured.
std::string number(std::string (*text)(double, int), int digits, double value) {
  return std::isnan(value) ? "-" : text(value, digits);
}

constexpr Index kNone = 0;

/// Returns a line with the number that a rule suggests, of k or r. A suggestion of `largest`, the
/// end of the range, has a note, because a larger one may be better. `largest` is kNone if no
/// larger one is possible.
std::string suggestion_line(char name, const char* rule, const std::optional<Index>& number,
                            Index largest, const std::string& what) {
  const std::string at_end =
      number && *number == largest
          ? fmt::format("; the largest {} that was tried: try larger ones", name)
          : "";
  return fmt::format("  {:<28} {:<7} {}{}\n", rule,
                     number ? fmt::format("{} = {}", name, *number) : "-", what, at_end);
}

/// The name of the solver, and of the one that takes its place where samples are left out.
std::string path_title(const SolverPath& path, const PathReport& report) {
  const bool is_alone = path.solver.on_samples == nullptr ||
                        (!report.without_resamples.empty() && !report.without_folds.empty());
  return path.solver.entry->name + (is_alone ? "\n"
                                             : fmt::format(", with {} on resamples and folds\n",
                                                           path.solver.on_samples->entry->name));
}

std::string solver_text(const std::vector<Index>& cardinalities, Index p, const PathReport& report,
                        const SolverPath& path) {
  std::vector<std::vector<std::string>> rows = {{"k", "nonzeros", "variance", "of lambda_1",
                                                 "upper bound", "gap", "stability",
                                                 "left-out error", "+-", "scores", "repeat"}};
  std::string notes;
  for (std::size_t i = 0; i < cardinalities.size(); ++i) {
    const PathPointSummary& point = path.points[i];
    const double value = point.answer.value;
    const double bound = report.bounds[i].value;
    rows.push_back(
        {fmt::format("{}", cardinalities[i]),
         fmt::format("{}", point.answer.component.cardinality()),
         number(significant_text, 6, value), number(fixed_text, 4, value / report.lambda_1),
         number(significant_text, 6, bound), number(percent_text, 2, relative_gap(bound, value)),
         number(fixed_text, 3, point.stability), number(fixed_text, 4, point.reconstruction_error),
         number(fixed_text, 4, point.reconstruction_standard_error),
         number(fixed_text, 3, point.score_correlation),
         number(fixed_text, 3, point.repeat_correlation)});
    if (!point.answer.has_answer() || point.answer.message == kInterrupted) {
      notes += fmt::format("  k = {}: {}: {}\n", cardinalities[i], status_name(point.answer.status),
                           shown_message(point.answer.message));
    }
  }
  if (!path.is_complete) {
    notes += "  interrupted: \"-\" was not finished, and nothing is suggested\n";
  }
  const PathSuggestion& suggestion = path.suggestion;
  const Index largest = cardinalities.back() < p ? cardinalities.back() : kNone;
  return path_title(path, report) + aligned(rows) + notes + "suggested k\n" +
         suggestion_line('k', "cross-validation", suggestion.cross_validation, largest,
                         "smallest reconstruction error on samples left out") +
         suggestion_line('k', "one standard error", suggestion.one_standard_error, largest,
                         "smallest k whose error is within one standard error of that") +
         suggestion_line('k', "scores", suggestion.scores, largest,
                         "smallest k, of 2 to half of the variables, whose scores repeat best") +
         suggestion_line('k', "knee", suggestion.knee, largest,
                         "where the variance, against k, bends most; no statistics");
}

}  // namespace

std::string path_text(const std::vector<Index>& cardinalities, Index p, const PathReport& report) {
  std::string text;
  for (const SolverPath& path : report.solvers) {
    text += solver_text(cardinalities, p, report, path) + "\n";
  }
  if (!report.without_resamples.empty()) {
    text += fmt::format("note: no stability: {}\n", report.without_resamples);
  }
  if (!report.without_folds.empty()) {
    text += fmt::format("note: no cross-validation: {}\n", report.without_folds);
  }
  return text;
}

namespace {

/// Returns the text of number `i` of a list, counted from 0; "-" if the list has none there.
std::string number_at(std::string (*text)(double, int), int digits,
                      const std::vector<double>& numbers, Index i) {
  return i < 0 || i >= std::ssize(numbers) ? "-"
                                           : text(numbers[static_cast<std::size_t>(i)], digits);
}

std::string count_text(const ComponentSuggestion& suggestion, Index largest) {
  const ParallelAnalysis& parallel = suggestion.parallel;
  const LeftOutEntries& entries = suggestion.entries;
  std::vector<std::vector<std::string>> rows = {
      {"r", "eigenvalue", "by chance", "left-out entries", "+-"}};
  const auto most = std::max(std::ssize(parallel.eigenvalues), std::ssize(entries.errors) - 1);
  for (Index r = 0; r <= most; ++r) {
    rows.push_back({fmt::format("{}", r),
                    number_at(significant_text, 6, parallel.eigenvalues, r - 1),
                    number_at(significant_text, 6, parallel.limits, r - 1),
                    number_at(fixed_text, 4, entries.errors, r),
                    number_at(fixed_text, 4, entries.standard_errors, r)});
  }
  const std::string permuted =
      fmt::format("eigenvalues above the 95 % quantile of {} permutations", parallel.permutations);
  return "number of components\n" + aligned(rows) + "suggested r\n" +
         suggestion_line('r', "parallel analysis", parallel.components, largest,
                         parallel.without.empty() ? permuted : parallel.without) +
         suggestion_line(
             'r', "cross-validation", entries.best, largest,
             entries.without.empty() ? "smallest error on entries left out" : entries.without) +
         suggestion_line('r', "one standard error", entries.one_standard_error, largest,
                         "smallest r whose error is within one standard error of that");
}

}  // namespace

std::string suggestion_text(const ComponentSuggestion& suggestion, Index largest) {
  std::string text = count_text(suggestion, largest) + "\n";
  if (!suggestion.components) {
    return text;
  }
  if (*suggestion.components == 0) {
    return text + fmt::format("r = 0: {}; `spca solve` would show noise\n", rule_words(suggestion));
  }
  std::vector<Index> ks;
  for (std::size_t i = 0; i < suggestion.paths.size(); ++i) {
    const ComponentPath& path = suggestion.paths[i];
    PathReport report = path.report;
    report.without_resamples.clear();  // not asked for
    text +=
        fmt::format("component {}: {}", i + 1, path_text(path.cardinalities, path.varying, report));
    if (path.chosen) {
      const bool is_edge = *path.chosen == path.cardinalities.back() && *path.chosen < path.varying;
      text += fmt::format("k = {}{}, {}\n\n", *path.chosen,
                          is_edge ? " (the largest that was tried)" : "", rule_words(path));
      ks.push_back(*path.chosen);
    }
  }
  text += fmt::format("r = {}, {}\n", *suggestion.components, rule_words(suggestion));
  if (std::ssize(suggestion.paths) < *suggestion.components) {
    text += fmt::format("no variables are left after {} components\n", suggestion.paths.size());
  }
  if (!ks.empty()) {
    text +=
        fmt::format("suggested: --components {} --cardinality {}\n", ks.size(), fmt::join(ks, ","));
  }
  return text;
}

}  // namespace spca::cli
