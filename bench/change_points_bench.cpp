/// Measures how often the test of `spca history` reports a change of unchanged code, and how often
/// it finds code that became slower. The times are real: FILE is a history of many runs of one
/// build.
///
///   build/release/bench/change_points_bench FILE EXPERIMENT [METRIC]
///
/// A family is the time series of all cell groups over some of the runs: runs in a row, with the
/// machine's own drift, or in random order, without it. A family has a false alarm if any of its
/// series has a change. To measure the power, one series of a family in random order is made slower
/// in its last runs.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <string>
#include <vector>

#include "harness/history/change_points.h"
#include "harness/history/trends.h"
#include "spca/base/error.h"
#include "spca/base/random.h"

namespace {

using namespace spca;
using Series = std::vector<double>;

constexpr std::size_t kFamilies = 200;
constexpr std::size_t kPowerFamilies = 100;
constexpr std::array<std::size_t, 3> kLengths = {12, 20, 30};
constexpr std::uint64_t kSeed = 20261123;

/// Returns the logarithms of the times of each series that has every run.
std::vector<Series> whole_series(const Trends& trends) {
  std::vector<Series> all;
  for (const Trend& trend : trends.trends) {
    if (trend.is_machine && trend.points.size() == trends.runs.size()) {
      Series series;
      for (const TrendPoint& point : trend.points) {
        series.push_back(std::log(point.value));
      }
      all.push_back(std::move(series));
    }
  }
  return all;
}

Series chosen(const Series& series, const std::vector<std::size_t>& runs) {
  Series some;
  for (const std::size_t run : runs) {
    some.push_back(series[run]);
  }
  return some;
}

struct Family {
  std::vector<double> p_values;
  double level = 0;
};

Family test_family(const std::vector<Series>& all, const std::vector<std::size_t>& runs) {
  Family family;
  for (const Series& series : all) {
    family.p_values.push_back(most_different_part(chosen(series, runs)).p_value);
  }
  family.level = largest_p_value(family.p_values, kFalseShare);
  return family;
}

struct Alarms {
  std::size_t families = 0, alarmed = 0, series = 0, below_level = 0, changed = 0;
  void add(const Family& family) {
    ++families;
    alarmed += family.level > 0 ? 1 : 0;
    for (const double p_value : family.p_values) {
      ++series;
      below_level += p_value <= kFalseShare ? 1 : 0;
      changed += p_value <= family.level ? 1 : 0;
    }
  }
  void print(const char* order, std::size_t n) const {
    const auto share = [](std::size_t part, std::size_t whole) {
      return whole == 0 ? 0.0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
    };
    fmt::print(
        "{:>4} runs, {:<13} {:>4} families, {:5.1f} % with a false alarm; {:6.2f} % of series "
        "changed; {:5.1f} % with p <= 0.05\n",
        n, order, families, share(alarmed, families), share(changed, series),
        share(below_level, series));
  }
};

std::vector<std::size_t> random_runs(std::size_t all, std::size_t n, Random& random) {
  std::vector<std::size_t> runs(all);
  std::iota(runs.begin(), runs.end(), std::size_t{0});
  for (std::size_t i = 0; i < n; ++i) {
    std::swap(runs[i], runs[i + random.below(all - i)]);
  }
  runs.resize(n);
  return runs;
}

void print_alarms(const std::vector<Series>& all, std::size_t n) {
  const std::size_t count = all.front().size();
  Alarms in_a_row, in_random_order;
  for (std::size_t begin = 0; begin + n <= count; ++begin) {
    std::vector<std::size_t> runs(n);
    std::iota(runs.begin(), runs.end(), begin);
    in_a_row.add(test_family(all, runs));
  }
  Random random(kSeed);
  for (std::size_t i = 0; i < kFamilies; ++i) {
    in_random_order.add(test_family(all, random_runs(count, n, random)));
  }
  in_a_row.print("in a row:", n);
  in_random_order.print("random order:", n);
}

/// A family in random order, and the index of the series that becomes slower.
struct Draw {
  std::vector<std::size_t> runs;
  std::vector<double> p_values;
  std::size_t slower = 0;
};

/// Prints the share of draws in which the series whose last `slow` runs are slower by `factor` is
/// found.
void print_power(const std::vector<Series>& all, std::vector<Draw> draws, std::size_t slow,
                 double factor) {
  std::size_t found = 0;
  const std::size_t n = draws.front().runs.size();
  for (Draw& draw : draws) {
    Series series = chosen(all[draw.slower], draw.runs);
    for (std::size_t j = n - slow; j < n; ++j) {
      series[j] += std::log(factor);
    }
    const double p_value = most_different_part(series).p_value;
    draw.p_values[draw.slower] = p_value;
    found += p_value <= largest_p_value(draw.p_values, kFalseShare) ? 1 : 0;
  }
  fmt::print("{:>4} runs, the last {:>2} slower by {:3.0f} %: found in {:5.1f} %\n", n, slow,
             100 * (factor - 1),
             100.0 * static_cast<double>(found) / static_cast<double>(draws.size()));
  std::fflush(stdout);
}

void print_powers(const std::vector<Series>& all, std::size_t n) {
  Random random(kSeed);
  std::vector<Draw> draws;
  for (std::size_t i = 0; i < kPowerFamilies; ++i) {
    Draw draw{.runs = random_runs(all.front().size(), n, random),
              .p_values = {},
              .slower = random.below(all.size())};
    draw.p_values = test_family(all, draw.runs).p_values;
    draws.push_back(std::move(draw));
  }
  for (const std::size_t slow : {3, 5, 10}) {
    for (const double factor : {1.1, 1.3, 2.0}) {
      print_power(all, draws, slow, factor);
    }
  }
}

int measure(const std::string& file, const std::string& experiment,
            const std::vector<std::string>& metrics) {
  const Trends trends = find_trends(HistoryFile(file, SqlAccess::kExisting),
                                    {.experiment = experiment, .metrics = metrics});
  const std::vector<Series> all = whole_series(trends);
  if (all.empty()) {
    throw InputError("no series of times that every run has");
  }
  fmt::print("{} series of {} runs\n", all.size(), all.front().size());
  for (const std::size_t n : kLengths) {
    if (n <= all.front().size()) {
      print_alarms(all, n);
    }
  }
  for (const std::size_t n : kLengths) {
    if (n <= all.front().size()) {
      print_powers(all, n);
    }
  }
  return 0;
}

}  // namespace

int main(int count, char** words) {
  if (count < 3 || count > 4) {
    fmt::print(stderr, "usage: change_points_bench FILE EXPERIMENT [METRIC]\n");
    return 2;
  }
  try {
    return measure(words[1], words[2], {words + 3, words + count});
  } catch (const InputError& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 2;
  }
}
