#pragma once

/// What was reproduced, as pages in Markdown that are committed: one a paper, with its figures, and
/// an index.

#include <filesystem>
#include <string>
#include <vector>

#include "harness/pages/judged_run.h"

namespace spca {

/// Throws InputError if the folder holds pages that are not of write_reproduction_pages, or cannot be
/// a folder: said before the runs, which may take long.
void require_pages_folder(const std::filesystem::path& folder);

/// Writes into the folder, which is made if it is not there:
///
///   README.md            a line a paper, with its counts
///   PAPER.md             its experiments: numbers, claims and known differences, ours beside print
///   figures/*.svg        its figures
///
/// Pages and figures of papers that are not among the runs stay. The index has those of all pages
/// that are there. Throws InputError where it cannot write.
void write_reproduction_pages(const std::filesystem::path& folder,
                              const std::vector<JudgedRun>& runs,
                              const std::filesystem::path& data_dir);

}  // namespace spca
