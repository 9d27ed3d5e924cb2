#include "harness/comparisons/verdict.h"

namespace spca {

const char* verdict_name(Verdict verdict) {
  switch (verdict) {
    case Verdict::kNotGated:
      return "not gated";
    case Verdict::kMatch:
      return "match";
    case Verdict::kBetter:
      return "better";
    case Verdict::kSlower:
      return "slower";
    case Verdict::kNotRun:
      return "not run";
    case Verdict::kNotComparable:
      return "not comparable";
    case Verdict::kWorse:
      return "worse";
    case Verdict::kFailed:
      break;
  }
  return "failed";
}

}  // namespace spca
