#pragma once

#include "harness/pages/report_data.h"

namespace spca {

/// Returns words with their loadings, by component, for every data set whose variables have names:
///
///   [{"dataset", "variants", "shown", "note", "answers":
///     [{"solver", "deflation", "k", "components": [{"more", "words": [[name, loading], ...]}]}]}]
///
/// Signs are such that the largest loading is positive. If a solver and deflation have many
/// cardinalities, only some are there.
Json topics_of_run(const ReportedRun& run, const std::filesystem::path& data_dir);

}  // namespace spca
