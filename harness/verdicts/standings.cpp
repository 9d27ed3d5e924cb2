#include "harness/verdicts/standings.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "harness/records/median.h"
#include "harness/tables/number_text.h"
#include "spca/base/json_text.h"
#include "spca/base/text.h"

namespace spca {
namespace {

double mean_or_none(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) {
    sum += value;
  }
  return values.empty() ? kNotMeasured : sum / static_cast<double>(values.size());
}

double least_of(const std::vector<double>& values) {
  return values.empty() ? kNotMeasured : *std::min_element(values.begin(), values.end());
}

/// The reference values for comparing the answers to one problem.
struct Yardstick {
  const PosedProblem* problem = nullptr;
  bool compares_values = false;  // at least two solvers have a value, and the best is positive
  /// Maps each machine on which at least two solvers have a time to the shortest time, in seconds.
  std::map<std::string, double> fastest;
};

Yardstick yardstick_of(const PosedProblem& problem) {
  Yardstick made{.problem = &problem,
                 .compares_values = problem.solvers_with_value() > 1 && problem.best > 0,
                 .fastest = {}};
  std::map<std::string, std::set<std::string>> timed;  // machine -> solvers
  for (const ProblemAnswer& answer : problem.answers) {
    if (std::isfinite(answer.seconds)) {
      timed[answer.machine].insert(answer.solver);
      double& fastest = made.fastest.try_emplace(answer.machine, answer.seconds).first->second;
      fastest = std::min(fastest, answer.seconds);
    }
  }
  std::erase_if(made.fastest,
                [&](const auto& of_machine) { return timed.at(of_machine.first).size() < 2; });
  return made;
}

/// A standing while answers are being added.
class OpenStanding {
 public:
  void add(const Yardstick& yardstick, const ProblemAnswer& answer) {
    const PosedProblem& problem = *yardstick.problem;
    problems_.insert(&problem);
    ++standing_.cells;
    standing_.answered += answer.has_answer ? 1 : 0;
    const bool was_skipped = !owes_answer(answer.status);
    standing_.skipped += was_skipped ? 1 : 0;
    standing_.failed += !answer.has_answer && !was_skipped ? 1 : 0;
    if (yardstick.compares_values && std::isfinite(answer.value)) {
      shares_.push_back(std::min(answer.value / problem.best, 1.0));
      standing_.best += problem.holds_best(answer) ? 1 : 0;
    }
    // An answer whose variance was not measured does not show whether it reaches the optimum.
    if (problem.is_certified() && !was_skipped &&
        (!answer.has_answer || std::isfinite(answer.value))) {
      ++standing_.certified;
      standing_.reached += problem.holds_best(answer) ? 1 : 0;
    }
    if (std::isfinite(answer.seconds)) {
      seconds_.push_back(answer.seconds);
      const auto fastest = yardstick.fastest.find(answer.machine);
      if (fastest != yardstick.fastest.end()) {
        log_ratios_.push_back(std::log(answer.seconds / fastest->second));
      }
    }
  }

  Standing finish() const {
    Standing standing = standing_;
    standing.problems = problems_.size();
    standing.shares = shares_.size();
    standing.median_share = median_of(shares_);
    standing.least_share = least_of(shares_);
    standing.times = log_ratios_.size();
    standing.mean_ratio = std::exp(mean_or_none(log_ratios_));
    standing.timed_alone = seconds_.size();
    standing.median_seconds = median_of(seconds_);
    return standing;
  }

 private:
  Standing standing_;
  std::set<const PosedProblem*> problems_;
  std::vector<double> shares_, log_ratios_, seconds_;
};

/// Returns a text that is equal for problems that differ only in the values of their cardinalities
/// or in the draw. The number of components must agree.
std::string group_text(ProblemIdentity identity) {
  identity.cardinality.assign(identity.cardinality.size(), 0);
  identity.draw = {};
  return identity_text(identity);
}

/// Returns a text that is equal for problems that differ only in the draw.
std::string row_text(ProblemIdentity identity) {
  identity.draw = {};
  return identity_text(identity);
}

struct OpenGroup {
  ProblemIdentity group;
  std::set<std::vector<Index>> cardinalities;
  OpenStanding standing;
};

struct OpenSolver {
  OpenStanding overall;
  std::map<std::string, std::pair<Json, OpenStanding>> by_options;
  std::map<std::string, OpenGroup> by_group;
  std::map<std::pair<std::string, std::string>, StandingFailure> failures;
  std::set<std::string> experiments;

  void add(const Yardstick& yardstick, const ProblemAnswer& answer);
  SolverStanding finish(const std::string& name) const;
};

void OpenSolver::add(const Yardstick& yardstick, const ProblemAnswer& answer) {
  const ProblemIdentity& identity = yardstick.problem->identity;
  overall.add(yardstick, answer);
  auto& of_options = by_options.try_emplace(json_line(answer.options)).first->second;
  of_options.first = answer.options;
  of_options.second.add(yardstick, answer);
  OpenGroup& group = by_group.try_emplace(group_text(identity)).first->second;
  group.group = identity;
  group.cardinalities.insert(identity.cardinality);
  group.standing.add(yardstick, answer);
  experiments.insert(answer.experiment);
  if (!answer.has_answer) {
    StandingFailure& failure = failures[{status_name(answer.status), answer.message}];
    failure.status = answer.status;
    failure.message = answer.message;
    ++failure.count;
    add_once(failure.datasets, identity.dataset);
    add_once(failure.experiments, answer.experiment);
  }
}

SolverStanding OpenSolver::finish(const std::string& name) const {
  SolverStanding standing{.solver = name,
                          .overall = overall.finish(),
                          .by_options = {},
                          .by_group = {},
                          .failures = {},
                          .experiments = {experiments.begin(), experiments.end()}};
  for (const auto& [text, of_options] : by_options) {
    standing.by_options.emplace_back(of_options.first, of_options.second.finish());
  }
  for (const auto& [text, group] : by_group) {
    standing.by_group.push_back(
        {.group = group.group,
         .cardinalities = {group.cardinalities.begin(), group.cardinalities.end()},
         .standing = group.standing.finish()});
  }
  for (const auto& [kind, failure] : failures) {
    standing.failures.push_back(failure);
  }
  std::stable_sort(
      standing.failures.begin(), standing.failures.end(),
      [](const StandingFailure& a, const StandingFailure& b) { return a.count > b.count; });
  return standing;
}

/// An entry of a row while answers are being added.
struct OpenEntry {
  Entry entry;
  std::vector<double> values, shares;
  std::map<std::string, std::vector<double>> seconds;

