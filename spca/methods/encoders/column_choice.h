#pragma once

/// Ways to choose k columns of X for a linear encoder (linear_encoder.h).
///
/// Sources  Boutsidis, Drineas, Magdon-Ismail, SIAM J. Computing 43(2), 2014 (dual-set, adaptive);
///          Deshpande, Rademacher, Vempala, Wang, Theory of Computing 2, 2006 (adaptive sampling);
///          Businger, Golub, Numerische Mathematik 7, 1965 (pivoted-qr); Papailiopoulos,
///          Kyrillidis, Boutsidis, KDD 2014 (leverage); the exact greedy choice and exchange are
///          ours (encoder_search.h)

#include <string>

#include "spca/algebra/eigenpairs.h"
#include "spca/base/options.h"
#include "spca/solving/budget.h"

namespace spca {

/// dual-set    the deterministic sparsification of dual_set.h on the r leading eigenvectors and
///             what they leave of each column: Theorem 6 (i). For k = r, of which it says nothing,
///             the pivots of a QR factorisation of the eigenvectors' rows
/// adaptive    4r columns by dual-set, the other k - 4r drawn with probabilities proportional to
///             the squared length that those leave of a column: Theorem 6 (ii), which needs 5r < k;
///             for smaller k all are chosen by dual-set
/// pivoted-qr  the pivots of a QR factorisation of X
/// leverage    the rows of largest norm of the r leading eigenvectors
/// greedy      one column after the other, each the one that lowers the loss most
/// exchange    dual-set, then exchange of single columns until none lowers the loss
extern const Choices kColumnChoices;

struct ColumnChoice {
  std::string method;
  Index components = 1;  // r <= k
  Index k = 1;
  std::uint64_t seed = 0;  // of adaptive
  int threads = 1;
};

/// Distinct columns of positive variance, in the order of their choice: k of them, or all there
/// are; greedy and exchange take fewer (but r, if there are) where more add no direction.
/// `leading`: the r leading eigenpairs of S. Where time runs out, rows of large leverage fill up.
std::vector<Index> choose_columns(const Covariance& covariance, const Eigenpairs& leading,
                                  const ColumnChoice& choice, Budget& budget);

Support sorted(std::vector<Index> columns);

}  // namespace spca
