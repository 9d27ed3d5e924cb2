#pragma once

/// Ways to choose k columns of X for a linear encoder (linear_encoder.h).
///
/// Sources
///   dual-set, adaptive    Boutsidis, Drineas, Magdon-Ismail, SIAM J. Computing 43(2), 2014
///   adaptive sampling     Deshpande, Rademacher, Vempala, Wang, Theory of Computing 2, 2006
///   pivoted-qr            Businger, Golub, Numerische Mathematik 7, 1965
///   leverage              Papailiopoulos, Kyrillidis, Boutsidis, KDD 2014
///   greedy, exchange      this project's, exact on the loss (encoder_search.h)

#include <string>

#include "spca/base/options.h"
#include "spca/solving/budget.h"
#include "spca/spectrum/eigenpairs.h"

namespace spca {

/// The names of the methods:
///
///   dual-set    The deterministic sparsification of dual_set.h, on the r leading eigenvectors and
///               the residual of each column after them: Theorem 6 (i). It does not cover k = r;
///               then the pivots of a QR factorisation of the eigenvectors' rows are taken.
///   adaptive    4r columns by dual-set. The other k - 4r are drawn with probabilities proportional
///               to the squared length of each column's residual after the first: Theorem 6 (ii),
///               which needs 5r < k. For smaller k all are chosen by dual-set.
///   pivoted-qr  The pivots of a QR factorisation of X.
///   leverage    The rows of largest norm of the r leading eigenvectors.
///   greedy      One column after the other, each the one that lowers the loss most.
///   exchange    dual-set, then exchange of single columns until none lowers the loss.
extern const Choices kColumnChoices;

struct ColumnChoice {
  std::string method;
  Index components = 1;  // r <= k
  Index k = 1;
  std::uint64_t seed = 0;  // for adaptive
  int threads = 1;
};

/// Returns distinct columns of positive variance, in the order of their choice: k of them, or all
/// there are. greedy and exchange return fewer (but r, if there are) if more add no direction.
/// `leading` holds the r leading eigenpairs of S. If a method finds too few columns, or time runs
/// out, those of largest leverage are added.
std::vector<Index> choose_columns(const Covariance& covariance, const Eigenpairs& leading,
                                  const ColumnChoice& choice, Budget& budget);

/// Returns the columns in ascending order.
Support sorted(std::vector<Index> columns);

}  // namespace spca
