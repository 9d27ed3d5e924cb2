/// What makes two cells the same: keys and seeds.

#include <gtest/gtest.h>

#include <cstdint>
#include <set>

#include "tests/experiment_testing.h"

namespace spca::experiment_identity_test {
namespace {

TEST_F(ExperimentTest, LabelsAndNamesOfGridsDoNotEnterTheKey) {
  const auto key = [&](const std::string& text, const ExperimentOverrides& overrides = {}) {
    const Experiment experiment = load(text, overrides);
    return cell_key(
        identity_digest(variant_identity(experiment, experiment.variants[0], "checksum")),
        experiment.seed, 1);
  };
  const std::string first = R"({"name": "a", "title": "A", "grids": {"g": {"datasets":
    ["test-draw"], "solvers": ["test-penalty"], "cardinality": [2], "metrics": ["test-value"]}}})";
  const std::string second = R"({"name": "b", "title": "B", "grids": {"other": {"datasets":
    [{"name": "test-draw", "label": "x", "options": {"samples": 5}}], "solvers":
    [{"name": "test-penalty", "label": "y"}], "cardinality": [2], "metrics": ["test-value"]}}})";
  EXPECT_EQ(key(first), key(second));
  EXPECT_NE(key(first), key(first, {.seed = 2}));
  EXPECT_NE(key(first), key(first, {.time_limit = 2}));
  EXPECT_EQ(key(first).size(), 64u);
}

TEST_F(ExperimentTest, KeysAreDistinctAndTheIdentityHasSortedKeys) {
  const Experiment experiment = load(
      document(R"("solvers": ["test-*"], "cardinality": [{"from": 1, "to": 20}], "repeats": 10)"));
  std::set<std::string> keys;
  for (const Cell& cell : experiment.cells()) {
    const Json identity =
        variant_identity(experiment, experiment.variants[cell.variant], "checksum");
    const std::string digest = identity_digest(identity);
    const std::string key = cell_key(digest, experiment.seed, cell.repeat);
    EXPECT_EQ(identity_of_key(key), digest);
    keys.insert(key);
    EXPECT_EQ(identity.dump(), nlohmann::json::parse(identity.dump()).dump());
  }
  EXPECT_EQ(keys.size(), 3u * 20u * 10u);
}

TEST_F(ExperimentTest, AllSolversOfARepeatSeeTheSameDraw) {
  const Experiment experiment =
      load(document(R"("solvers": ["test-*"], "cardinality": [1, 2], "repeats": 2)"));
  std::set<std::uint64_t> data_seeds[2];
  std::set<std::uint64_t> solver_seeds;
  for (const Cell& cell : experiment.cells()) {
    data_seeds[cell.repeat].insert(data_seed(experiment, cell));
    solver_seeds.insert(solver_seed(experiment, cell));
  }
  EXPECT_EQ(data_seeds[0].size(), 1u);
  EXPECT_EQ(data_seeds[1].size(), 1u);
  EXPECT_NE(*data_seeds[0].begin(), *data_seeds[1].begin());
  EXPECT_EQ(solver_seeds.size(), experiment.cells().size());
}

}  // namespace
}  // namespace spca::experiment_identity_test
