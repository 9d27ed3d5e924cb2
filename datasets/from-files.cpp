/// The data sets that are rows of datasets/from-files.json.

#include "spca/data/files/dataset_rows.h"

namespace spca::dataset_from_files {
namespace {

[[maybe_unused]] const bool kAreRegistered = register_dataset_rows();

}  // namespace
}  // namespace spca::dataset_from_files
