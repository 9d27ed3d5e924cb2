/// Batch sparse linear encoder: r components on k common rows, deterministic.
///
/// Problem  minimise ||X - XH(XH)^+X||_F^2  s.t. H'H = I, H has at most k nonzero rows
/// Step     choose k columns C of X, then H = rows J of U in R^{-1}(Q'X)_r = U D T', C = QR: the
///          encoder of least loss on the rows J (linear_encoder.h). The columns come from the
///          deterministic dual-set sparsification (dual_set.h) unless `columns` says otherwise
/// Start    the r leading eigenvectors of S
/// Stops    after k columns
/// Cost     r eigenpairs; O(p r^2) a column; k columns of S and O(p k^2) for the encoder
/// Source   Magdon-Ismail, Boutsidis, Optimal sparse linear encoders and sparse PCA, NIPS 2016:
///          Theorems 5 and 6 (i), the algorithm that their section 4 runs as "Batch". Its k is our
///          r, its sparsity r our k. Loss at most (1 + (1 - sqrt(r/k))^{-2}) ||X - X_r||_F^2
/// Differs  it works on S alone as well. Columns that depend on one another are accepted; the paper
///          requires full rank. k = r is solved, though the theorem does not cover it. If the
///          sparsification chooses a column twice, columns of large leverage fill the free places:
///          more columns cannot lose more

#include "spca/methods/encoders/encoder_problem.h"

namespace spca::solver_encoder_batch {
namespace {

struct EncoderBatchOptions {
  std::string columns = "dual-set";

  void describe(OptionVisitor& visit) {
    visit("columns", columns, "how the columns of X are chosen",
          {"dual-set", "pivoted-qr", "leverage", "greedy", "exchange"});
  }
};

Solution solve_batch(const Problem& problem, const EncoderBatchOptions& options, Budget& budget) {
  return solve_encoder_batch(problem, options.columns, budget);
}

SPCA_SOLVER("encoder-batch", solve_batch,
            (Traits{.summary = "sparse linear encoder of small loss on k common rows",
                    .problem = "min ||X - XH(XH)^+X||_F^2  s.t. H'H = I, k nonzero rows",
                    .source = "Magdon-Ismail, Boutsidis, NIPS 2016",
                    .multiple_components = true,
                    .laws = {"theorem5_slack", "eckart_young_slack"},
                    .semidefinite = kEncodersNeedData}));

}  // namespace
}  // namespace spca::solver_encoder_batch
