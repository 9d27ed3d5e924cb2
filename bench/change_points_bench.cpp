/// How often the test of `spca history` calls unchanged code changed, and how often it finds code
/// that became slower. From real times: FILE is a history of many runs of one build.
///
///   build/release/bench/change_points_bench FILE EXPERIMENT
///
/// A family is the time series of all cell groups over some of the runs: runs in a row, with the
/// machine's own drift, or in random order, without it. A family has a false alarm if any of its
/// series has a change. For the power one series of a family in random order becomes slower in its
/// last runs.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
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
constexpr std::uint64_t kSeed = 20261123;

/// Series that have every run: logarithms of times.
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

/// The share of series that are found to be slower by `factor` in their last `slow` of n runs.
void print_power(const std::vector<Series>& all, std::size_t n, std::size_t slow, double factor) {
  Random random(kSeed);
  std::size_t found = 0;
  for (std::size_t i = 0; i < kFamilies; ++i) {
    const std::vector<std::size_t> runs = random_runs(all.front().size(), n, random);
    Family family = test_family(all, runs);
    const std::size_t slower = random.below(all.size());
    Series series = chosen(all[slower], runs);
    for (std::size_t j = n - slow; j < n; ++j) {
      series[j] += std::log(factor);
    }
    family.p_values[slower] = most_different_part(series).p_value;
    family.level = largest_p_value(family.p_values, kFalseShare);
    found += family.p_values[slower] <= family.level ? 1 : 0;
  }
  fmt::print("{:>4} runs, the last {:>2} slower by {:3.0f} %: found in {:5.1f} %\n", n, slow,
             100 * (factor - 1), 100.0 * static_cast<double>(found) / kFamilies);
}

int measure(const std::string& file, const std::string& experiment) {
  const Trends trends =
      find_trends(HistoryFile(file, SqlAccess::kExisting), {.experiment = experiment});
  const std::vector<Series> all = whole_series(trends);
  if (all.empty()) {
    throw InputError("no series of times that every run has");
  }
  fmt::print("{} series of {} runs\n", all.size(), all.front().size());
  for (const std::size_t n : {12, 20, 30}) {
    if (n <= all.front().size()) {
      print_alarms(all, n);
    }
  }
  for (const std::size_t n : {12, 20, 30}) {
    for (const std::size_t slow : {3, 5, 10}) {
      for (const double factor : {1.1, 1.3, 2.0}) {
        if (n <= all.front().size() && 2 * slow <= n + 8) {
          print_power(all, n, slow, factor);
        }
      }
    }
  }
  return 0;
}

}  // namespace

int main(int count, char** words) {
  if (count != 3) {
    fmt::print(stderr, "usage: change_points_bench FILE EXPERIMENT\n");
    return 2;
  }
  try {
    return measure(words[1], words[2]);
  } catch (const InputError& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 2;
  }
}
