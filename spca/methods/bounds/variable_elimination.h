#pragma once

/// Determines which variables can be in a support of k variables whose value exceeds a known one,
/// for more variables than S can be formed for. All the others are eliminated, by the bounds below;
/// variables_to_search() describes their order.
///
/// By the relaxation for a given cardinality (cardinality_relaxation.h) of the variables of largest
/// variance, for data whose variances differ (words). If the price is at least every other
/// variance, the h_j of the other variables are zero, so the bound holds for all variables.
/// And every support with such a j is bounded by bound - price + S_jj: a_j a_j' replaces h_j h_j',
/// and the price is paid for one variable less.
///
/// By squares, from the columns of S:
///
///   (lambda_max(S_II) - c)^2 <= ||S_II - c I||_F^2 <= sum over I of u_j,
///   u_j = (S_jj - c)^2 + the k - 1 largest S_ij^2, i != j
///
/// which is the bound (2) of squares_tree.h without chosen variables. It holds for every c >= 0
/// that is at most lambda_max(S_II), and so for a c below the known value. For dense data of many
/// variables the squares are bounds in single precision (dense_squares.h).
///
/// Source  this project

#include <functional>
#include <limits>
#include <memory>
#include <vector>

#include "spca/covariance/covariance.h"
#include "spca/methods/bounds/one_factor_bound.h"
#include "spca/methods/bounds/strong_block.h"
#include "spca/methods/bounds/variables_left.h"
#include "spca/methods/relaxations/relaxation_terms.h"

namespace spca {

// The limits of effort below were chosen by trial, not measured.

/// At most this number of variables are searched without elimination. The tables of S take 16 bytes
/// and more for each entry.
inline constexpr Index kSearchedWhole = 1024;
/// At most this number of variables may remain for S to be formed, by default.
inline constexpr Index kMostSearched = 3000;

/// The certificate of an elimination.
struct EliminationCertificate {
  /// Number of variables of largest variance that the points refer to; 0: there is no elimination.
  Index considered = 0;
  std::vector<std::shared_ptr<const RelaxationPoint>> points;
  Support support;   // the best support found
  double value = 0;  // lambda_max there
  /// Points of the relaxation of all variables, by products with the data; empty if it was not
  /// used.
  std::vector<std::shared_ptr<const RelaxationPoint>> data_points = {};
  /// The certificate of strong_block.h.
  BlockCertificate block = {};
  /// The certificate of one_factor_bound.h.
  OneFactorCertificate one_factor = {};
};

/// Searches for points that eliminate variables: of 150, 450 and 1350 variables of largest variance
/// until some are eliminated. considered is 0 if S has no data form (it may be indefinite then) or
/// if `keep_going`, called before each step, returns false at once. `has_time` is called within
/// long steps.
///
/// `support`: k variables, the best known. An attempt is skipped if it cannot succeed: the price at
/// the leading vector of `support` is far below the largest variance outside the attempt.
EliminationCertificate find_elimination(const Covariance& covariance, Index k,
                                        const Support& support,
                                        const std::function<bool()>& keep_going,
                                        const std::function<bool()>& has_time);

/// Eliminates by the relaxation. `value` is the known value. Nothing is eliminated if `keep_going`
/// returns false in between.
VariablesLeft eliminate_by_relaxation(const Covariance& covariance, Index k, double value,
                                      const EliminationCertificate& certificate,
                                      const std::function<bool()>& keep_going);

/// Eliminates by the certificate's data_points. `max_variables` is as for variables_to_search().
VariablesLeft eliminate_by_data(const Covariance& covariance, Index k, double value,
                                Index max_variables, const EliminationCertificate& certificate,
                                const std::function<bool()>& keep_going);

/// Eliminates by squares. If S is known to be positive semidefinite (data), S_ij^2 <= S_ii S_jj
/// gives a first pass from the variances alone. Then passes over the columns of S follow, a block
/// at a time, O(p) columns each. `keep_going` is called between blocks; if it returns false, the
/// variables not eliminated so far are returned. Ascending. `shift`: c, 0 <= c < value.
Support eliminate_by_squares(const Covariance& covariance, Index k, double value, double shift,
                             const std::function<bool()>& keep_going);

/// Returns the variables among which a search is needed: those that may be in a support better than
/// the certificate's, and those of that support. Up to kSearchedWhole variables these are all that
/// have variance. Beyond, the methods eliminate in this order, each if the certificate includes it,
/// and the later ones if more than `max_variables` variables remain: one factor, the relaxation,
/// squares (if p permits; for dense data if more than kSearchedWhole remain), the block of strong
/// variables, the relaxation of all variables.
VariablesLeft variables_to_search(const Covariance& covariance, Index k, Index max_variables,
                                  const EliminationCertificate& certificate,
                                  const std::function<bool()>& keep_going);

/// At most this number of entries of columns of the data are formed: as many as S of
/// `max_variables` variables has.
double max_entries(Index max_variables);

/// Number of variables in the first attempt of the relaxation, and at most this number in the last.
inline constexpr Index kFirstConsidered = 150;
inline constexpr Index kMostConsidered = 1350;

}  // namespace spca
