/// Tests of data sets and their files: the folders that are searched, and datasets/sources.json.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

#include "spca/base/sha256.h"
#include "spca/data/data_folder.h"
#include "spca/data/data_sources.h"
#include "spca/io/embedded.h"
#include "spca/io/json_file.h"
#include "tests/dataset_testing.h"
#include "tests/temporary_files.h"

namespace spca::datasets_test {
namespace {

using namespace trial;

TEST(Datasets, EveryFileAndEveryRowInTheFolderIsRegistered) {
  const fs::path folder = fs::path(SPCA_SOURCE_DIR) / "datasets";
  std::set<std::string> expected;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".cpp" && entry.path().stem() != "from-files") {
      expected.insert(entry.path().stem().string());
    }
  }
  const JsonText document = read_json_file(folder / "from-files.json");
  for (const auto& [name, row] : document.json().at("datasets").items()) {
    EXPECT_TRUE(expected.insert(name).second) << name << " is a file and a row";
  }
  const std::vector<std::string> names = DatasetRegistry::instance().names();
  EXPECT_EQ(expected, std::set<std::string>(names.begin(), names.end()));
}

TEST(Datasets, SourcesKnowEveryFileThatADataSetReads) {
  const Json sources = Json::parse(embedded_file("sources.json")).at("datasets");
  std::set<std::string> known;  // colon500 shares files with colon
  for (const auto& [name, source] : sources.items()) {
    for (const Json& file : source.value("files", Json::array())) {
      known.insert(file.at("name").get<std::string>());
    }
  }
  for (const std::string& name : DatasetRegistry::instance().names()) {
    for (const std::string& file : DatasetRegistry::instance().find(name)->traits.files) {
      EXPECT_TRUE(known.contains(file)) << file;
    }
  }
}

TEST(Datasets, FilesAtHandHaveTheChecksumsOfTheSources) {
  const Json sources = Json::parse(embedded_file("sources.json")).at("datasets");
  int count = 0;
  for (const auto& [name, source] : sources.items()) {
    for (const Json& file : source.value("files", Json::array())) {
      const fs::path path = data_directory("") / file.at("name").get<std::string>();
      if (fs::exists(path) && !file.contains("unverified")) {
        EXPECT_EQ(sha256_of_file(path), file.at("sha256").get<std::string>()) << path;
        ++count;
      }
    }
  }
  if (count == 0) {
    GTEST_SKIP() << "no data file in " << data_directory("");
  }
}

TEST(Datasets, AMissingFileSaysWhereItIsLookedForAndHowToNameAnotherFolder) {
  try {
    find_data_file("/nonexistent/folder", "kos/docword.kos.txt.gz");
    FAIL() << "no error";
  } catch (const MissingData& error) {
    const std::string message = error.what();
    for (const std::string part :
         {"kos/docword.kos.txt.gz", "kos/docword.kos.txt)", "/nonexistent/folder", "does not exist",
          "`spca fetch kos` gets it", "--data-dir", "SPCA_DATA_DIR", "datasets/sources.json"}) {
      EXPECT_NE(message.find(part), std::string::npos) << message << "\nlacks: " << part;
    }
    EXPECT_EQ(message.find('\n'), std::string::npos);
  }
}

TEST(Datasets, AMissingFileThatNoAddressHasIsNotPromised) {
  try {
    find_data_file("/nonexistent/folder", "20news/docword.20news.txt.gz");
    FAIL() << "no error";
  } catch (const MissingData& error) {
    EXPECT_EQ(std::string(error.what()).find("spca fetch"), std::string::npos) << error.what();
  }
}

TEST(Datasets, TheDownloadedFileIsReadIfTheFileIsMissing) {
  for (const DataSource& source : built_in_data_sources()) {
    for (const SourceFile& file : source.files) {
      if (!file.as_published.name.empty()) {
        EXPECT_EQ(file.as_published.name + ".gz", file.file.name);
        EXPECT_FALSE(file.derived.empty()) << file.file.name;
      }
    }
  }
}

TEST(Datasets, HaveTheShapeThatTheSourcesState) {
  for (const DataSource& source : built_in_data_sources()) {
    const DatasetEntry* entry = DatasetRegistry::instance().find(source.name);
    ASSERT_NE(entry, nullptr) << source.name;
    try {
      const Dataset dataset = load(source.name);
      EXPECT_EQ(dataset.covariance->variables(), source.shape.at(1)) << source.name;
    } catch (const MissingData&) {
    }
  }
}

TEST(Datasets, AFileThatARecipeMakesIsPromised) {
  const DataSource* source = source_that_fetches("colon/cov500.csv");
  ASSERT_NE(source, nullptr);
  EXPECT_EQ(source->name, "colon500");
}

TEST(Datasets, EveryRecipeOfTheSourcesIsPartOfTheProgram) {
  int count = 0;
  for (const DataSource& source : built_in_data_sources()) {
    for (const SourceFile& file : source.files) {
      if (!file.recipe.empty()) {
        EXPECT_NO_THROW(embedded_file("recipes/" + file.recipe[0] + ".py")) << file.recipe[0];
        EXPECT_FALSE(file.originals.empty()) << file.file.name;
        ++count;
      }
    }
  }
  EXPECT_GT(count, 40);
}

TEST(Datasets, AFileWithoutAChecksumIsNotPromised) {
  const DataSource* source = source_that_fetches("nytimes/docword.nytimes.txt.gz");
  EXPECT_EQ(source, nullptr);
  for (const DataSource& known : built_in_data_sources()) {
    for (const SourceFile& file : known.files) {
      EXPECT_EQ(file.file.sha256.empty(), !file.unverified.empty()) << file.file.name;
    }
  }
}

TEST(Datasets, AFileIsFoundPlainOrGzipped) {
  const fs::path folder = fs::temp_directory_path() / "spca_datasets_test";
  fs::create_directories(folder / "a");
  std::ofstream(folder / "a/plain.txt") << "1\n";
  std::ofstream(folder / "a/packed.txt.gz") << "1\n";
  EXPECT_EQ(find_data_file(folder, "a/plain.txt.gz"), folder / "a/plain.txt");
  EXPECT_EQ(find_data_file(folder, "a/packed.txt"), folder / "a/packed.txt.gz");
  fs::remove_all(folder);
}

TEST(Datasets, TheDataFolderIsTheOptionElseTheVariableElseTheCache) {
  const char* before = std::getenv("SPCA_DATA_DIR");
  const std::string kept = before != nullptr ? before : "";
  setenv("SPCA_DATA_DIR", "/from/variable", 1);
  EXPECT_EQ(data_directory("/from/option"), "/from/option");
  EXPECT_EQ(data_directory(""), "/from/variable");
  unsetenv("SPCA_DATA_DIR");
  setenv("XDG_CACHE_HOME", "/from/cache", 1);
  EXPECT_EQ(data_directory(""), "/from/cache/spca");
  unsetenv("XDG_CACHE_HOME");
  EXPECT_TRUE(data_directory("").string().ends_with(".cache/spca"));
  if (before != nullptr) {
    setenv("SPCA_DATA_DIR", kept.c_str(), 1);
  }
}

}  // namespace
}  // namespace spca::datasets_test
