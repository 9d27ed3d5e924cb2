#pragma once

/// Checks of an answer against its problem: well formed, unit length, cardinalities, disjoint or
/// orthogonal components.

#include <string>
#include <vector>

#include "spca/solving/solver.h"

namespace spca {

/// Returns the cardinalities that bind the components of a solution: all cardinalities or, if the
/// solution may lack components (may_lack_components), those of the components that it has.
std::vector<Index> binding_cardinality(const Solution& solution,
                                       const std::vector<Index>& cardinality);

/// Returns an empty string if the component is a vector of p finite entries, otherwise the reason:
/// it must have one finite value for each index, and indices that ascend within 0..p-1. Only such a
/// component may be used in computations, or written to a file.
std::string find_malformation(const Component& component, Index p);

/// Makes a solution with a malformed component invalid, with the reason, and removes its
/// components. Called before any computation with components that were not judged yet: in tuning,
/// in deflation, in a solver that calls another. `before` components of the whole answer precede
/// these.
void refuse_malformed(Solution& solution, Index p, std::size_t before = 0);

/// The supports that several components may have.
enum class Supports { kAny, kDisjoint };

/// Returns the first fault of the components, or an empty string if they are feasible:
///
/// - well formed (find_malformation);
/// - unit length to kUnitTolerance;
/// - unless `cardinality` is empty, as many components as it has entries, each with at most that
///   number of nonzeros;
/// - disjoint supports, if they must be.
std::string find_infeasibility(const std::vector<Component>& components, Index p,
                               const std::vector<Index>& cardinality, Supports supports);

/// At most this deviation from unit length is accepted. Rounding of a normalisation over p <= 1e6
/// entries stays far below it.
inline constexpr double kUnitTolerance = 1e-8;

/// Returns the fault of a component, counted from 0, whose length is not 1.
std::string wrong_length(std::size_t component, double length);

/// Returns the first fault of the products of the components with each other, or an empty string:
///
/// - |V'V - I| <= kOrthogonalTolerance, if the loadings have to be orthogonal;
/// - |v_i'Sv_j| <= kUncorrelatedTolerance max_t v_t'Sv_t, i < j, if the scores have to be
///   uncorrelated.
///
/// The components are well formed. A single component is always accepted.
std::string find_dependence(const std::vector<Component>& components, const Covariance& covariance,
                            const Orthogonality& asked);

/// At most this deviation from orthonormality is accepted. The rounding of a product of two unit
/// vectors with 1000 nonzeros is a hundredth of it.
inline constexpr double kOrthogonalTolerance = 1e-12;
/// At most this relative covariance of scores is accepted. It is larger than kOrthogonalTolerance
/// because products with S also sum over the samples, after their centring.
inline constexpr double kUncorrelatedTolerance = 1e-10;

}  // namespace spca
