/// Tests of rows in the form of datasets/from-files.json: the data that they load, and the messages
/// for malformed rows.

#include "spca/data/files/dataset_rows.h"

#include <gtest/gtest.h>

#include <map>

#include "spca/io/revision.h"
#include "tests/temporary_files.h"

namespace spca::dataset_rows_test {
namespace {

const std::string kDescription = R"("summary": "s", "shape": "2 x 2", "source": "a test", )";

/// Returns the rows of a document with one row, which has kDescription and these `members`.
std::vector<DatasetRow> rows_of(const std::string& members) {
  return read_dataset_rows(
      JsonText(R"({"datasets": {"d": {)" + kDescription + members + "}}}", "rows.json"));
}

class DatasetRows : public TemporaryFiles {
 protected:
  DatasetRows() { fs::create_directories(folder_ / "d"); }

  Dataset load(const std::string& members) const {
    const ErasedLoader loader = rows_of(members).at(0).loader;
    return loader.load(loader.options.make().get(), {.data_dir = folder_});
  }
};

TEST_F(DatasetRows, DataAreCentredAndGetTheNamesAndClassesOfTheirFiles) {
  write("d/x.csv", "1,5\n3,5\n");
  write("d/genes.csv", "gene\nfirst\nsecond\n");
  write("d/classes.csv", "sample,group\n1,b\n2,a\n");
  const Dataset dataset =
      load(R"("content": "data", "file": "d/x.csv", "names": {"file": "d/genes.csv", )"
           R"("column": "gene"}, "labels": {"file": "d/classes.csv", "column": "group"})");
  EXPECT_DOUBLE_EQ(dataset.covariance->diagonal()[0], 1);
  EXPECT_DOUBLE_EQ(dataset.covariance->diagonal()[1], 0);
  EXPECT_EQ(dataset.variable_names, (std::vector<std::string>{"first", "second"}));
  EXPECT_EQ(dataset.labels, (std::vector<int>{1, 0}));
}

TEST_F(DatasetRows, NamesAndClassesMayBeMissing) {
  write("d/x.csv", "1,5\n3,5\n");
  const Dataset dataset =
      load(R"("content": "data", "file": "d/x.csv", "names": "d/n.csv", "labels": "d/l.csv")");
  EXPECT_EQ(dataset.covariance->variables(), 2);
  EXPECT_TRUE(dataset.labels.empty());
}

TEST_F(DatasetRows, TheNumberOfNamesIsThatOfTheVariables) {
  write("d/x.csv", "1,5\n3,5\n");
  write("d/genes.csv", "gene\nfirst\n");
  EXPECT_EQ(error_of([&] {
              load(R"("content": "data", "file": "d/x.csv", )"
                   R"("names": {"file": "d/genes.csv", "column": "gene"})");
            }),
            "d/genes.csv: found 1 genes; accepted: 2, one for each variable");
}

TEST_F(DatasetRows, OneOfTwoMatricesIsChosen) {
  write("d/r.csv", "1,0.5\n0.5,1\n");
  write("d/s.csv", "4,1\n1,1\n");
  const Dataset dataset = load(
      R"("content": "correlation or covariance", "correlation": "d/r.csv", "covariance": "d/s.csv")");
  EXPECT_EQ(dataset.covariance->diagonal()[0], 1);
}

TEST_F(DatasetRows, TheKeyOfACellHoldsEveryFile) {
  const std::vector<DatasetRow> rows =
      rows_of(R"("content": "word counts", "file": "d/docword.d.txt.gz", )"
              R"("words": "d/vocab.d.txt.gz", "labels": "d/l.csv")");
  EXPECT_EQ(rows.at(0).traits.files,
            (std::vector<std::string>{"d/docword.d.txt.gz", "d/vocab.d.txt.gz", "d/l.csv"}));
}

TEST_F(DatasetRows, EveryRowOfTheProgramIsAPartOfTheSourcesThatReachesTheReaders) {
  int rows = 0;
  for (const auto& [name, entry] : DatasetRegistry::instance().entries()) {
    if (entry.file.ends_with(".json/" + name)) {
      EXPECT_TRUE(source_digests().contains(entry.file)) << entry.file;
      const std::vector<std::string>& reached = source_reach(entry.file);
      EXPECT_TRUE(std::count(reached.begin(), reached.end(), "spca/data/readers")) << entry.file;
      ++rows;
    }
  }
  EXPECT_GT(rows, 0);
}

TEST_F(DatasetRows, AMalformedRowIsNamedWithItsPlace) {
  const std::map<std::string, std::string> messages = {
      {R"("file": "d/x.csv")", "/datasets/d: "},
      {R"("content": "tables", "file": "d/x.csv")", "/datasets/d/content: found \"tables\""},
      {R"("content": "data")", "/datasets/d: "},
      {R"("content": "data", "file": 3)", "/datasets/d/file: found 3"},
      {R"("content": "data", "file": "../x.csv")", "/datasets/d/file: found \"../x.csv\""},
      {R"("content": "data", "file": "d/x.csv", "label": "d/l.csv")", "/datasets/d/label: "},
      {R"("content": "data", "file": "d/x.csv", "center": "no")", "/datasets/d/center: "},
      {R"("content": "covariance", "file": "d/x.csv", "labels": "d/l.csv")",
       "/datasets/d/labels: "},
      {R"("content": "data", "file": "d/x.csv", "names": {"file": "d/n.csv"})",
       "/datasets/d/names: "}};
  for (const auto& [members, message] : messages) {
    const std::string found = error_of([&members = members] { rows_of(members); });
    EXPECT_TRUE(found.starts_with("rows.json:1:")) << found;
    EXPECT_NE(found.find(": " + message), std::string::npos) << found << "\nlacks: " << message;
    EXPECT_NE(found.find("accepted: "), std::string::npos) << found;
    EXPECT_EQ(found.find('\n'), std::string::npos) << found;
  }
}

}  // namespace
}  // namespace spca::dataset_rows_test
