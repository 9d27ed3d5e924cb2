/// The matrix on which no sparse encoder is good: p columns in `blocks` blocks of m = p / blocks.
/// The columns of a block are e_0 + alpha e_1, ..., e_0 + alpha e_m, with separate unit vectors for
/// each block. X is sparse, not centred, S = X'X: in each block 11' + alpha^2 I.
///
/// The best dense encoder of one component for each block loses blocks (m - 1) alpha^2. If a sparse
/// encoder has rho nonzero rows in a block, the columns of X outside these rows alone lose
/// (m - rho) (alpha^2 + alpha^2 / (rho + alpha^2)), and one component leaves (rho - 1) alpha^2 of
/// those inside. If alpha is small and the r nonzero rows of all blocks are far fewer than p, the
/// sparse encoder loses at least about 1 + blocks / r times as much as the dense one.
///
/// Source  M. Magdon-Ismail, C. Boutsidis, Optimal sparse linear encoders and sparse PCA, NIPS
///         2016, Theorem 8; the construction of C. Boutsidis, P. Drineas, M. Magdon-Ismail,
///         Near-optimal column-based matrix reconstruction, SIAM J. Comput. 43:687, 2014, section
///         9.2

#include <fmt/format.h>

#include <vector>

#include "spca/base/error.h"
#include "spca/covariance/covariance_dense.h"
#include "spca/covariance/covariance_sparse.h"
#include "spca/data/dataset.h"

namespace spca::dataset_lower_bound {
namespace {

struct LowerBoundOptions {
  Index variables = 600;
  Index blocks = 3;
  double alpha = 0.1;

  void describe(OptionVisitor& visit) {
    visit("variables", variables, "p, columns of X; a multiple of blocks", at_least(2));
    visit("blocks", blocks, "blocks that share no row: components of the best encoder",
          at_least(1));
    visit("alpha", alpha,
          "length of a column's own part; the part shared by its block has length 1", above(0));
  }
};

Dataset load_lower_bound(const LowerBoundOptions& options, const DatasetRequest&) {
  const Index width = options.variables / options.blocks;
  if (width * options.blocks != options.variables || width < 2) {
    throw InputError(fmt::format(
        "/options/blocks: found {} blocks for {} variables; accepted: a divisor that leaves two "
        "variables or more to a block",
        options.blocks, options.variables));
  }
  std::vector<Eigen::Triplet<double, int>> entries;
  for (Index block = 0; block < options.blocks; ++block) {
    const Index first_row = block * (width + 1);
    for (Index j = 0; j < width; ++j) {
      const auto column = static_cast<int>(block * width + j);
      entries.emplace_back(static_cast<int>(first_row), column, 1.0);
      entries.emplace_back(static_cast<int>(first_row + 1 + j), column, options.alpha);
    }
  }
  SparseRows data(options.variables + options.blocks, options.variables);
  data.setFromTriplets(entries.begin(), entries.end());
  return {.covariance =
              make_covariance(data.markAsRValue(), {.centered = false, .scale = Scale::kNone}),
          .variable_names = {},
          .truth = {}};
}

SPCA_DATASET("lower-bound", load_lower_bound,
             (DatasetTraits{.summary = "columns that share one direction a block, not centred",
                            .shape = "(variables + blocks) x variables",
                            .source = "Magdon-Ismail, Boutsidis, NIPS 2016, Theorem 8"}));

}  // namespace
}  // namespace spca::dataset_lower_bound
