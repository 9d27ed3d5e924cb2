#include "harness/comparisons/performance_profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>

namespace spca {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr const char* kTime = "solve_seconds";

/// The costs of the solvers on one problem: positive, infinite without an answer or without a
/// number above 0.
using Costs = std::map<std::string, double>;

struct ProfileProblem {
  std::string grid;
  bool in_first = false, in_second = false;
  std::map<std::string, const ComparedRepeat*> solvers;
};

void add_problems(const ComparedRun& run, const std::string& prefix, bool is_first,
                  std::map<std::string, ProfileProblem>& problems) {
  for (const ComparedCell& cell : run.cells) {
    if (cell.unconstrained) {
      continue;
    }
    const std::string solver =
        prefix + cell.solver + (cell.deflation.empty() ? "" : ", " + cell.deflation);
    for (const ComparedRepeat& repeat : cell.repeats) {
      ProfileProblem& problem =
          problems[fmt::format("{}\n{}\n{}\n{}", cell.grid, cell.dataset,
                               fmt::join(cell.cardinality, " "), repeat.repeat)];
      problem.grid = cell.grid;
      (is_first ? problem.in_first : problem.in_second) = true;
      problem.solvers[solver] = &repeat;
    }
  }
}

/// Returns the problems that both runs have, by grid. Profiles over other problems would compare
/// solvers on different questions.
std::map<std::string, std::vector<ProfileProblem>> common_problems(const ComparedRun& first,
                                                                   const ComparedRun& second) {
  std::map<std::string, ProfileProblem> all;
  add_problems(first, "A: ", true, all);
  add_problems(second, "B: ", false, all);
  std::map<std::string, std::vector<ProfileProblem>> common;
  for (auto& [name, problem] : all) {
    if (problem.in_first && problem.in_second) {
      common[problem.grid].push_back(std::move(problem));
    }
  }
  return common;
}

/// Returns the metric that represents the value of an answer; "" if none was measured.
std::string value_metric(const std::vector<ProfileProblem>& problems) {
  static constexpr std::array kCandidates = {
      "explained_variance",       "projected_variance",           "adjusted_variance",
      "variance_share",           "projected_variance_share",     "adjusted_variance_share",
      "explained_variance_ratio", "symmetric_explained_variance", "support_f1",
      "support_recovery"};
  for (const char* metric : kCandidates) {
    for (const ProfileProblem& problem : problems) {
      for (const auto& [solver, repeat] : problem.solvers) {
        if (repeat->metrics.contains(metric)) {
          return metric;
        }
      }
    }
  }
  return "";
}

/// Returns 1 / value. Only costs relative to the best matter: 1 / value orders answers as the value
/// does, and the ratio of two costs is the ratio of the values.
Costs value_costs(const ProfileProblem& problem, const std::string& metric) {
  Costs costs;
  for (const auto& [solver, repeat] : problem.solvers) {
    const double value = repeat->value(metric);  // comparisons with NaN are false
    costs[solver] = repeat->has_answer() && value > 0 ? 1 / value : kNever;
  }
  return costs;
}

/// Returns the times. Empty if one of them was measured while other cells ran, because then the
/// best time of the problem is unknown.
Costs time_costs(const ProfileProblem& problem) {
  Costs costs;
  for (const auto& [solver, repeat] : problem.solvers) {
    const double seconds = repeat->value(kTime);
    const bool has_time = repeat->has_answer() && seconds > 0;
    if (has_time && repeat->contended) {
      return {};
    }
    costs[solver] = has_time ? seconds : kNever;
  }
  return costs;
}

PerformanceProfile profile_of(const std::vector<Costs>& problems, std::vector<double> tau) {
  // rho_s(tau) of Dolan and More: the share of problems with cost_s <= tau * best cost.
  PerformanceProfile profile;
  profile.tau = std::move(tau);
  std::map<std::string, std::vector<double>> within;
  for (const Costs& costs : problems) {
    double best = kNever;
    for (const auto& [solver, cost] : costs) {
      best = std::min(best, cost);
    }
    if (!std::isfinite(best)) {
      continue;  // no solver has a finite cost, so the problem distinguishes none
    }
    ++profile.problems;
    for (const auto& [solver, cost] : costs) {
      std::vector<double>& counts = within[solver];
      counts.resize(profile.tau.size());
      for (std::size_t i = 0; i < counts.size(); ++i) {
        // Equal answers differ by rounding, far below the tolerance of any metric.
        constexpr double kEqualRatios = 1e-9;
        counts[i] += cost <= best * profile.tau[i] * (1 + kEqualRatios) ? 1 : 0;
      }
    }
  }
  for (auto& [solver, counts] : within) {
    for (double& count : counts) {
      count /= static_cast<double>(profile.problems);
    }
    profile.rows.push_back({solver, counts});
  }
  return profile;
}

PerformanceProfile value_profile(const std::vector<ProfileProblem>& problems) {
  const std::string metric = value_metric(problems);
  std::vector<Costs> costs;
  costs.reserve(problems.size());
  for (const ProfileProblem& problem : problems) {
    costs.push_back(value_costs(problem, metric));
  }
  PerformanceProfile profile = profile_of(costs, {1, 1.001, 1.01, 1.02, 1.05, 1.1, 1.2, 1.5, 2});
  profile.metric = metric;
  profile.reason = profile.problems > 0 ? "" : "no value above 0";
  return profile;
}

PerformanceProfile time_profile(const std::vector<ProfileProblem>& problems,
                                const std::string& other_machine) {
  std::vector<Costs> costs;
  std::size_t contended = 0;
  for (const ProfileProblem& problem : problems) {
    Costs times = time_costs(problem);
    contended += times.empty() ? 1 : 0;
    if (!times.empty() && other_machine.empty()) {
      costs.push_back(std::move(times));
    }
  }
  PerformanceProfile profile = profile_of(costs, {1, 1.5, 2, 5, 10, 100, 1000, 10000});
  profile.metric = kTime;
  profile.reason = profile.problems > 0     ? ""
                   : !other_machine.empty() ? "different machines: " + other_machine
                   : contended > 0          ? "all were timed beside other cells"
                                            : "no time was measured";
  return profile;
}

}  // namespace

std::vector<PerformanceProfile> value_profiles(const ComparedRun& first,
                                               const ComparedRun& second) {
  std::vector<PerformanceProfile> profiles;
  for (const auto& [grid, problems] : common_problems(first, second)) {
    profiles.push_back(value_profile(problems));
    profiles.back().grid = grid;
  }
  return profiles;
}

std::vector<PerformanceProfile> time_profiles(const ComparedRun& first, const ComparedRun& second) {
  const std::string other_machine = machine_difference(second.machine, first.machine);
  std::vector<PerformanceProfile> profiles;
  for (const auto& [grid, problems] : common_problems(first, second)) {
    profiles.push_back(time_profile(problems, other_machine));
    profiles.back().grid = grid;
  }
  return profiles;
}

}  // namespace spca
