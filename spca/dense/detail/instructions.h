#pragma once

/// The instructions of a processor that products of dense matrices may use.

namespace spca::detail {

/// Returns whether the processor has AVX2 and FMA, and the variable SPCA_INSTRUCTIONS is not
/// "baseline". A fused multiplication and addition is rounded once, so the last digits of results
/// depend on this. The choice is made once.
bool may_use_fma();

}  // namespace spca::detail
