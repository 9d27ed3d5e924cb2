#pragma once

/// Cases run in a child process, so that the hunt reports a crash or hang and continues.

#include <functional>

#include "tests/properties/hunt_case.h"

namespace spca::properties {

/// Runs the cases first, ..., last - 1 in a child process, and calls `on_case` for each in this
/// order. A crash, an exit or a hang of more than kHangSeconds is a contradiction of the case that
/// was running; a new child process runs the cases after it. Stops early if `on_case` returns
/// false.
void run_guarded(const std::function<HuntCase(std::uint64_t number)>& draw, std::uint64_t first,
                 std::uint64_t last,
                 const std::function<bool(std::uint64_t number, const CaseOutcome&)>& on_case);
/// Time after which a case counts as hung, in seconds: far above the time limits of a case, because
/// the machine may be busy.
inline constexpr int kHangSeconds = 300;

/// Runs one case in a child process.
CaseOutcome run_guarded(const HuntCase& hunted);

}  // namespace spca::properties
