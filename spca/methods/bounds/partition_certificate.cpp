#include "spca/methods/bounds/partition_certificate.h"

#include <algorithm>
#include <limits>

#include "spca/covariance/submatrix_covariance.h"
#include "spca/dense/dense_decompositions.h"
#include "spca/methods/bounds/covariance_blocks.h"
#include "spca/solving/nested_solver.h"

namespace spca {
namespace {

class PartitionCertificate final : public BoundCertificate {
 public:
  PartitionCertificate(std::vector<CertifiedBlock> blocks, BlockSolver solver)
      : blocks_(std::move(blocks)), solver_(std::move(solver)) {}

 protected:
  double do_check(const Covariance& covariance, Index k, Budget& budget) const override {
    const Index p = covariance.variables();
    std::vector<Index> owner(static_cast<std::size_t>(p));
    for (Index i = 0; i < p; ++i) {
      owner[static_cast<std::size_t>(i)] = -1 - i;  // a block of one variable
    }
    double bound = covariance.diagonal().maxCoeff();
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      for (const Index i : blocks_[b].variables) {
        if (i < 0 || i >= p || owner[static_cast<std::size_t>(i)] >= 0) {
          return std::numeric_limits<double>::infinity();  // not a partition
        }
        owner[static_cast<std::size_t>(i)] = static_cast<Index>(b);
      }
    }
    for (const CertifiedBlock& block : blocks_) {
      if (!budget.next()) {
        return std::numeric_limits<double>::infinity();
      }
      bound = std::max(bound, bound_of(covariance, block, k, bound, budget));
    }
    return bound + remainder_bound(covariance, owner, k, budget);
  }

 private:
  /// A bound of the block, or `enough` if that is one.
  double bound_of(const Covariance& covariance, const CertifiedBlock& block, Index k, double enough,
                  Budget& budget) const {
    if (std::ssize(block.variables) <= k) {
      return symmetric_eigenvalues(covariance.submatrix(block.variables)).maxCoeff();
    }
    const SubmatrixCovariance part(covariance, block.variables);
    const double simple = row_sum_bound(part, k);
    if (simple <= enough) {
      return enough;
    }
    if (block.is_solved) {
      const Solution again = solver_.solve(part, k, 1, budget);
      return again.status == Status::kConverged && again.components.size() == 1
                 ? part.quadratic_form(again.components[0])
                 : simple;
    }
    return block.certificate == nullptr
               ? simple
               : std::min(simple, block.certificate->check(part, k, budget));
  }

  std::vector<CertifiedBlock> blocks_;
  BlockSolver solver_;
};

}  // namespace

Solution BlockSolver::solve(const Covariance& block, Index k, int threads, Budget& budget) const {
  return run_nested_solver(
      Problem{.covariance = block, .cardinality = {k}, .seed = seed, .threads = threads}, name, {},
      {k}, where, budget);
}

std::shared_ptr<const BoundCertificate> partition_certificate(std::vector<CertifiedBlock> blocks,
                                                              BlockSolver solver) {
  return std::make_shared<PartitionCertificate>(std::move(blocks), std::move(solver));
}

}  // namespace spca
