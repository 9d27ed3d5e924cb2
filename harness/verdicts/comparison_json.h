#pragma once

/// Verdicts on published numbers, as `spca reproduce` prints them and `spca report` shows them.

#include "harness/verdicts/tally.h"

namespace spca {

/// 130 if interrupted, otherwise that of the tally's verdict.
int exit_code(const Tally& tally);

Json comparison_json(const Experiment& experiment, const PublishedComparison& comparison);
Json claim_json(const JudgedClaim& judged);
/// {"verdicts", "comparisons", "claims", "stale_differences"}.
Json verdicts_json(const Experiment& experiment, const RunVerdicts& verdicts);

}  // namespace spca
