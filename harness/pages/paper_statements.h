#pragma once

#include <string>
#include <vector>

#include "harness/pages/paper_tables.h"

namespace spca {

/// Returns the statements of the papers (`of_paper`) or of this project as a Markdown table, the
/// failing ones first. "" if there are none.
std::string statements_text(const std::vector<JudgedExperiment>& runs, bool of_paper);

}  // namespace spca
