#pragma once

/// The number of components. Two rules: eigenvalues above those of data without correlations, and
/// the error of entries that are left out.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "spca/covariance/covariance.h"

namespace spca {

/// At least this number of permutations: their largest eigenvalue is then the 95 % quantile.
inline constexpr Index kLeastPermutations = 19;

struct ComponentCountRequest {
  Index most = 10;          // largest number of components that is considered, >= 1
  Index permutations = 99;  // of the columns; 19 or more, or 0: no parallel analysis
  Index folds = 5;          // of the cross-validation; 2 or more, or 0: none
  std::uint64_t seed = 0;   // of the permutations and folds
  /// Called after each permutation and each fold.
  std::function<void()> progress = [] {};
};

/// Eigenvalues of S beside those of data whose columns are permuted.
struct ParallelAnalysis {
  std::vector<double> eigenvalues;  // of S, descending, `most` of them or min(n, p) if that is less
  std::vector<double> means;        // over the permutations, of each eigenvalue
  std::vector<double> limits;       // the 95 % quantile over the permutations
  Index permutations = 0;
  /// The number of leading eigenvalues that are all above their limits. Empty if it was not found.
  std::optional<Index> components;
  std::string without;  // the reason if there is no analysis
};

/// The error of entries left out, for 0, 1, 2 ... components.
struct LeftOutEntries {
  std::vector<double> errors;           // the error of the means alone is 1
  std::vector<double> standard_errors;  // of the mean over the folds
  std::optional<Index> best;            // the number of components of the least error
  /// The smallest number whose error is within one standard error of the least.
  std::optional<Index> one_standard_error;
  std::string without;  // the reason if there is no cross-validation
};

/// Compares the eigenvalues with those of S after the entries of each column were permuted, each
/// column by itself. If the columns are independent, an eigenvalue exceeds its limit with a
/// probability of at most 5 %. The limit is value number ceil(0.95 (permutations + 1)) of the
/// permutations in ascending order.
///
/// Source  Horn, A rationale and test for the number of factors in factor analysis, Psychometrika
///         30, 1965; permutations and the quantile as in Buja, Eyuboglu, Remarks on parallel
///         analysis, Multivariate Behavioral Research 27, 1992
ParallelAnalysis parallel_analysis(const Covariance& covariance,
                                   const ComponentCountRequest& request);

/// Predicts each entry x_ij of samples left out from the other entries of its row. The loadings P,
/// the means and the scale come from the other folds; the scores of row i come from all entries
/// but x_ij, by least squares. Neither uses x_ij. With h_j = ||row j of P||^2 the residual is
///
///   x_ij - (prediction) = (x_ij - (P P'x_i)_j) / (1 - h_j),
///
/// so that no least-squares problem is solved. A variable with h_j = 1 is a component by itself:
/// nothing predicts it but its mean. Errors are relative to that of the means.
///
/// Source  Bro, Kjeldahl, Smilde, Kiers, Cross-validation of component models: a critical look at
///         current methods, Analytical and Bioanalytical Chemistry 390, 2008 ("Eigenvector")
LeftOutEntries cross_validate_entries(const Covariance& covariance,
                                      const ComponentCountRequest& request);

}  // namespace spca
