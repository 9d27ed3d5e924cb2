#pragma once

#include "harness/pages/report_data.h"

namespace spca {

/// Returns the words with their loadings, by component, for every data set that is not generated
/// and whose variables have names:
///
///   [{"dataset", "variants", "note", "answers": [{"grid", "solver", "deflation", "k",
///     "components": [{"more", "words": [[name, loading], ...]}]}]}]
///
/// "variants" is the number of variants with an answer, "more" the number of words left out. If the
/// data are not here, "note" says so, and there are no answers. The sign of a component makes its
/// loading of largest magnitude positive. If a grid, solver and deflation have many cardinalities,
/// only some of them are included.
Json topics_of_run(const ReportedRun& run, const std::filesystem::path& data_dir);

}  // namespace spca
