#pragma once

/// Cases in a process of their own: one that crashes or hangs is named, and the hunt goes on.

#include <functional>

#include "tests/properties/hunt_case.h"

namespace spca::properties {

/// Runs the cases of these numbers, first ... last - 1, in a child process, and calls `on_case` for
/// each in their order. A crash, an exit or a hang of more than kHangSeconds is a contradiction of
/// the case that was running; a new child runs those behind it. Ends early if `on_case` says false.
void run_guarded(const std::function<HuntCase(std::uint64_t number)>& draw, std::uint64_t first,
                 std::uint64_t last,
                 const std::function<bool(std::uint64_t number, const CaseOutcome&)>& on_case);
/// Far above the limits that a case has, on a machine that is busy with other work.
inline constexpr int kHangSeconds = 300;

/// Runs one case in a child process.
CaseOutcome run_guarded(const HuntCase& hunted);

}  // namespace spca::properties
