#pragma once

/// The paper's own tables as text, with our numbers in their cells.

#include <string>
#include <vector>

#include "harness/pages/paper_tables.h"
#include "harness/tables/table.h"

namespace spca {

/// Returns the table for any format: cells "printed = ours", the best known answers as a last
/// column or row, and the footnotes.
Table table_of(const PaperTable& table);

/// Returns table_of as {"title", "header", "rows", "notes"}. A cell is {"text", "verdict", "wrong",
/// "number"}: the number is the comparison's place in `all`, counted from 1; a cell without a
/// comparison has the text alone. A row is a list of cells.
Json paper_table_json(const PaperTable& table, const std::vector<PublishedComparison>& all);

/// Returns the table as Markdown, with its title, its footnotes and the commands that run it.
std::string markdown_of(const PaperTable& table);

}  // namespace spca
