#pragma once

/// Rows that cut off fractional optima of the linear program of disjoint supports
/// (packing_program.h).
///
/// Disjoint supports hold |T| variables of a set T at most, each its part of them. So for any divisor
/// d and whole x_I,
///
///   sum_I floor(|I and T| / d) x_I <= floor(|T| / d)                                           (1)
///
/// For d = 2 and three variables it says that one support holds two of them at most.
///
/// Source  M. Jepsen, B. Petersen, S. Spoorendonk, D. Pisinger, Operations Research 56:497, 2008

#include <compare>
#include <vector>

#include "spca/base/types.h"

namespace spca {

struct SubsetRow {
  Support variables;  // T, ascending
  Index divisor = 2;  // d >= 1

  /// floor(|I and T| / d); `support` ascends.
  Index count(const Support& support) const;
  /// floor(|T| / d)
  Index most() const { return std::ssize(variables) / divisor; }
  auto operator<=>(const SubsetRow&) const = default;
};

/// The price of a row: what a support pays for each that it counts.
struct SubsetCharge {
  SubsetRow row;
  double charge = 0;  // >= 0
};

/// What the support pays for all rows.
double charge_for(const std::vector<SubsetCharge>& charges, const Support& support);

/// What no disjoint supports pay more than, together.
double most_charged(const std::vector<SubsetCharge>& charges);

}  // namespace spca
