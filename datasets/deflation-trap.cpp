/// The example of Asteris et al. on which finding one component after the other goes wrong. The
/// best first component of two variables has variables 1 and 4, but the best two components
/// together have one of these each.
///
///       [ 1        0      0      epsilon ]      deflation: {1, 4}, {2, 3}: 1 + epsilon + delta
///   S = [ 0        delta  0      0       ]      jointly:   {1, 2}, {3, 4}: 2
///       [ 0        0      delta  0       ]
///       [ epsilon  0      0      1       ]      epsilon + delta < 1
///
/// Source  Asteris, Papailiopoulos, Kyrillidis, Dimakis, Sparse PCA via bipartite matchings, NIPS
///         2015, section 7 of the supplement

#include <fmt/format.h>

#include "spca/base/error.h"
#include "spca/covariance/covariance_explicit.h"
#include "spca/data/dataset.h"

namespace spca::dataset_deflation_trap {
namespace {

struct DeflationTrapOptions {
  double epsilon = 0.01;
  double delta = 0.01;

  void describe(OptionVisitor& visit) {
    visit("epsilon", epsilon, "covariance of the first and the last variable", above(0));
    visit("delta", delta, "variance of the two other variables", above(0));
  }
};

Dataset load_deflation_trap(const DeflationTrapOptions& options, const DatasetRequest&) {
  if (!(options.epsilon + options.delta < 1)) {
    throw InputError(
        fmt::format("/options: epsilon {} and delta {} add up to {}; accepted: less than 1",
                    options.epsilon, options.delta, options.epsilon + options.delta));
  }
  Matrix s = Matrix::Zero(4, 4);
  s.diagonal() << 1, options.delta, options.delta, 1;
  s(0, 3) = s(3, 0) = options.epsilon;
  return {.covariance = make_explicit_covariance(std::move(s)), .variable_names = {}, .truth = {}};
}

SPCA_DATASET("deflation-trap", load_deflation_trap,
             (DatasetTraits{.summary = "four variables on which deflation gets half of the optimum",
                            .shape = "4 x 4",
                            .source = "Asteris, Papailiopoulos, Kyrillidis, Dimakis, NIPS 2015"}));

}  // namespace
}  // namespace spca::dataset_deflation_trap
