#pragma once

/// The state of a solve that functions below a solver find without a parameter.

#include <map>

#include "spca/base/parallel.h"
#include "spca/covariance/held_submatrix.h"
#include "spca/spectrum/eigen_memory.h"

namespace spca {

/// The state that all solver calls of one solve share. While an object of this class lives,
/// functions that its thread calls find the number of threads that they may use
/// (allowed_threads()), the space from which eigensolves of S start (EigenMemory), and the latest
/// large submatrix of S (HeldSubmatrix). If several objects live at the same time, the last one
/// counts.
class SolveContext {
 public:
  /// `covariance` must outlive the object; threads >= 1.
  SolveContext(const Covariance& covariance, int threads)
      : threads_(threads), eigenpairs_(covariance), submatrix_(covariance) {}

  /// Returns EigenMemory::values(): upper bounds on the leading eigenvalues of S, by their number.
  const std::map<Index, Vector>& eigenvalues() const { return eigenpairs_.values(); }

 private:
  ThreadAllowance threads_;
  EigenMemory eigenpairs_;
  HeldSubmatrix submatrix_;
};

}  // namespace spca
