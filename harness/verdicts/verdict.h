#pragma once

/// What a comparison says, whatever was compared: a run with a baseline, a run with another run, or
/// a run with published numbers. The order is the order of precedence: of several verdicts the
/// largest counts. So a cell has the largest verdict of its metrics, and a run that of its cells.

namespace spca {

enum class Verdict {
  kNotGated,       // nobody asks: the gate is none, or two times cannot be compared
  kMatch,          // the same within the tolerance, or different by no more than chance
  kBetter,         // better beyond the tolerance
  kSlower,         // a metric that is gated on the same machine only is worse
  kNotRun,         // nobody has run it: never a pass
  kNotComparable,  // there is nothing to compare: never a pass
  kWorse,          // worse beyond the tolerance
  kFailed,         // there is no answer, because the cell failed
};

/// "not gated", "match", "better", "slower", "not run", "not comparable", "worse", "failed".
const char* verdict_name(Verdict verdict);

/// With what the program ends: 3 for failed, 4 for worse, 5 for not run and not comparable, 6 for slower, 0 for
/// the others.
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
