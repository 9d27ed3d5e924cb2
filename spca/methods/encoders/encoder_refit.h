#pragma once

/// The loadings of an encoder whose components have rows of their own.

#include "spca/base/types.h"
#include "spca/methods/encoders/column_store.h"
#include "spca/solving/budget.h"

namespace spca {

struct RefitEncoder {
  std::vector<Component> components;
  double captured = 0;  // ||XH(XH)^+X||_F^2
};

/// Minimises the loss over the loadings, on the supports as they are, one component at a time. With
/// the others fixed, the best loadings of a component are the encoder with one component of what
/// the others leave.
///
/// No turn raises the loss. It ends if a round captures at most `tolerance` of all more. It works
/// on S_UU and (S^2)_UU alone, U the union of the supports: a round costs O(r (|U|^2 r + k^3)).
/// What two components both capture counts once.
RefitEncoder refit_encoder(ColumnStore& store, std::vector<Component> components, double tolerance,
                           Budget& budget);

}  // namespace spca
