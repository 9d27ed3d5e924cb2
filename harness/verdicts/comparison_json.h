#pragma once

/// Writes verdicts on published numbers and on claims as JSON.

#include "harness/verdicts/tally.h"

namespace spca {

/// Returns 130 if interrupted, otherwise the exit code of the tally's verdict.
int exit_code(const Tally& tally);

Json comparison_json(const Experiment& experiment, const PublishedComparison& comparison);
Json claim_json(const JudgedClaim& judged);
/// Returns {"verdicts", "comparisons", "claims", "stale_differences"}.
Json verdicts_json(const Experiment& experiment, const RunVerdicts& verdicts);

}  // namespace spca
