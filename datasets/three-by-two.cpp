/// A covariance of rank 2 on three variables, small enough that one figure shows all supports in
/// the span of its eigenvectors: S = V V' with
///
///   V' = [ 1.0  0.9 -0.5 ]
///        [ 0.4 -0.5  0.8 ]
///
/// The three curves |V_i c(phi)|, where V_i is row i of V, c(phi) = (cos phi, sin phi) and phi is
/// in [0, pi), meet in 2 C(3, 2) = 6 points. Each of the three pairs and of the three single
/// variables is the best one for some phi.
/// Source  Figure 1 of D. Papailiopoulos, A. Dimakis, S. Korokythakis, ICML 2013, draws a random
///         3 x 2 matrix that is not printed; this one is made for the same purpose

#include "spca/covariance/covariance_explicit.h"
#include "spca/data/dataset.h"
#include "spca/dense/dense_products.h"

namespace spca::dataset_three_by_two {
namespace {

Dataset load_three_by_two(const NoOptions&, const DatasetRequest&) {
  const Matrix factor = (Matrix(3, 2) << 1.0, 0.4, 0.9, -0.5, -0.5, 0.8).finished();
  return {.covariance = make_explicit_covariance(product_transposed(factor, factor)),
          .variable_names = {},
          .truth = {}};
}

SPCA_DATASET("three-by-two", load_three_by_two,
             (DatasetTraits{.summary = "rank 2 on three variables, for a figure; built in",
                            .shape = "3 x 3 covariance",
                            .source = "after Papailiopoulos, Dimakis, Korokythakis, ICML 2013, "
                                      "Figure 1"}));

}  // namespace
}  // namespace spca::dataset_three_by_two
