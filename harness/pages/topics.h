#pragma once

#include "harness/pages/report_data.h"

namespace spca {

/// Returns the words with their loadings, by component, for every data set whose variables have
/// names:
///
///   [{"dataset", "variants", "shown", "note", "answers":
///     [{"solver", "deflation", "k", "components": [{"more", "words": [[name, loading], ...]}]}]}]
///
/// The sign of a component makes its largest loading positive. If a solver and deflation have many
/// cardinalities, only some of them are included.
Json topics_of_run(const ReportedRun& run, const std::filesystem::path& data_dir);

}  // namespace spca
