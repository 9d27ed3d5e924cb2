/// CBCL faces: 19 x 19 grey images of faces, column of pixels after column, grey levels 1/256 to 1;
/// centred, S = X'X/n.
/// Source  MIT Center for Biological and Computational Learning, Face Database 1, 2000

#include "spca/data/data_folder.h"
#include "spca/data/readers/dataset_files.h"
#include "spca/data/readers/readers.h"

namespace spca::dataset_cbcl {
namespace {

constexpr const char* kCbclFile = "cbcl/cbcl_faces_2429x361_x256.csv.gz";
constexpr double kGreyLevels = 256;  // the file has whole numbers

Dataset load_cbcl(const NoOptions&, const DatasetRequest& request) {
  FileContent content = read_file(find_data_file(request.data_dir, kCbclFile));
  content.dense /= kGreyLevels;
  return {.covariance = make_covariance(std::move(content.dense), DataForm()),
          .variable_names = std::move(content.variable_names),
          .truth = {}};
}

SPCA_DATASET("cbcl", load_cbcl,
             (DatasetTraits{.summary = "pixels of images of faces, grey levels to 1, centred",
                            .shape = "2429 x 361",
                            .source = "MIT CBCL Face Database 1, 2000",
                            .files = {kCbclFile}}));

}  // namespace
}  // namespace spca::dataset_cbcl
