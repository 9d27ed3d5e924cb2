#pragma once

/// Rows that cut off fractional optima of the linear program of disjoint supports
/// (packing_program.h).
///
/// Disjoint supports together hold at most |T| variables of a set T. Let x_I be 1 if the support I
/// is taken, otherwise 0. Then for any divisor d
///
///   sum_I floor(|I and T| / d) x_I <= floor(|T| / d)                                           (1)
///
/// For d = 2 and three variables, (1) says that at most one support holds two or more of them.
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
  Index right_side() const { return std::ssize(variables) / divisor; }
  auto operator<=>(const SubsetRow&) const = default;
};

/// The price of a row, which a support pays once for each unit of its count.
struct SubsetCharge {
  SubsetRow row;
  double charge = 0;  // >= 0
};

/// The total charge of all rows for the support.
double charge_for(const std::vector<SubsetCharge>& charges, const Support& support);

/// An upper bound on the total charge of disjoint supports.
double most_charged(const std::vector<SubsetCharge>& charges);

}  // namespace spca
