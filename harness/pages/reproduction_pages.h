#pragma once

/// Writes the reproduced results as Markdown pages to be committed: one page for each paper, with
/// its figures, and an index.

#include <filesystem>
#include <string>
#include <vector>

#include "harness/pages/judged_run.h"

namespace spca {

/// Throws InputError if the folder holds other files than write_reproduction_pages writes, or
/// cannot be a folder. Called before the runs, which may take long.
void require_pages_folder(const std::filesystem::path& folder);

/// Writes into the folder, which is created if missing:
///
///   README.md            a line for each paper, with its counts
///   PAPER.md             whether it comes out, its tables, statements and figures; our additions
///   figures/*/*.svg      its figures
///   figures/*/*.csv      curves with too many numbers for a page
///
/// `best` has the answers of all runs. Pages and figures of papers that are not among the runs
/// stay. The index lists all pages in the folder. Throws InputError if a file cannot be written.
void write_reproduction_pages(const std::filesystem::path& folder,
                              const std::vector<JudgedRun>& runs, const BestKnown& best,
                              const std::filesystem::path& data_dir);

}  // namespace spca
