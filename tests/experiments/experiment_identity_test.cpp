/// Tests of the keys by which two cells are the same, and of their seeds.

#include <gtest/gtest.h>

#include <cstdint>
#include <set>

#include "harness/experiments/experiment_identity.h"
#include "spca/data/built_in_files.h"
#include "spca/data/dataset.h"
#include "spca/io/revision.h"
#include "tests/experiment_testing.h"

namespace spca::experiment_identity_test {
namespace {

TEST_F(ExperimentTest, LabelsAndNamesOfGridsDoNotEnterTheKey) {
  const auto key = [&](const std::string& text, const ExperimentOverrides& overrides = {}) {
    const Experiment experiment = load(text, overrides);
    return cell_key(
        identity_digest(variant_identity(experiment, experiment.variants[0], {"checksum"})),
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
        variant_identity(experiment, experiment.variants[cell.variant], {"checksum"});
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

/// Returns an experiment with one cell of a solver on a data set, both given in the JSON form of
/// experiments.
std::string one_cell(const std::string& dataset, const std::string& solver,
                     const std::string& metrics = R"(["explained_variance"])") {
  return R"({"name": "t", "title": "T", "grids": {"g": {"datasets": [)" + dataset +
         R"(], "solvers": [)" + solver + R"(], "cardinality": [2], "metrics": )" + metrics + "}}}";
}

std::set<std::string> names_in(const Json& parts) {
  std::set<std::string> names;
  for (const auto& [name, digest] : parts.items()) {
    names.insert(name);
  }
  return names;
}

/// A further start must not change the draws of the random starts. Otherwise it might make the
/// answer worse.
TEST_F(ExperimentTest, StartsChangeTheKeyButNoDraw) {
  const auto identify_one = [&](const std::string& options) {
    const Experiment experiment = load(document(R"("solvers": [{"name": "em", "options": )" +
                                                options + R"(}], "cardinality": [2])"));
    const std::string key =
        identity_digest(variant_identity(experiment, experiment.variants[0], {"checksum"}));
    return std::make_pair(key, solver_seed(experiment, experiment.cells().at(0)));
  };
  const auto all = identify_one("{}");
  const auto random_alone = identify_one(R"({"starts": ["random"]})");
  EXPECT_NE(random_alone.first, all.first);
  EXPECT_EQ(random_alone.second, all.second);
  EXPECT_NE(identify_one(R"({"restarts": 2})").second, all.second);
}

TEST_F(ExperimentTest, AKeyHoldsWhatTheSolverReaches) {
  const auto parts_of = [&](const std::string& solver) {
    const Experiment experiment = load(one_cell(R"("spiked")", solver));
    return variant_identity(experiment, experiment.variants[0], {})["solver_parts"];
  };
  std::set<std::string> expected = {"spca/solving"};
  for (const char* part : {"spca/solving", "solvers/encoder-refine.cpp"}) {
    expected.insert(source_reach(part).begin(), source_reach(part).end());
  }
  ASSERT_TRUE(expected.contains("spca/methods/encoders"));
  const Json encoder = parts_of(R"("encoder-refine")");
  EXPECT_EQ(names_in(encoder), expected);
  for (const auto& [name, digest] : encoder.items()) {
    EXPECT_TRUE(source_digests().at(name).starts_with(digest.get<std::string>())) << name;
  }
  EXPECT_FALSE(names_in(parts_of(R"("tpower")")).contains("spca/methods/encoders"));
  // The key of homotopy holds the solver that it calls by default, whatever its option says, the
  // solver that the option names, and the parts that these reach.
  const std::set<std::string> named =
      names_in(parts_of(R"({"name": "homotopy", "options": {"start": "encoder-refine"}})"));
  EXPECT_TRUE(named.contains("solver gpower-l0"));
  EXPECT_TRUE(named.contains("solver encoder-refine"));
  EXPECT_TRUE(named.contains("spca/methods/encoders"));
  EXPECT_FALSE(named.contains("solver tpower"));
}

TEST_F(ExperimentTest, AKeyHoldsTheReadersOfTheDataSetsFormatsAlone) {
  const std::filesystem::path kos = folder_ / "kos";
  std::filesystem::create_directories(kos);
  std::ofstream(kos / "docword.kos.txt") << "1\n2\n2\n1 1 3\n1 2 1\n";
  std::ofstream(kos / "vocab.kos.txt") << "word\nother\n";
  const auto parts_of = [&](const std::string& dataset) {
    const Experiment experiment = load(one_cell("\"" + dataset + "\"", R"("tpower")"));
    const Variant& variant = experiment.variants[0];
    return names_in(variant_identity(experiment, variant,
                                     data_files(*variant.dataset, folder_))["dataset_parts"]);
  };
  const std::set<std::string> bag = parts_of("kos");
  EXPECT_TRUE(bag.contains("spca/data/readers/docword.cpp"));
  EXPECT_TRUE(bag.contains("spca/data/readers/read_file.cpp"));
  for (const char* other : {"csv", "npy", "matrix_market"}) {
    EXPECT_FALSE(bag.contains(std::string("spca/data/readers/") + other + ".cpp")) << other;
  }
  for (const std::string& part : parts_of("spiked")) {
    EXPECT_FALSE(part.starts_with("spca/data/readers")) << part;
  }
}

TEST_F(ExperimentTest, BuiltInFilesHaveTheChecksumOfTheSameFilesInADataFolder) {
  const DatasetEntry& wine = *DatasetRegistry::instance().find("wine");
  std::filesystem::create_directories(folder_ / "wine");
  for (const std::string& file : wine.traits.files) {
    std::ofstream(folder_ / file) << *built_in_content(*built_in_path(file));
  }
  const DataFiles of_folder = data_files(wine, folder_);
  const DataFiles built_in = data_files(wine, "/nonexistent");
  EXPECT_EQ(built_in.checksum, of_folder.checksum);
  EXPECT_EQ(built_in.formats, of_folder.formats);
}

TEST_F(ExperimentTest, MetricsEnterTheKeyOnlyByWhatTheSolveMustKeep) {
  struct Digests {
    std::string identity, metrics;
  };
  const auto digests_of = [&](const std::string& metrics) {
    const Experiment experiment = load(one_cell(R"("spiked")", R"("tpower")", metrics));
    const Variant& variant = experiment.variants[0];
    return Digests{identity_digest(variant_identity(experiment, variant, {})),
                   metrics_source(variant)};
  };
  const Digests plain = digests_of(R"(["explained_variance"])");
  const Digests more = digests_of(R"(["explained_variance", "cpu_seconds", "iterations"])");
  const Digests bounded = digests_of(R"(["explained_variance", "gap"])");
  const Digests as_bounded = digests_of(R"(["upper_bound"])");
  EXPECT_EQ(plain.identity, more.identity);
  EXPECT_NE(plain.metrics, more.metrics);
  EXPECT_NE(plain.identity, bounded.identity);
  EXPECT_EQ(bounded.identity, as_bounded.identity);
  EXPECT_NE(bounded.identity, digests_of(R"(["peak_bytes"])").identity);
  EXPECT_NE(plain.identity, digests_of(R"(["instructions"])").identity);
}

TEST_F(ExperimentTest, AnIdentitySaysWhetherThisProgramHasItsSources) {
  const Experiment experiment = load(one_cell(R"("spiked")", R"("homotopy")"));
  const Json identity = variant_identity(experiment, experiment.variants[0], {});
  EXPECT_TRUE(matches_current_sources(identity));
  for (const char* pointer : {"/solver_source", "/dataset_source", "/solver_parts/spca~1covariance",
                              "/solver_parts/solver gpower-l0", "/dataset_parts/spca~1base"}) {
    ASSERT_TRUE(identity.contains(Json::json_pointer(pointer))) << pointer;
    Json other = identity;
    other[Json::json_pointer(pointer)] = "0123456789abcdef";
    EXPECT_FALSE(matches_current_sources(other)) << pointer;
  }
  Json of_peer = identity;
  of_peer["/solve/solver"_json_pointer] = "peers/r-rsvd";
  of_peer["/solver_source"_json_pointer] = "0123456789abcdef";
  EXPECT_TRUE(matches_current_sources(of_peer));
  EXPECT_FALSE(matches_current_sources(Json()));
  EXPECT_FALSE(matches_current_sources(Json{{"core", "older"}}));
}

}  // namespace
}  // namespace spca::experiment_identity_test
