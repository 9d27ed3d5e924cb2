#pragma once

/// The verdict of a comparison of a run with a baseline, with another run, or with published
/// numbers. The order is the order of precedence: of several verdicts the largest counts. Thus a
/// cell has the largest verdict of its metrics, and a run the largest of its cells.

namespace spca {

enum class Verdict {
  kNotGated,       // outside the gate, or two times that cannot be compared
  kMatch,          // equal within the tolerance, or different by no more than chance
  kBetter,         // better beyond the tolerance
  kSlower,         // worse in a metric that is gated on the same machine only
  kNotRun,         // without a run: never a pass
  kNotComparable,  // without anything to compare: never a pass
  kWorse,          // worse beyond the tolerance
  kFailed,         // without an answer, although one is required
};

/// Returns "not gated", "match", "better", "slower", "not run", "not comparable", "worse" or
/// "failed".
const char* verdict_name(Verdict verdict);

/// Returns the program's exit code: 3 for failed, 4 for worse, 5 for not run and not comparable, 6
/// for slower, 0 for the others.
constexpr int exit_code(Verdict verdict) {
  switch (verdict) {
    case Verdict::kFailed:
      return 3;
    case Verdict::kWorse:
      return 4;
    case Verdict::kNotRun:
    case Verdict::kNotComparable:
      return 5;
    case Verdict::kSlower:
      return 6;
    case Verdict::kNotGated:
    case Verdict::kMatch:
    case Verdict::kBetter:
      break;
  }
  return 0;
}

}  // namespace spca
