#pragma once

/// Several components with disjoint supports: code shared by the solvers that find them jointly.
///
///   maximise Tr(V'SV) = sum_j lambda_max(S_{I_j I_j})
///   s.t. v_j unit, supported on I_j, |I_j| <= k_j, the I_j disjoint
///
/// Source  Asteris, Papailiopoulos, Kyrillidis, Dimakis, Sparse PCA via bipartite matchings, NIPS
///         2015

#include <vector>

#include "spca/dense/assignment.h"
#include "spca/solving/solver.h"
#include "spca/spectrum/low_rank.h"

namespace spca {

/// Finds the best supports for given directions in the span of V (p x d): those of Algorithm 2 for
/// W = V C. An object must be used by one thread only.
class SpanAssignment {
 public:
  /// `factor` is V. Rows that are zero are left out, because they carry no weight.
  SpanAssignment(const Matrix& factor, std::vector<Index> capacities);

  /// Returns the supports for C = `directions`, d x r with unit columns. A row's weight in any
  /// column is at most its squared length, so only a prefix of the rows, by falling length, is
  /// examined.
  const std::vector<Support>& solve(const Matrix& directions);
  /// Returns sum_j ||(V C_j)_{I_j}||^2 of the supports that solve() returned: a lower bound on the
  /// variance that they explain on V V'.
  double value() const { return assignment_.value(); }

 private:
  std::vector<int> order_;  // the variable of each row of rows_
  Matrix rows_;             // the rows of V in descending order of length
  Vector lengths_;          // squared
  Index prefix_ = 0;        // number of rows that sufficed in the last call
  Matrix weights_;
  Assignment assignment_;
  std::vector<Support> supports_;
};

/// Stores S on the variables of learn(), so that a support is scored without the data. At most
/// kLargestKnown variables are stored; a support with any other variable is read from S each time.
class KnownSubmatrix {
 public:
  explicit KnownSubmatrix(const Covariance& covariance);

  /// Adds the variables of all supports.
  void learn(const std::vector<Support>& supports);
  /// Returns S_II. May be called from several threads at once, but not concurrently with
  /// learn().
  Matrix submatrix(const Support& support) const;
  Index known() const { return static_cast<Index>(variables_.size()); }

 private:
  void grow(Index count);

  const Covariance& covariance_;
  std::vector<int> position_;  // by variable: its row in matrix_, or -1
  Support variables_;          // by row of matrix_
  Matrix matrix_;
};

inline constexpr Index kLargestKnown = 3000;  // 72 MB

/// Fills every support up to k_j variables with the first of `candidates` that are in no support.
/// There must be enough candidates. Sorts the supports.
void fill_up(std::vector<Support>& supports, const std::vector<Index>& cardinality,
             const Support& candidates);

/// Returns the best unit component on each of the given supports. Components of equal cardinality
/// are ordered by falling variance. A support without variance gets an unused variable, so
/// that every component has unit length.
std::vector<Component> components_on(const Covariance& covariance,
                                     const std::vector<Support>& supports,
                                     const std::vector<Index>& cardinality);
/// The same order and completion as components_on(), for r given components. A component without
/// variables gets an unused variable.
std::vector<Component> components_in_order(const Covariance& covariance,
                                           std::vector<Component> components,
                                           const std::vector<Index>& cardinality);

/// Returns the leading eigenvector of V_I V_I' = (S_d)_II, I = `support`, as a component. Empty if
/// V is zero on the support.
Component best_on_sketch(const Matrix& factor, const Support& support);
/// Returns V_I c scaled to unit length: the loadings of Algorithm 2, line 6. Empty if they are
/// zero.
Component loadings_of_direction(const Matrix& factor, const Support& support, const Vector& c);

}  // namespace spca
