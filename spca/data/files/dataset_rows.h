#pragma once

/// Data sets that only name files. Each is a row of datasets/from-files.json.

#include <string>
#include <vector>

#include "spca/data/dataset.h"
#include "spca/io/json_file.h"

namespace spca {

/// The arguments of register_dataset() for one row.
struct DatasetRow {
  std::string name;
  std::string file;  // "datasets/from-files.json/kos", a part of the sources (spca/io/revision.h)
  ErasedLoader loader;
  DatasetTraits traits;
};

/// Returns the data sets of the document, whose member "about" explains its members. Throws
/// InputError "file:line:column: pointer: ..." for a row that does not match this explanation.
std::vector<DatasetRow> read_dataset_rows(const JsonText& text);

/// Registers each row of datasets/from-files.json, as it was at the time of the build. Returns
/// true. If a row is malformed, the program stops with the message of read_dataset_rows().
bool register_dataset_rows();

}  // namespace spca
