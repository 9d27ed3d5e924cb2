/// A file of the user for an experiment, in any format that `--data` reads. The key of a record
/// covers the file's checksum and all options, among them the path as the experiment writes it.

#include "spca/data/dataset.h"
#include "spca/data/files/file_options.h"
#include "spca/data/files/read_dataset.h"

namespace spca::dataset_file {
namespace {

Dataset load_file(const FileOptions& options, const DatasetRequest& request) {
  FileRequest file = file_request(options, request.base_dir);
  file.samples_only = request.samples_only;
  Dataset dataset = read_dataset(file);
  if (!options.names.empty()) {
    read_variable_names(request.base_dir / options.names, dataset);
  }
  return dataset;
}

SPCA_DATASET("file", load_file,
             (DatasetTraits{
                 .summary = "a file of your own: CSV, .npy, Matrix Market, HDF5 and more",
                 .shape = "the file's",
                 .source = "the user",
                 .path_options = {"path", "names"}}));

}  // namespace
}  // namespace spca::dataset_file
