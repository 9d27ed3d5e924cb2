#pragma once

/// A bound on the optimum of S from bounds on its blocks (covariance_blocks.h).
///
/// For v = sum of v_B over the blocks and C = S outside them, v'Sv = sum v_B'S_BB v_B + v'Cv.
/// The first is at most the largest bound of a block, because the ||v_B||^2 sum to one. The second
/// is at most the largest row sum of |C| on the support (Gershgorin).
///
/// Source  Del Pia, Zhou, Zhu, Efficient sparse PCA via block-diagonalization, ICLR 2025, Theorem 1

#include "spca/solving/solver.h"

namespace spca {

/// A block with the certificate of its solver.
struct CertifiedBlock {
  Support variables;
  std::shared_ptr<const BoundCertificate> certificate = nullptr;
  bool is_solved = false;  // by an exact solver that ended by its own rule
};

/// The solver that is run in each block, with its default options.
struct BlockSolver {
  std::string name;
  std::string where;  // the JSON pointer of the option that names it
  std::uint64_t seed = 0;

  /// Returns the solver's answer on one block, which has more than k variables.
  Solution solve(const Covariance& block, Index k, int threads, Budget& budget) const;
};

/// Certifies the bound. The check solves solved blocks again, because the flag alone proves
/// nothing, unless the row sums of a block bound it by no more than the bound so far.
std::shared_ptr<const BoundCertificate> partition_certificate(std::vector<CertifiedBlock> blocks,
                                                              BlockSolver solver);

}  // namespace spca
