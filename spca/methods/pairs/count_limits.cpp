#include "spca/methods/pairs/count_limits.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace spca {
namespace {

// A count that is nearer to a whole number is whole.
constexpr double kWhole = 0.02;

bool is_open(const PairConditions& conditions, Index i) {
  return conditions.least[i] < conditions.most[i];
}

}  // namespace

bool tighten(PairConditions& conditions) {
  const auto places = static_cast<double>(conditions.places);
  if (conditions.least.sum() > places) {
    return false;
  }
  if (conditions.least.sum() == places) {
    conditions.most = conditions.least;
  }
  if ((conditions.most.array() > 0).count() < conditions.r) {
    return false;
  }
  // Two supports never share one variable alone.
  if (!conditions.is_common && (conditions.most.array() > 1).count() == 1) {
    Index shared = 0;
    conditions.most.maxCoeff(&shared);
    conditions.most[shared] = 1;
    return conditions.least[shared] <= 1;
  }
  return true;
}

PairConditions fewer_of(PairConditions conditions, const CountDivision& division) {
  double& most = conditions.most[division.variable];
  most = std::min(most, conditions.is_common ? 0 : static_cast<double>(division.at_most));
  return conditions;
}

PairConditions more_of(PairConditions conditions, const CountDivision& division) {
  double& least = conditions.least[division.variable];
  least = std::max(least,
                   static_cast<double>(conditions.is_common ? conditions.r : division.at_most + 1));
  return conditions;
}

CountDivision division_of_whole(const PairConditions& conditions, const Vector& counts) {
  CountDivision best;
  double largest = -1;
  for (Index i = 0; i < counts.size(); ++i) {
    if (is_open(conditions, i) && counts[i] > largest) {
      largest = counts[i];
      best = {.variable = i,
              .at_most = static_cast<Index>(std::clamp(
                  std::round(counts[i]) - 1, conditions.least[i], conditions.most[i] - 1))};
    }
  }
  return best;
}

std::vector<CountDivision> divisions_of_parts(const PairConditions& conditions,
                                              const Vector& counts) {
  std::vector<CountDivision> divisions;
  for (Index i = 0; i < counts.size(); ++i) {
    if (!is_open(conditions, i)) {
      continue;
    }
    const double count =
        conditions.is_common ? counts[i] / static_cast<double>(conditions.r) : counts[i];
    const double below = conditions.is_common ? 0
                                              : std::clamp(std::floor(count), conditions.least[i],
                                                           conditions.most[i] - 1);
    const double part = std::clamp(count - below, 0.0, 1.0);
    if (std::min(part, 1 - part) > kWhole) {
      divisions.push_back({.variable = i, .at_most = static_cast<Index>(below), .part = part});
    }
  }
  return divisions;
}

double rule_out(PairConditions& conditions, const PairProof& proof, double bound, double target) {
  const Index p = conditions.least.size();
  const Vector of_union = proof.union_factor.size() > 0
                              ? Vector(proof.union_factor.rowwise().squaredNorm())
                              : Vector(Vector::Zero(p));
  // Only the payments depend on the limits, as long as no variable is left out of M.
  const double rest = bound - largest_payment(proof.prices, of_union, conditions);
  double largest = -std::numeric_limits<double>::infinity();
  const auto is_ruled_out = [&](const PairConditions& part) {
    const double value = rest + largest_payment(proof.prices, of_union, part);
    if (!(value <= target)) {
      return false;
    }
    largest = std::max(largest, value);
    return true;
  };
  for (Index i = 0; i < p; ++i) {
    while (is_open(conditions, i)) {
      const CountDivision lowest{i, static_cast<Index>(conditions.least[i])};
      if (!is_ruled_out(fewer_of(conditions, lowest))) {
        break;
      }
      conditions = more_of(conditions, lowest);
    }
    while (is_open(conditions, i)) {
      const CountDivision highest{i, static_cast<Index>(conditions.most[i]) - 1};
      if (!is_ruled_out(more_of(conditions, highest))) {
        break;
      }
      conditions = fewer_of(conditions, highest);
    }
  }
  return largest;
}

}  // namespace spca
