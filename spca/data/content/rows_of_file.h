#pragma once

#include "spca/data/content/file_content.h"
#include "spca/ranks/row_blocks.h"

namespace spca {

/// The rows of a file that one rank holds.
struct RowsOfFile {
  Index samples = 0;  // n, of the whole file
  RowRange held;
  /// Dense or sparse data: only the rows held, perhaps none. Data that stay in their file (.spca,
  /// PLINK): all rows, and the genotypes of PLINK without their counts.
  FileContent content;
};

}  // namespace spca
