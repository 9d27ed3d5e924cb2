/// Tests the files that are built into the program (datasets/built-in).

#include <gtest/gtest.h>

#include <set>

#include "spca/base/sha256.h"
#include "spca/data/built_in_files.h"
#include "spca/data/data_folder.h"
#include "spca/data/data_sources.h"
#include "spca/data/readers/csv.h"
#include "spca/data/readers/read_file.h"
#include "tests/dataset_testing.h"
#include "tests/temporary_files.h"

namespace spca::built_in_data_test {
namespace {

using namespace trial;

class BuiltIn : public TemporaryFiles {};

TEST_F(BuiltIn, FilesHaveTheChecksumsOfTheSources) {
  int count = 0;
  std::size_t bytes = 0;
  for (const DataSource& source : built_in_data_sources()) {
    for (const SourceFile& file : source.files) {
      if (const auto path = built_in_path(file.file.name)) {
        EXPECT_EQ(sha256(*built_in_content(*path)), file.file.sha256) << file.file.name;
        bytes += built_in_content(*path)->size();
        ++count;
      }
    }
  }
  EXPECT_EQ(count, 3);
  EXPECT_LT(bytes, 600000U);
}

TEST_F(BuiltIn, AreLoadedWithoutADataFolder) {
  const Dataset wine = load_from("/nonexistent", "wine");
  EXPECT_EQ(wine.covariance->samples(), 178);
  EXPECT_EQ(wine.covariance->variables(), 13);
  EXPECT_EQ(wine.variable_names.front(), "Alcohol");
  EXPECT_EQ(std::set<int>(wine.labels.begin(), wine.labels.end()).size(), 3U);
  const Dataset mtcars = load_from("/nonexistent", "mtcars");
  EXPECT_EQ(mtcars.covariance->samples(), 32);
  EXPECT_EQ(mtcars.variable_names.back(), "carb");
  for (const Json of : {"wine", "mtcars"}) {
    const Dataset correlation = load_from("/nonexistent", "correlation", {{"of", of}});
    EXPECT_EQ(correlation.covariance->total_variance(), correlation.covariance->variables());
  }
}

TEST_F(BuiltIn, AreTheNumbersOfTheFilesInADataFolder) {
  for (const std::string file : {"wine/wine_178x13.csv", "wine/labels.csv", "mtcars/mtcars.csv"}) {
    fs::create_directories((folder_ / file).parent_path());
    write(file, std::string(*built_in_content(*built_in_path(file))));
  }
  for (const std::string name : {"wine", "mtcars"}) {
    for (const Json matrix : {"correlation", "covariance"}) {
      const Dataset built_in = load_from("/nonexistent", name, {{"matrix", matrix}});
      const Dataset of_files = load_from(folder_, name, {{"matrix", matrix}});
      EXPECT_EQ(whole_matrix(built_in), whole_matrix(of_files)) << name << matrix;
      EXPECT_EQ(built_in.labels, of_files.labels);
      EXPECT_EQ(built_in.variable_names, of_files.variable_names);
    }
  }
}

TEST_F(BuiltIn, FilesOfTheDataFolderComeFirst) {
  fs::create_directories(folder_ / "mtcars");
  const fs::path mine = write("mtcars/mtcars.csv", "car,a,b\nx,1,2\ny,2,1\nz,3,4\n");
  EXPECT_EQ(find_data_file(folder_, "mtcars/mtcars.csv"), mine);
  EXPECT_EQ(load_from(folder_, "mtcars").covariance->variables(), 2);
}

TEST_F(BuiltIn, PathsAreReadLikeFiles) {
  const fs::path path = find_data_file("/nonexistent", "wine/wine_178x13.csv");
  EXPECT_EQ(path, "<built in>/wine/wine_178x13.csv");
  EXPECT_EQ(format_of(path), FileFormat::kCsv);
  EXPECT_EQ(read_csv_rows(path).size(), 179U);
  EXPECT_FALSE(built_in_content("wine/wine_178x13.csv"));
  EXPECT_FALSE(built_in_content("<built in>/sources.json"));
  EXPECT_FALSE(built_in_content("<built in>/../sources.json"));
  EXPECT_THROW(read_csv_rows("<built in>/wine/none.csv"), InputError);
}

}  // namespace
}  // namespace spca::built_in_data_test
