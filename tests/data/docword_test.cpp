/// Tests of bags of words in the UCI docword format: the layouts that are read, and the message for
/// each way in which a file can be wrong.

#include <gtest/gtest.h>

#include "spca/data/content/file_content.h"
#include "spca/data/dataset.h"
#include "spca/data/files/read_dataset.h"
#include "spca/data/readers/read_file.h"
#include "tests/temporary_files.h"

namespace spca::docword_test {
namespace {

using Docword = TemporaryFiles;

/// Four documents, the third of them empty, three words.
constexpr const char* kDocword = "4\n3\n5\n1 1 2\n1 3 1\n2 2 43\n4 1 1\n4 2 7\n";

Matrix docword_matrix() { return (Matrix(4, 3) << 2, 0, 1, 0, 43, 0, 0, 0, 0, 1, 7, 0).finished(); }

TEST_F(Docword, KeepsEmptyDocumentsAndFindsItsWords) {
  write("vocab.small.txt", "apple\nbread\ncheese\n");
  for (const fs::path& path :
       {write("docword.small.txt", kDocword), write_gz("docword.small.txt.gz", kDocword)}) {
    const FileContent content = read_file(path);
    EXPECT_EQ(Matrix(*content.sparse), docword_matrix());
    EXPECT_EQ(content.sparse->nonZeros(), 5);
    EXPECT_TRUE(content.sparse->isCompressed());
    EXPECT_TRUE(content.is_bag_of_words);
    EXPECT_EQ(content.variable_names, (std::vector<std::string>{"apple", "bread", "cheese"}));
  }
  fs::remove(folder_ / "vocab.small.txt");
  EXPECT_TRUE(read_file(folder_ / "docword.small.txt").variable_names.empty());
  write_gz("vocab.small.txt.gz", "apple\nbread\ncheese");
  EXPECT_EQ(read_file(folder_ / "docword.small.txt").variable_names.size(), 3U);
}

TEST_F(Docword, TakesAnyOrderAndLayout) {
  for (const char* text : {"4\n3\n5\n1 3 1\n1 1 2\n2 2 43\n4 2 7\n4 1 1\n",  // words unsorted
                           "4\n3\n5\n4 2 7\n1 3 1\n2 2 43\n1 1 2\n4 1 1\n",  // documents unsorted
                           "4\r\n3\r\n5\r\n1 1 2\r\n1 3 1\r\n2 2 43\r\n4 1 1\r\n4 2 7",
                           "4 \n 3\n5\n\n1\t1 2\n 1  3 1 \n2 2 43\n4 1 1\n4 2 7\n\n"}) {
    EXPECT_EQ(Matrix(*read_file(write("docword.x.txt", text)).sparse), docword_matrix()) << text;
  }
}

TEST_F(Docword, IsFoundByItsContentAndIsNotCentred) {
  const Dataset dataset = read_dataset({.path = write("counts", kDocword), .centered = {}});
  const Matrix x = docword_matrix();
  EXPECT_DOUBLE_EQ(dataset.covariance->total_variance(), x.squaredNorm() / 4);
}

TEST_F(Docword, LongerThanABlockIsReadWhole) {
  std::string text = "4000\n50\n200000\n";
  for (int d = 1; d <= 4'000; ++d) {
    for (int w = 1; w <= 50; ++w) {
      text += std::to_string(d) + " " + std::to_string(w) + " " + std::to_string(1 + d % 7) + "\n";
    }
  }
  for (const fs::path& path : {write("docword.l.txt", text), write_gz("docword.l.txt.gz", text)}) {
    const SparseRows rows = *read_file(path).sparse;
    ASSERT_EQ(rows.nonZeros(), 200'000);
    for (const Index d : {Index{0}, Index{1'999}, Index{3'999}}) {
      EXPECT_EQ(rows.row(d).sum(), 50 * static_cast<double>(1 + (d + 1) % 7));
    }
  }
}

TEST_F(Docword, ErrorsNameTheLine) {
  const auto expect = [this](const std::string& text, const std::vector<std::string>& parts) {
    expect_error(write("docword.bad.txt", text), parts);
    expect_error(write_gz("docword.bad.txt.gz", text), parts);
  };
  expect("4\n3\n3\n1 1 2\n1 3 1\n", {":5:", "after 2 entries", "NNZ = 3"});
  expect("4\n3\n1\n1 1 2\n1 3 1\n", {":5:", "entry 2", "NNZ = 1"});
  expect("-4\n3\n1\n1 1 2\n", {":1:", "\"-4\"", "D, the number of documents"});
  expect("4\nmany\n1\n1 1 2\n", {":2:", "\"many\"", "W, the number of words"});
  expect("4\n3\n1.5\n1 1 2\n", {":3:", "\"1.5\"", "NNZ"});
  expect("4\n3\n", {":2:", "ends here", "D, W, NNZ"});
  expect("4\n3\n1\n1 4 2\n", {":4:", "word 4", "1 to 3"});
  expect("4\n3\n1\n1 0 2\n", {":4:", "word 0", "1 to 3"});
  expect("4\n3\n2\n1 1 1\n5 1 2\n", {":5:", "document 5", "1 to 4"});
  expect("4\n3\n1\n1 1 0\n", {":4:", "count 0"});
  expect("4\n3\n1\n1 1 -2\n", {":4:", "count -2"});
  expect("4\n3\n1\n1 1\n", {":4:", "\"1 1\"", "three whole numbers"});
  expect("4\n3\n1\n1 1 1.5\n", {":4:", "\"1 1 1.5\"", "three whole numbers"});
  expect("4\n3\n1\n1 1 99999999999999999999\n", {":4:", "three whole numbers"});
  expect("4\n3\n3\n1 1 2\n2 1 1\n1 1 3\n", {":6:", "document 1, word 1", "second time"});
  expect("4\n3\n3\n1 1 2\n1 1 1\n2 1 3\n", {":5:", "document 1, word 1", "second time"});
  expect("4\n3\n2000000000\n1 1 2\n", {":3:", "NNZ = 2000000000", "at most"});
  expect("2000000000\n1\n0\n", {":3:", "D = 2000000000", "without an entry"});
  expect("1\n2000000000\n1\n1 1 1\n", {":3:", "W = 2000000000", "without an entry"});
}

TEST_F(Docword, MakesMoreRoomForAFileThatIsPackedUnusuallyWell) {
  std::string text = "20000\n9\n180000\n";
  for (int d = 1; d <= 20'000; ++d) {
    for (int w = 1; w <= 9; ++w) {
      text += std::to_string(d) + " " + std::to_string(w) + " 1\n";
    }
  }
  const fs::path path = write_gz("docword.z.txt.gz", text);
  ASSERT_LT(0.4 * static_cast<double>(fs::file_size(path)),
            180'000);  // otherwise the reader need not grow its memory
  const SparseRows rows = *read_file(path).sparse;
  EXPECT_EQ(rows.nonZeros(), 180'000);
  EXPECT_EQ(rows.sum(), 180'000);
}

TEST_F(Docword, WithAnotherNumberOfWordsIsNamed) {
  write("vocab.small.txt", "apple\nbread\n");
  const std::string message = error_of([&] { read_file(write("docword.small.txt", kDocword)); });
  EXPECT_NE(message.find("vocab.small.txt: found 2 words; accepted: 3"), std::string::npos)
      << message;
}

TEST_F(Docword, IsNoCovariance) {
  expect_error(write("docword.x.txt", kDocword), {"counts of words", "square matrix"}, true);
}

}  // namespace
}  // namespace spca::docword_test
