#include "spca/dense/dense_selections.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace spca::dense_selections_test {
namespace {

/// 10 i + j at (i, j).
Matrix numbered(Index rows, Index columns) {
  Matrix result(rows, columns);
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < columns; ++j) {
      result(i, j) = static_cast<double>(10 * i + j);
    }
  }
  return result;
}

TEST(DenseSelections, SelectEntriesInTheOrderOfTheLists) {
  const Matrix a = numbered(4, 5);
  Matrix expected(2, 3);
  expected << 32, 30, 32, 2, 0, 2;
  EXPECT_EQ(selected(a, {3, 0}, {2, 0, 2}), expected);
  EXPECT_EQ(selected_rows(a, {3, 0}).col(4), (Vector(2) << 34, 4).finished());
  EXPECT_EQ(selected_columns(a, {4, 1}).row(2), (Vector(2) << 24, 21).finished().transpose());
  EXPECT_EQ(selected_entries(a.col(1), {2, 0}), (Vector(2) << 21, 1).finished());
}

TEST(DenseSelections, TakeABlockOfALargerMatrix) {
  const Matrix a = numbered(4, 5);
  const auto block = a.block(1, 2, 2, 3);
  EXPECT_EQ(selected(block, {1}, {2}), Matrix::Constant(1, 1, 24));
  EXPECT_EQ(selected_rows(block, {0}), a.block(1, 2, 1, 3));
}

TEST(DenseSelections, NoIndexSelectsAnEmptyMatrixOfTheRightShape) {
  const Matrix a = numbered(4, 5);
  EXPECT_EQ(selected_rows(a, {}).cols(), 5);
  EXPECT_EQ(selected_columns(a, {}).rows(), 4);
}

TEST(DenseSelections, SetAndAddChangeTheNamedEntriesAlone) {
  Matrix a = Matrix::Ones(3, 2);
  set_entries(a.col(1), {2, 0}, (Vector(2) << 5, 7).finished());
  add_entries(a.col(1), {0}, Vector::Constant(1, 10));
  Matrix expected(3, 2);
  expected << 1, 17, 1, 1, 1, 5;
  EXPECT_EQ(a, expected);
}

TEST(DenseSelections, AllCandidatesAreNumberedFromZero) {
  EXPECT_EQ(all_candidates(3), (std::vector<int>{0, 1, 2}));
  EXPECT_TRUE(all_candidates(0).empty());
}

TEST(DenseSelections, TheKthLargestDividesTheValues) {
  const std::vector<double> given = {1, -8, 4, 0, 4};
  const std::vector<double> falling = {4, 4, 1, 0, -8};
  for (Index k = 1; k <= 5; ++k) {
    std::vector<double> values = given;
    EXPECT_EQ(kth_largest(values, k), falling[static_cast<std::size_t>(k - 1)]) << k;
    EXPECT_GE(*std::min_element(values.begin(), values.begin() + k),
              *std::max_element(values.begin() + (k - 1), values.end()))
        << k;
  }
}

TEST(DenseSelections, TheSumOfTheLargestReordersTheValues) {
  std::vector<double> values = {1, -8, 4, 0, 2};
  EXPECT_EQ(sum_of_largest(values, 2), 6);
  EXPECT_EQ(values[2], 1);  // the largest of the others
  EXPECT_EQ(sum_of_largest(values, 3, 100), 107);
  EXPECT_EQ(sum_of_largest(values, 0), 0);
  EXPECT_EQ(sum_of_largest(values, 5), -1);
  EXPECT_EQ(sum_of_largest(values, 9), -1);
  std::vector<double> none;
  EXPECT_EQ(sum_of_largest(none, 3, 1), 1);
}

}  // namespace
}  // namespace spca::dense_selections_test
