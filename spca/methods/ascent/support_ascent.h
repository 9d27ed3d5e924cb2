#pragma once

/// Good supports of cardinality k on a dense S, from many starts: what a proof of optimality begins
/// with.

#include <functional>
#include <unordered_set>

#include "spca/base/types.h"

namespace spca {

class SupportAscent {
 public:
  /// `matrix` is S, p x p, and must outlive the object; 1 <= k <= p.
  SupportAscent(const Matrix& matrix, Index k) : matrix_(matrix), k_(k) {}

  /// Truncated power steps v <- Sv on I_k(Sv) from w = Sv until the support stays, then the leading
  /// eigenvector there. Ends where it meets a support that an earlier ascent has met.
  void ascend(Vector w);
  /// lambda_max(S_II), |I| = k.
  void offer(const Support& support);
  /// Grows a support from the largest variance, each time by the variable to which the leading
  /// vector has the largest product relative to its length.
  void grow();
  /// Exchanges one variable for another while that raises the value. A pair is judged by the 2 x 2
  /// problem of the vector without the one variable and the other, a lower bound of its value; the
  /// best pairs, one for each variable of the support, are tried in that order. Ends early where
  /// `keep_going`, if given, says so before an exchange.
  void exchange(const std::function<bool(double value)>& keep_going = nullptr);
  /// All of these; ends early where `keep_going`, asked between two starts, says so.
  void search(const std::function<bool(double value)>& keep_going);

  /// lambda_max of the best support; 0 where none was offered.
  double value() const { return value_; }
  const Support& support() const { return support_; }

 private:
  struct Exchange {
    double value = 0;  // at least that of the support after it
    Index out = -1;    // place in the support
    Index in = -1;
  };
  bool take(const Support& support, double value, const Vector& vector);
  /// The best for each variable of the support, best first; `product`: S v.
  std::vector<Exchange> exchanges(const Vector& product) const;

  const Matrix& matrix_;
  Index k_;
  double value_ = 0;
  Support support_;
  Vector vector_;  // the leading eigenvector of S_II
  std::unordered_set<std::uint64_t> met_;
};

/// Of `variables` those at these positions.
Support take_from(const Support& variables, const Support& positions);
/// Where the variables of `support` stand among `variables`, both ascending; those that do not are
/// left out.
Support positions_among(const Support& variables, const Support& support);

/// The rows and columns of `support`.
Matrix principal_submatrix(const Matrix& matrix, const Support& support);

}  // namespace spca
