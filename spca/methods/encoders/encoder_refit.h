#pragma once

/// The loadings of an encoder whose components have separate supports.

#include "spca/base/types.h"
#include "spca/methods/encoders/column_store.h"
#include "spca/solving/budget.h"

namespace spca {

struct RefitEncoder {
  std::vector<Component> components;
  double captured = 0;  // ||XH(XH)^+X||_F^2
};

/// Minimises the loss over the loadings on the given supports, one component at a time. With the
/// others fixed, the best loadings of a component are the one-component encoder of the residual of
/// the others.
///
/// No update raises the loss. Ends when a round of updates adds at most `tolerance` of the captured
/// variance, after 100 rounds, or when the budget is over. Only S_UU and (S^2)_UU are used, U the
/// union of the supports: a round costs O(r (|U|^2 r + k^3)).
/// Variance that two components both capture counts once.
RefitEncoder refit_encoder(ColumnStore& store, std::vector<Component> components, double tolerance,
                           Budget& budget);

}  // namespace spca
