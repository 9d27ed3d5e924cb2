#pragma once

/// Good supports of cardinality k on a dense S, from many starts: the starting point of a proof of
/// optimality.

#include <functional>
#include <unordered_set>

#include "spca/base/types.h"
#include "spca/methods/ascent/support_exchange.h"

namespace spca {

class SupportAscent {
 public:
  /// `matrix` is S, p x p, and must outlive the object; 1 <= k <= p.
  SupportAscent(const Matrix& matrix, Index k) : matrix_(matrix), k_(k) {}

  /// Takes truncated power steps v <- Sv on I_k(Sv) from w = Sv until the support does not change,
  /// at most kMostAscentSteps, then computes the leading eigenvector there, and continues from it
  /// if it is the best so far. Stops at a support that was reached before.
  void ascend(Vector w);
  /// Scores a support by lambda_max(S_II), |I| = k, and stores it if it is the best.
  void consider(const Support& support);
  /// Grows a support from the largest variance: each step adds the variable j of largest |(Sv)_j|,
  /// v the leading vector so far. An ascent follows.
  void grow();
  /// Exchanges one variable for another as long as that raises the value; an ascent follows each
  /// exchange. A pair is scored by a lower bound on its value: the 2 x 2 problem of the vector
  /// without the one variable, and of the other. At most kMostExchangesTried of the best pairs, one
  /// for each variable of the support, are tried, best first. `keep_going`, if given, is called
  /// before an exchange; false stops the search.
  void exchange(const std::function<bool(double value)>& keep_going = nullptr);
  /// Runs all of these. `keep_going` is called between two starts; false stops the search.
  void search(const std::function<bool(double value)>& keep_going);

  /// lambda_max of the best support, or 0 if none was considered.
  double value() const { return value_; }
  const Support& support() const { return support_; }

 private:
  bool set_if_better(const Support& support, double value, const Vector& vector);
  /// Returns the best exchange for each variable of the support, best first. `product` is S v.
  std::vector<SupportExchange> exchanges(const Vector& product) const;

  const Matrix& matrix_;
  Index k_;
  double value_ = 0;
  Support support_;
  Vector vector_;  // the leading eigenvector of S_II
  std::unordered_set<std::uint64_t> met_;
};

/// Returns the elements of `variables` at these positions.
Support members_at(const Support& variables, const Support& positions);
/// Returns the positions of the variables of `support` among `variables`; both ascend. Variables
/// that are not among them are omitted.
Support positions_among(const Support& variables, const Support& support);

/// Adds the smallest numbers from 0 on that are missing among the positions (ascending) until there
/// are k positions. Further variables cannot lower the value of a support.
Support filled_up(Support positions, Index k);

/// Returns the rows and columns of `support`.
Matrix principal_submatrix(const Matrix& matrix, const Support& support);

}  // namespace spca
