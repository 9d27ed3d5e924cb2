#pragma once

/// What the eigensolves of one solve leave for each other. A solver of one component asks for the
/// leading eigenpairs of S, then of S without the variables of the first component, and so on. The
/// space in which it found the one holds nearly all of the next.

#include <map>

#include "spca/algebra/all_copies.h"

namespace spca {

/// While an object of this class lives, leading_eigenpairs() of `base`, or of what is left of it
/// after remove-support, begins with what it knows, if it is called by the same thread. Of objects
/// that live at the same time the last one counts. `base` outlives it.
class EigenMemory {
 public:
  explicit EigenMemory(const Covariance& base);
  ~EigenMemory();
  EigenMemory(const EigenMemory&) = delete;
  EigenMemory& operator=(const EigenMemory&) = delete;

  /// Null if none lives in this thread.
  static EigenMemory* of_this_thread();
  /// eigenpairs_by_blocks() of the covariance from what is known of it. Keeps what it learns.
  Eigenpairs leading_eigenpairs(const Covariance& covariance, Index count, Exact exact,
                                Copies copies);
  /// Upper bounds on the eigenvalues of `base` itself that were found with all copies and exactly
  /// (Exact::kPairs), by their number.
  const std::map<Index, Vector>& values() const { return values_; }

 private:
  /// The variables that `covariance` lacks of base_, or null if it is neither base_ nor made from it
  /// by remove-support alone.
  const std::vector<Index>* lacking(const Covariance& covariance) const;
  Eigenpairs from_space(const Covariance& covariance, Index count, Exact exact, Copies copies);
  /// Makes of space_ one of S without these variables, or an empty one if they do not follow on
  /// those that it lacks.
  void follow(const std::vector<Index>& removed);

  const Covariance& base_;
  EigenMemory* outer_;
  std::vector<Index> removed_;  // which the S of space_ lacks
  KnownSpace space_;
  std::map<Index, Vector> values_;
};

}  // namespace spca
