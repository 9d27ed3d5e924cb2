#pragma once

/// Writes the reproduced results as Markdown pages to be committed: one page for each paper, with
/// its figures, and an index.

#include <filesystem>
#include <string>
#include <vector>

#include "harness/pages/judged_run.h"

namespace spca {

/// Throws InputError if `folder` is a file, or has a Markdown file that write_reproduction_pages
/// did not write. Called before the runs, which may take long.
void require_pages_folder(const std::filesystem::path& folder);

/// Writes into the folder, which is created if missing:
///
///   README.md            a line for each paper, with its counts
///   PAPER.md             whether the paper's results are reproduced; its tables, statements and
///                        figures; our additions
///   figures/EXPERIMENT/*.svg  figures
///   figures/EXPERIMENT/*.csv  curves with too many numbers for a page
///
/// `best` has the answers of all runs. Pages and figures of papers that are not among the runs
/// stay. So does a page if this run finished fewer of its cells and skipped or failed more, as
/// happens if a data file is missing; for each such page a line that says so is returned. The index
/// lists all pages in the folder. Throws InputError if a file cannot be written.
std::vector<std::string> write_reproduction_pages(const std::filesystem::path& folder,
                                                  const std::vector<JudgedRun>& runs,
                                                  const BestKnown& best,
                                                  const std::filesystem::path& data_dir);

}  // namespace spca
