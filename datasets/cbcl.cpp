/// CBCL faces: grey images of faces. Each has 19 x 19 pixels, in the order of its columns, with
/// grey levels from 1/256 to 1. Centred, S = X'X/n. The options prepare the images before that, in
/// this order: brightness plane, rounding, histogram, scale of each image, scale of each pixel.
/// Papers with these images seldom say how they prepared them.
/// Source  MIT Center for Biological and Computational Learning, Face Database 1, 2000. Its images
///         were used after removal of the brightness plane and equalisation of the histogram by
///         Sung, Poggio, Example-based learning for view-based human face detection, PAMI 1998; at
///         mean 1/4 and deviation 1/4 by Lee, Seung, Nature 401:788, 1999

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "spca/covariance/covariance_dense.h"
#include "spca/data/content/file_content.h"
#include "spca/data/data_folder.h"
#include "spca/data/files/dataset_files.h"
#include "spca/data/readers/read_file.h"

namespace spca::dataset_cbcl {
namespace {

constexpr const char* kCbclFile = "cbcl/cbcl_faces_2429x361_x256.csv.gz";
constexpr double kGreyLevels = 256;  // the file has 1 to 256
constexpr Index kSide = 19;          // pixels
constexpr double kLeeSeung = 0.25;   // mean and deviation of an image in their paper

struct CbclOptions {
  bool plane = false;
  bool round = false;
  bool equalise = false;
  std::string image = "none";
  std::string pixel = "none";

  void describe(OptionVisitor& visit) {
    visit("plane", plane,
          "subtract from each image its brightness plane, the least squares fit of a + b row + c "
          "column");
    visit("round", round, "then round to multiples of 1/256");
    visit("equalise", equalise,
          "then equalise the histogram of each image: a grey level becomes the "
          "share of the pixels that are no brighter");
    visit("image", image,
          "then each image: 0 to 1 (min-max); mean 0 and deviation 1 (unit-variance); length 1 "
          "(unit-norm); mean 1/4 and deviation 1/4, cut to 0 to 1 (lee-seung)",
          {"none", "min-max", "unit-variance", "unit-norm", "lee-seung"});
    visit("pixel", pixel, "then each pixel over the images: 0 to 1 (min-max)", {"none", "min-max"});
  }
};

using Image = Eigen::Ref<Vector>;

void equalise(Image image) {
  Vector sorted = image;
  std::sort(sorted.begin(), sorted.end());
  for (double& grey : image) {
    const auto no_brighter = std::upper_bound(sorted.begin(), sorted.end(), grey) - sorted.begin();
    grey = static_cast<double>(no_brighter) / static_cast<double>(sorted.size());
  }
}

/// Subtracts the brightness plane. Rows and columns are numbered -9 to 9, so that the three terms
/// are orthogonal.
void subtract_plane(Image image) {
  constexpr Index kMiddle = kSide / 2;
  Matrix terms(image.size(), 3);
  for (Index i = 0; i < image.size(); ++i) {
    const Index row = i % kSide - kMiddle;
    const Index column = i / kSide - kMiddle;
    terms.row(i) << 1, static_cast<double>(row), static_cast<double>(column);
  }
  for (Index a = 0; a < terms.cols(); ++a) {
    image -= terms.col(a) * (terms.col(a).dot(image) / terms.col(a).squaredNorm());
  }
}

void stretch(Image values) {
  const double least = values.minCoeff();
  const double width = values.maxCoeff() - least;
  values.array() -= least;
  if (width > 0) {
    values /= width;
  }
}

/// Sets the mean to 0 and the deviation, with divisor n and not n - 1, to 1.
void standardise(Image image) {
  image.array() -= image.mean();
  const double deviation = std::sqrt(image.squaredNorm() / static_cast<double>(image.size()));
  if (deviation > 0) {
    image /= deviation;
  }
}

void prepare(const CbclOptions& options, Image image) {
  if (options.plane) {
    subtract_plane(image);
  }
  if (options.round) {
    image = (image * kGreyLevels).array().round() / kGreyLevels;
  }
  if (options.equalise) {
    equalise(image);
  }
  if (options.image == "min-max") {
    stretch(image);
  } else if (options.image == "unit-norm") {
    image.normalize();
  } else if (options.image != "none") {
    standardise(image);
  }
  if (options.image == "lee-seung") {
    image = (kLeeSeung + kLeeSeung * image.array()).cwiseMax(0.0).cwiseMin(1.0);
  }
}

Dataset load_cbcl(const CbclOptions& options, const DatasetRequest& request) {
  FileContent content = read_matrix_file(find_data_file(request.data_dir, kCbclFile));
  content.dense /= kGreyLevels;
  for (Index i = 0; i < content.dense.rows(); ++i) {
    Vector image = content.dense.row(i);
    prepare(options, image);
    content.dense.row(i) = image;
  }
  if (options.pixel == "min-max") {
    for (Index j = 0; j < content.dense.cols(); ++j) {
      Vector pixel = content.dense.col(j);
      stretch(pixel);
      content.dense.col(j) = pixel;
    }
  }
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
