/// Compares the variance curves of two gene expression matrices with those of PathSPCA and of the
/// authors' TPower (data/reference): the better of tpower and fullpath is nowhere below.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "spca/data/dataset.h"
#include "spca/solving/solve.h"

namespace spca::reference_curves_test {
namespace {

// The reference curves are printed to ten decimals.
constexpr double kPrintedDigits = 1e-10;

struct ReferencePoint {
  Index k = 0;
  double path_spca = 0;
  double tpower = 0;
};

/// Reads lines "k,PathSPCA,TPower,bound" after a header. The values are shares of the trace.
std::vector<ReferencePoint> read_curves(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  std::vector<ReferencePoint> points;
  ReferencePoint point;
  char comma = 0;
  while (in >> point.k >> comma >> point.path_spca >> comma >> point.tpower) {
    points.push_back(point);
    std::getline(in, line);
  }
  return points;
}

SolveOutcome run(const char* name, const Dataset& dataset, Index k) {
  const SolverEntry& solver = SolverRegistry::instance().get(name, "");
  return solve({.covariance = dataset.covariance,
                .solver = &solver,
                .options = solver.complete_options(Json::object(), ""),
                .cardinality = {k}});
}

class ReferenceCurves : public testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(ReferenceCurves, BetterOfTpowerAndFullpathIsNowhereBelow) {
  const auto [dataset_name, reference] = GetParam();
  const char* folder = std::getenv("SPCA_DATA_DIR");
  if (folder == nullptr) {
    GTEST_SKIP() << "SPCA_DATA_DIR is not set: " << reference << " cannot be read";
  }
  const std::filesystem::path file = std::filesystem::path(folder) / reference;
  if (!std::filesystem::exists(file)) {
    GTEST_SKIP() << file << " is missing";
  }
  Dataset dataset;
  try {
    dataset = DatasetRegistry::instance()
                  .get(dataset_name, "")
                  .load(Json::object(), {.data_dir = folder});
  } catch (const MissingData& missing) {
    GTEST_SKIP() << missing.what();
  }
  const std::vector<ReferencePoint> points = read_curves(file);
  ASSERT_EQ(std::ssize(points), dataset.covariance->variables());
  const double trace = dataset.covariance->total_variance();
  const auto share = [&](const Component& component) {
    return dataset.covariance->quadratic_form(component) / trace;
  };
  const SolveOutcome path = run("fullpath", dataset, std::ssize(points));
  for (const ReferencePoint& point : points) {
    const double fullpath =
        share(path.solution.path.at(static_cast<std::size_t>(point.k - 1)).component);
    const double tpower = share(run("tpower", dataset, point.k).solution.components.at(0));
    EXPECT_GE(std::max(fullpath, tpower), std::max(point.path_spca, point.tpower) - kPrintedDigits)
        << dataset_name << " k = " << point.k;
  }
}

INSTANTIATE_TEST_SUITE_P(Genes, ReferenceCurves,
                         testing::Values(std::pair{"colon500", "reference/gene_coloncancer.csv"},
                                         std::pair{"lymphoma500", "reference/gene_lymphoma.csv"}),
                         [](const auto& test) { return std::string(test.param.first); });

}  // namespace
}  // namespace spca::reference_curves_test
