#pragma once

/// How much earlier divisions by each count lowered the bounds of their parts. The next division is
/// the one that promises most.
///
/// Source  the gains: M. Benichou, J. M. Gauthier, P. Girodet, G. Hentges, G. Ribiere, O. Vincent,
///         Mathematical Programming 1, 1971; their product: T. Achterberg, Constraint Integer
///         Programming, TU Berlin, 2007, section 5.3

#include <vector>

#include "spca/base/types.h"
#include "spca/methods/pairs/count_limits.h"

namespace spca {

class DivisionGains {
 public:
  /// For p variables and r components. There are no gains yet.
  DivisionGains(Index p, Index r);

  /// Adds the gain of a part of a division: how far its bound is below that of the whole, >= 0.
  void add(const CountDivision& division, bool is_fewer, double gain);

  /// Returns the division with the largest product of the gains expected of its two parts, and
  /// variable -1 if there are no divisions. The mean gain counts as some earlier gains, and more
  /// for a variable with larger loadings. `sizes`: of the loadings of each division's variable,
  /// >= 0.
  CountDivision choose(const std::vector<CountDivision>& divisions, const Vector& sizes) const;

 private:
  /// Sums and numbers of the gains of parts "fewer", or "more", p x r: of a variable and an
  /// at_most. A gain is that of a count which moves by 1.
  struct Part {
    Matrix sums;
    Matrix numbers;

    double mean() const;
    double expected(const CountDivision& division, double prior) const;
  };

  Part fewer_;
  Part more_;
};

}  // namespace spca
