#pragma once

/// Local search for sparse orthogonal components on a dense matrix S of moderate size. Supports may
/// overlap.
///
///   maximise tr(U'SU)   s.t.  u_t unit with support in I_t, |I_t| = k_t, u_s'C u_t = 0 for s < t
///
/// C is I (orthogonal loadings) or S (uncorrelated scores), or both conditions are required.
///
/// Ascent on fixed supports
///   Blocks: with the others fixed, u_t is the leading eigenvector of S on I_t, projected off the
///   restrictions (C u_s)_{I_t}. Blocks alone get stuck: of two components that share two
///   variables, neither can turn there while the other is fixed. So Newton steps follow on all
///   components that are coupled, on the manifold of the constraints. The Hessian of the Lagrangian
///   is projected on the tangent space, and its eigenvalues count by their absolute values, so that
///   each step ascends. A step is followed by Newton steps back to the constraints.
///
/// Exchange
///   Replaces a variable of a support by another. The value is estimated on (I - QQ')S(I - QQ'),
///   with Q a basis of the C u_s of the other components, as support_exchange.h does for one
///   component. The exchanges of largest estimate are tried first.
///
/// Restart
///   Drops a component and searches for a new support on the same matrix.
///
/// Source  the problem: Cory-Wright, Pauphilet, Sparse PCA with multiple components, Operations
///         Research 2026; the search is this project's

#include <functional>
#include <vector>

#include "spca/base/random.h"
#include "spca/base/types.h"
#include "spca/solving/solver.h"

namespace spca {

/// Supports of k_t variables, and the loadings on them.
struct OrthogonalComponents {
  std::vector<Support> supports;  // r
  Matrix loadings;                // U, m x r; zero outside the supports
  double value = 0;               // tr(U'SU)

  double total() const { return value; }
  bool is_empty() const { return supports.empty(); }
};

/// Returns `state`, whose supports are positions among the variables `before`, with positions among
/// `after`, which contains the variables of all supports. Both lists are in ascending order.
OrthogonalComponents moved(const OrthogonalComponents& state, const Support& before,
                           const Support& after);

/// Several threads may share an object.
class OrthogonalSearch {
 public:
  /// `matrix` is S, m x m, and must outlive the search; 1 <= k_t <= m, r <= m.
  OrthogonalSearch(const Matrix& matrix, std::vector<Index> cardinality, Orthogonality asked);

  /// Returns loadings on the supports that satisfy the constraints up to rounding, after an ascent
  /// from `near` (m x r); a column of zeros there gives no start for its component. Supports with
  /// fewer than k_t variables are filled up with those of largest |S u| or variance. Empty if no
  /// such loadings were found.
  OrthogonalComponents evaluate(std::vector<Support> supports, const Matrix& near) const;
  /// Makes exchanges, each with an ascent, until none that is tried raises the value. `keep_going`
  /// is called before each round; false stops.
  void exchange(OrthogonalComponents& state,
                const std::function<bool(double value)>& keep_going) const;
  /// Searches for component t again, starting from every variable. Returns whether the value rises.
  bool restart(OrthogonalComponents& state, Index t) const;
  /// Finds one component after the other, each on the remainder of S after those before.
  OrthogonalComponents by_deflation() const;
  /// The same as by_deflation(), from random directions.
  OrthogonalComponents drawn(Random& random) const;
  /// Returns `state` with one or two components replaced from random directions, or some members
  /// changed.
  OrthogonalComponents perturbed(const OrthogonalComponents& state, Random& random) const;

 private:
  struct Surrogate;
  struct Constraints;
  Index components() const { return std::ssize(cardinality_); }
  OrthogonalComponents evaluate(std::vector<Support> supports, const Matrix& near, Index last,
                                double floor) const;
  Matrix restrictions(const OrthogonalComponents& state, Index t,
                      const std::vector<Index>& others) const;
  Surrogate surrogate(const Matrix& loadings, Index t) const;
  Support sought(const Surrogate& surrogate, Index t, Random& random) const;
  void fill_up(Support& support, const Vector& near, Index k) const;
  bool make_feasible(OrthogonalComponents& state, const std::vector<Index>& order) const;
  Vector leading_on(const Support& support, const Matrix& basis) const;
  void measure(OrthogonalComponents& state) const;
  void sweep(OrthogonalComponents& state) const;
  std::vector<Index> coupled(const OrthogonalComponents& state) const;
  Constraints constraints(const OrthogonalComponents& state, const std::vector<Index>& which) const;
  bool newton_step(OrthogonalComponents& state, const std::vector<Index>& which) const;
  bool restore(OrthogonalComponents& state, const std::vector<Index>& which) const;
  void climb(OrthogonalComponents& state, double floor) const;

  const Matrix& matrix_;
  std::vector<Index> cardinality_;
  Orthogonality asked_;
  double scale_ = 1;          // the largest |S_jj|
  std::vector<Index> order_;  // components in ascending order of cardinality
};

}  // namespace spca