  void add(const PosedProblem& problem, const ProblemAnswer& answer) {
    entry.solver = answer.solver;
    entry.options = answer.options;
    ++entry.cells;
    if (std::isfinite(answer.value)) {
      values.push_back(answer.value);
      shares.push_back(problem.best > 0 ? std::min(answer.value / problem.best, 1.0)
                                        : kNotMeasured);
      entry.best += problem.holds_best(answer) ? 1 : 0;
    }
    if (std::isfinite(answer.seconds)) {
      seconds[answer.machine].push_back(answer.seconds);
    }
  }

  Entry finish() const {
    Entry made = entry;
    made.values = values.size();
    made.value = mean_or_none(values);
    made.share = mean_or_none(shares);
    made.least_share = least_of(shares);
    for (const auto& [machine, of_machine] : seconds) {
      made.seconds[machine] = median_of(of_machine);
    }
    return made;
  }
};

/// Returns the rank for sorting the entries of a row; entries without a share come last. Treating
/// shares within kSameValue as equal would not be a strict order, so all digits count.
double rank_of(const Entry& entry) { return std::isfinite(entry.share) ? entry.share : -1; }

EntryRow row_of(const std::vector<const PosedProblem*>& draws) {
  EntryRow row;
  row.cardinality = draws.front()->identity.cardinality;
  row.problems = draws.size();
  std::vector<double> best, bounds, gaps;
  std::map<std::string, OpenEntry> entries;
  for (const PosedProblem* problem : draws) {
    if (std::isfinite(problem->best)) {
      best.push_back(problem->best);
    }
    row.contradicted += problem->is_contradicted ? 1 : 0;
    if (std::isfinite(problem->bound) && !problem->is_contradicted) {
      bounds.push_back(problem->bound);
      gaps.push_back(problem->gap());
      row.certified += problem->is_certified() ? 1 : 0;
      for (const std::string& solver : problem->bound_by) {
        add_once(row.bound_by, solver);
      }
    }
    for (const ProblemAnswer& answer : problem->answers) {
      entries[answer.solver + "\n" + json_line(answer.options)].add(*problem, answer);
    }
  }
  row.best = mean_or_none(best);
  row.bounded = bounds.size();
  row.bound = row.bounded == row.problems ? mean_or_none(bounds) : kNotMeasured;
  row.gap = mean_or_none(gaps);
  for (const auto& [name, entry] : entries) {
    row.entries.push_back(entry.finish());
  }
  std::stable_sort(row.entries.begin(), row.entries.end(),
                   [](const Entry& a, const Entry& b) { return rank_of(a) > rank_of(b); });
  return row;
}

}  // namespace

std::vector<SolverStanding> solver_standings(const std::vector<PosedProblem>& problems) {
  std::map<std::string, OpenSolver> solvers;
  for (const PosedProblem& problem : problems) {
    const Yardstick yardstick = yardstick_of(problem);
    for (const ProblemAnswer& answer : problem.answers) {
      solvers[answer.solver].add(yardstick, answer);
    }
  }
  std::vector<SolverStanding> standings;
  for (const auto& [name, solver] : solvers) {
    standings.push_back(solver.finish(name));
  }
  return standings;
}

std::vector<EntryTable> entry_tables(const std::vector<PosedProblem>& problems) {
  std::vector<EntryTable> tables;
  // Problems of one group, and of one row of it, are adjacent, because their identities sort that
  // way.
  std::string group, row;
  std::vector<const PosedProblem*> draws;
  const auto close_row = [&] {
    if (!draws.empty()) {
      tables.back().rows.push_back(row_of(draws));
      draws.clear();
    }
  };
  for (const PosedProblem& problem : problems) {
    if (std::string of = group_text(problem.identity); of != group || tables.empty()) {
      close_row();
      group = std::move(of);
      tables.emplace_back();
      tables.back().group = problem.identity;
      tables.back().measure = problem.measure;
    }
    if (std::string of = row_text(problem.identity); of != row) {
      close_row();
      row = std::move(of);
    }
    EntryTable& table = tables.back();
    table.is_mixed = table.is_mixed || problem.measure != table.measure;
    table.n = std::max(table.n, problem.n);
    table.p = std::max(table.p, problem.p);
    table.pca_variance =
        std::isfinite(table.pca_variance) ? table.pca_variance : problem.pca_variance;
    table.total_variance =
        std::isfinite(table.total_variance) ? table.total_variance : problem.total_variance;
    draws.push_back(&problem);
  }
  close_row();
  return tables;
}

}  // namespace spca
