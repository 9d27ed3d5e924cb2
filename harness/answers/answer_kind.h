#pragma once

/// Determines which problem an answer solves, from its loadings and not from the name of its
/// solver.

#include <vector>

#include "spca/base/types.h"

namespace spca {

/// The way in which the components of an answer share variables. With several components, each kind
/// is a special case of the kinds before it, so a bound on one kind holds for all later kinds.
enum class AnswerKind {
  kAny,          // any components, which may overlap
  kOrthonormal,  // orthonormal loadings
  kDisjoint,     // supports that share no variable
  kOne,          // one component
};

/// Returns the kind of an answer: one or more well-formed components of unit length on p variables.
AnswerKind kind_of(const std::vector<Component>& components, Index p);

/// Returns "any loadings", "orthogonal loadings", "disjoint supports" or "one component".
const char* kind_name(AnswerKind kind);

}  // namespace spca
