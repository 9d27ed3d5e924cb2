#pragma once

/// The share of its work that a test does under a sanitizer.

namespace spca::trial {

/// True under a sanitizer, where a test costs up to fifty times as much.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

/// Returns the number of random problems, of `all`, that a test runs: one in ten under a sanitizer,
/// since each of them runs the same code.
constexpr int tries(int all) { return kSanitized ? (all + 9) / 10 : all; }

}  // namespace spca::trial
