#pragma once

/// A space of vectors that the eigensolves of one solve share. A solver of one component asks for
/// the leading eigenpairs of S, then of S without the variables of the first component, and so on.
/// The space that contains the pairs of one of these matrices nearly contains those of the next.

#include <map>

#include "spca/spectrum/all_copies.h"

namespace spca {

/// While an object of this class lives, leading_eigenpairs() of `base`, or of `base` after
/// remove-support, starts from the stored space if it is called by the same thread. If several
/// objects live at the same time, the last one counts. `base` must outlive the object.
class EigenMemory {
 public:
  explicit EigenMemory(const Covariance& base);
  ~EigenMemory();
  EigenMemory(const EigenMemory&) = delete;
  EigenMemory& operator=(const EigenMemory&) = delete;

  /// The latest object of this thread, or null.
  static EigenMemory* of_this_thread();
  /// Returns eigenpairs_by_blocks() of the covariance, started from the stored space, which is
  /// updated.
  Eigenpairs leading_eigenpairs(const Covariance& covariance, Index count, Exact exact,
                                Copies copies);
  /// Upper bounds on the eigenvalues of `base` itself from solves with Exact::kPairs and
  /// Copies::kAll; the key is the number of eigenvalues.
  const std::map<Index, Vector>& values() const { return values_; }

 private:
  /// Returns the variables of base_ that `covariance` lacks, or null if it is neither base_ nor
  /// derived from base_ by remove-support only.
  const std::vector<Index>* lacking(const Covariance& covariance) const;
  Eigenpairs from_space(const Covariance& covariance, Index count, Exact exact, Copies copies);
  /// Turns space_ into a space of S without the variables `removed`. Empties it if `removed` does
  /// not begin with the variables that the S of space_ lacks.
  void follow(const std::vector<Index>& removed);

  const Covariance& base_;
  EigenMemory* outer_;
  std::vector<Index> removed_;  // variables that the S of space_ lacks
  KnownSpace space_;
  std::map<Index, Vector> values_;
};

}  // namespace spca
