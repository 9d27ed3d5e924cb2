#pragma once

/// The instructions of a processor that products of dense matrices may use.

#include "spca/base/types.h"

namespace spca::detail {

/// Returns whether the processor has AVX2 and FMA, and the variable SPCA_INSTRUCTIONS is not
/// "baseline". The choice is made once. Throws InputError if the variable has another value.
bool may_use_fma();

/// Returns whether a product of rows x inner and inner x columns uses AVX2 and FMA: if it may, and
/// has at least 1e5 multiplications. A fused multiplication and addition is rounded once, so the
/// last digits then depend on the processor. Smaller products have the same bytes everywhere.
bool uses_fma(Index rows, Index inner, Index columns);

}  // namespace spca::detail
