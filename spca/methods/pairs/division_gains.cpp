#include "spca/methods/pairs/division_gains.h"

#include <algorithm>
#include <cmath>

namespace spca {
namespace {

// A count that moves by less counts as this move, so that its gain by 1 is not overestimated.
constexpr double kLeastMove = 0.1;
// The mean gain counts as this number of earlier gains: with one, a tree of few nodes follows its
// first gains too far (bench/notes/2026-11-30-division-gains.md).
constexpr double kWeightOfMean = 4;
// An expected gain is at least this share of the mean gain: a product with zero ranks nothing.
constexpr double kLeastShare = 1e-6;

}  // namespace

DivisionGains::DivisionGains(Index p, Index r)
    : fewer_{.sums = Matrix::Zero(p, r), .numbers = Matrix::Zero(p, r)}, more_(fewer_) {}

void DivisionGains::add(const CountDivision& division, bool is_fewer, double gain) {
  const double move = is_fewer ? division.part : 1 - division.part;
  Part& part = is_fewer ? fewer_ : more_;
  part.sums(division.variable, division.at_most) += gain / std::max(move, kLeastMove);
  part.numbers(division.variable, division.at_most) += 1;
}

double DivisionGains::Part::mean() const {
  const double sum = sums.sum();
  return sum > 0 ? sum / numbers.sum() : 1;
}

double DivisionGains::Part::expected(const CountDivision& division, double prior) const {
  const double sum = sums(division.variable, division.at_most);
  const double number = numbers(division.variable, division.at_most);
  return (sum + kWeightOfMean * prior) / (number + kWeightOfMean);
}

CountDivision DivisionGains::choose(const std::vector<CountDivision>& divisions,
                                    const Vector& sizes) const {
  CountDivision best;
  if (divisions.empty()) {
    return best;
  }
  const double mean_size = sizes.mean();
  const double of_fewer = fewer_.mean();
  const double of_more = more_.mean();
  double largest = 0;
  for (Index i = 0; i < std::ssize(divisions); ++i) {
    const CountDivision& one = divisions[static_cast<std::size_t>(i)];
    // The root, so that the product of both gains grows as the size.
    const double size = mean_size > 0 ? std::sqrt(sizes[i] / mean_size) : 1;
    const double score =
        std::max(one.part * fewer_.expected(one, of_fewer * size), kLeastShare * of_fewer) *
        std::max((1 - one.part) * more_.expected(one, of_more * size), kLeastShare * of_more);
    if (score > largest) {
      largest = score;
      best = one;
    }
  }
  return best;
}

}  // namespace spca
