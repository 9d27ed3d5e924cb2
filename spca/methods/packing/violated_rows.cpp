#include "spca/methods/packing/violated_rows.h"

#include <algorithm>
#include <map>
#include <set>

namespace spca {
namespace {

// Rows violated by less are not added.
constexpr double kLeastViolation = 1e-4;
// At most this number of variables, those in most supports, form the sets of three. Chosen by
// trial, not measured.
constexpr std::size_t kMostForTriples = 120;

using Taken = PackingProgram::Taken;

double violation(const SubsetRow& row, const std::vector<Taken>& taken) {
  double sum = -static_cast<double>(row.right_side());
  for (const Taken& one : taken) {
    sum += one.part * static_cast<double>(row.count(one.support));
  }
  return sum;
}

/// The variables that are in at least two supports, at most kMostForTriples of them, ascending.
Support shared_variables(const std::vector<Taken>& taken) {
  std::map<Index, Index> times;
  for (const Taken& one : taken) {
    for (const Index i : one.support) {
      ++times[i];
    }
  }
  std::erase_if(times, [](const auto& entry) { return entry.second < 2; });
  std::vector<std::pair<Index, Index>> falling;  // minus the count, and the variable
  for (const auto& [variable, count] : times) {
    falling.emplace_back(-count, variable);
  }
  std::sort(falling.begin(), falling.end());
  falling.resize(std::min(falling.size(), kMostForTriples));
  Support shared;
  for (const auto& entry : falling) {
    shared.push_back(entry.second);
  }
  std::sort(shared.begin(), shared.end());
  return shared;
}

std::vector<SubsetRow> triples_of(const Support& variables) {
  std::vector<SubsetRow> rows;
  for (std::size_t a = 0; a < variables.size(); ++a) {
    for (std::size_t b = a + 1; b < variables.size(); ++b) {
      for (std::size_t c = b + 1; c < variables.size(); ++c) {
        rows.push_back({.variables = {variables[a], variables[b], variables[c]}});
      }
    }
  }
  return rows;
}

/// The sets of variables that overlapping supports connect.
std::vector<std::set<Index>> linked_variables(const std::vector<Taken>& taken) {
  std::vector<std::set<Index>> sets;
  for (const Taken& one : taken) {
    std::set<Index> joined(one.support.begin(), one.support.end());
    std::erase_if(sets, [&](const std::set<Index>& other) {
      const bool is_linked = std::any_of(other.begin(), other.end(), [&](Index i) {
        return std::binary_search(one.support.begin(), one.support.end(), i);
      });
      if (is_linked) {
        joined.insert(other.begin(), other.end());
      }
      return is_linked;
    });
    sets.push_back(std::move(joined));
  }
  return sets;
}

std::vector<Support> clusters_of(const std::set<Index>& linked, const std::vector<Taken>& taken) {
  const Support whole(linked.begin(), linked.end());
  std::vector<Support> clusters{whole};
  for (const Index left_out : whole) {
    clusters.push_back(whole);
    std::erase(clusters.back(), left_out);
  }
  for (const Taken& one : taken) {
    std::set<Index> joined = linked;
    joined.insert(one.support.begin(), one.support.end());
    if (joined.size() > linked.size()) {
      clusters.emplace_back(joined.begin(), joined.end());
    }
  }
  return clusters;
}

}  // namespace

std::vector<SubsetRow> violated_rows(const std::vector<Taken>& taken, std::size_t max_count) {
  std::vector<SubsetRow> rows = triples_of(shared_variables(taken));
  Index largest = 0;
  for (const Taken& one : taken) {
    largest = std::max(largest, std::ssize(one.support));
  }
  for (const std::set<Index>& linked : linked_variables(taken)) {
    for (const Support& cluster : clusters_of(linked, taken)) {
      for (Index divisor = 2; divisor <= largest; ++divisor) {
        rows.push_back({.variables = cluster, .divisor = divisor});
      }
    }
  }
  std::vector<std::pair<double, SubsetRow>> violated;
  for (SubsetRow& row : rows) {
    const double by = violation(row, taken);
    if (by > kLeastViolation) {
      violated.emplace_back(by, std::move(row));
    }
  }
  std::stable_sort(violated.begin(), violated.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  violated.resize(std::min(violated.size(), max_count));
  rows.clear();
  for (auto& entry : violated) {
    rows.push_back(std::move(entry.second));
  }
  return rows;
}

}  // namespace spca
