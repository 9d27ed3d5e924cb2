#pragma once

/// Notes on columns of dense data that may be no measurements, or may have missing values.

#include <string>
#include <vector>

#include "spca/data/content/file_content.h"

namespace spca {

/// Returns a note on columns that seem to count the rows: whole numbers that ascend by 1 with few
/// gaps, or that ascend below a name such as "id". `from` is the first column to look at. Empty if
/// there are none.
std::string counting_note(const FileContent& content, Index from);

/// Returns a note for each number such as -999 that may stand for missing values: it is the least
/// of its column, and is far below the others, or is there twice among numbers that are not
/// negative.
std::vector<std::string> missing_number_notes(const FileContent& content);

}  // namespace spca
