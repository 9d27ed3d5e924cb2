#pragma once

/// Which variables can be in a support of k variables whose value exceeds one that is known, for so
/// many variables that S is not formed. All the others are eliminated. Two bounds do it, and
/// variables_to_search() says which one when.
///
/// By the relaxation for a given cardinality (cardinality_relaxation.h) of the variables of largest
/// variance, for data whose variances differ (words). If the price is no less than any other
/// variance, the h_j of the other variables are zero, so that the bound holds for all variables.
/// And every support with such a j is bounded by bound - price + S_jj: a_j a_j' takes the place of
/// h_j h_j', and one variable less is paid for.
///
/// By squares, from the columns of S:
///
///   (lambda_max(S_II) - c)^2 <= ||S_II - c I||_F^2 <= sum over I of u_j,
///   u_j = (S_jj - c)^2 + the k - 1 largest S_ij^2, i != j
///
/// which is the bound (2) of squares_tree.h with nothing chosen. It holds for every c >= 0 that is
/// at most lambda_max(S_II), and so for a c below the value that is known.
///
/// Source  this project

#include <functional>
#include <limits>
#include <memory>
#include <vector>

#include "spca/algebra/covariance.h"
#include "spca/methods/bounds/one_factor_bound.h"
#include "spca/methods/bounds/relaxation_terms.h"
#include "spca/methods/bounds/strong_block.h"
#include "spca/methods/bounds/variables_left.h"

namespace spca {

/// Of more variables than this S is not formed before an elimination. Its tables take 16 bytes an
/// entry and more.
inline constexpr Index kSearchedWhole = 1024;
/// By default at most so many variables may be left for S to be formed.
inline constexpr Index kMostSearched = 3000;

/// What certifies an elimination by the relaxation.
struct EliminationCertificate {
  /// How many variables of largest variance the points are about; 0: there is no elimination.
  Index considered = 0;
  std::vector<std::shared_ptr<const RelaxationPoint>> points;
  Support support;   // the best one that was met
  double value = 0;  // lambda_max there
  /// Points of the relaxation of all variables, by products with the data; empty: it was not taken.
  std::vector<std::shared_ptr<const RelaxationPoint>> data_points = {};
  /// Of strong_block.h.
  BlockCertificate block = {};
  /// Of one_factor_bound.h.
  OneFactorCertificate one_factor = {};
};

/// Looks for points that eliminate variables: of 150, 450 and 1350 variables of largest variance
/// until some are eliminated. considered is 0 if S has no data form (it may be indefinite then) or
/// `keep_going`, asked before each step, says so at once. `has_time` is asked within long steps.
///
/// `support`: k variables, the best known. An attempt is left out if it cannot succeed: the price
/// at the leading vector of `support` is far below the largest variance that the attempt leaves
/// aside.
EliminationCertificate find_elimination(const Covariance& covariance, Index k,
                                        const Support& support,
                                        const std::function<bool()>& keep_going,
                                        const std::function<bool()>& has_time);

/// Eliminates by the relaxation. `value` is the one that is known. Nothing is eliminated if
/// `keep_going` says no in between.
VariablesLeft eliminate_by_relaxation(const Covariance& covariance, Index k, double value,
                                      const EliminationCertificate& certificate,
                                      const std::function<bool()>& keep_going);

/// Eliminates by the certificate's data_points. `most` is as for variables_to_search().
VariablesLeft eliminate_by_data(const Covariance& covariance, Index k, double value, Index most,
                                const EliminationCertificate& certificate,
                                const std::function<bool()>& keep_going);

/// Eliminates by squares. If S is known to be positive semidefinite (data), S_ij^2 <= S_ii S_jj
/// gives a first pass from the variances alone. Then come passes over the columns of S, a block at
/// a time, O(p) columns each. `keep_going` is asked between blocks; if it says no, what is not
/// eliminated so far is returned. Ascending.
/// `shift`: c, 0 <= c < value.
Support eliminate_by_squares(const Covariance& covariance, Index k, double value, double shift,
                             const std::function<bool()>& keep_going);

/// The variables that a search has to look at: those that may be in a support better than the
/// certificate's, and those of that one. Up to kSearchedWhole variables these are all that have
/// variance. Beyond, one factor eliminates if the certificate has it, and the relaxation if that
/// leaves more than `most`. If this does too, squares eliminate, if p permits, then the block of
/// strong variables and then the relaxation of all variables, if the certificate has them.
VariablesLeft variables_to_search(const Covariance& covariance, Index k, Index most,
                                  const EliminationCertificate& certificate,
                                  const std::function<bool()>& keep_going);

/// How many entries of columns of the data may be formed if S of `most` variables may be: as many.
double most_entries(Index most);

inline constexpr Index kFirstConsidered = 150;
inline constexpr Index kMostConsidered = 1350;

}  // namespace spca
