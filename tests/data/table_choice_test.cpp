/// Tests of the steps after a table is read: chosen columns, transposed data, given covariances,
/// and missing values that a matrix of low rank fills.

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "spca/base/random.h"
#include "spca/data/dataset.h"
#include "spca/data/files/given_covariance.h"
#include "spca/data/files/low_rank_imputation.h"
#include "spca/data/readers/table_choice.h"
#include "spca/dense/dense_decompositions.h"
#include "tests/own_table_testing.h"

namespace spca {
namespace {

using Names = std::vector<std::string>;

class TableChoices : public OwnTableFiles {
 protected:
  std::string refusal(const fs::path& path, const Json& options) const {
    return error_of([&] { load(path, options); });
  }
};

TEST_F(TableChoices, ColumnsAreChosenByNameAndPlaceInDenseAndSparseData) {
  const fs::path dense = write("x.csv", "a,b,c,d\n1,2,4,9\n3,5,5,0\n2,2,7,1\n");
  const fs::path sparse =
      write("x.mtx",
            "%%MatrixMarket matrix coordinate real general\n3 4 11\n"
            "1 1 1\n1 2 2\n1 3 4\n1 4 9\n2 1 3\n2 2 5\n2 3 5\n3 1 2\n3 2 2\n3 3 7\n3 4 1\n");
  EXPECT_EQ(load(dense, {{"columns", "d,a"}}).variable_names, (Names{"a", "d"}));
  EXPECT_EQ(load(dense, {{"columns", "2-3"}}).variable_names, (Names{"b", "c"}));
  EXPECT_EQ(load(dense, {{"drop", "b,4"}}).variable_names, (Names{"a", "c"}));
  EXPECT_EQ(load(dense, {{"columns", "1-3"}, {"drop", "b"}}).variable_names, (Names{"a", "c"}));
  for (const char* columns : {"1,4", "2-3", "1-4"}) {
    const Vector expected = load(dense, {{"columns", columns}}).covariance->diagonal();
    EXPECT_LT((load(sparse, {{"columns", columns}}).covariance->diagonal() - expected).norm(),
              1e-12);
  }
  EXPECT_NE(refusal(dense, {{"columns", "aa"}}).find("no column is called \"aa\""),
            std::string::npos);
  EXPECT_NE(refusal(dense, {{"columns", "5"}}).find("places from 1 to 4"), std::string::npos);
  EXPECT_NE(refusal(dense, {{"drop", "1-4"}}).find("no column is left"), std::string::npos);
  const fs::path twice = write("twice.csv", "a,a,b\n1,2,4\n3,5,5\n2,2,7\n");
  EXPECT_NE(refusal(twice, {{"columns", "a"}}).find("2 columns are called"), std::string::npos);
  EXPECT_EQ(load(twice, {{"columns", "2,3"}}).variable_names, (Names{"a", "b"}));
}

TEST_F(TableChoices, ColumnsWithoutNamesKeepTheirPlaces) {
  const fs::path path = write("x.csv", "1.5,2,9\n3,5,0\n2,2,1\n0,0,5\n");
  EXPECT_TRUE(load(path).variable_names.empty());
  EXPECT_EQ(load(path, {{"columns", "3"}}).variable_names, (Names{"3"}));
  EXPECT_EQ(load(path, {{"drop", "2"}}).variable_names, (Names{"1", "3"}));
}

TEST_F(TableChoices, ColumnsAreLeftOutBeforeMissingValuesAreSettled) {
  const fs::path path = write("x.csv", "a,b,c\n1,,4\n3,5,5\n2,2,7\n");
  EXPECT_NE(refusal(path, {}).find("the first of 1 missing value"), std::string::npos);
  EXPECT_EQ(load(path, {{"drop", "b"}, {"missing", "drop-rows"}}).covariance->samples(), 3);
}

TEST_F(TableChoices, ATransposedTableHasGenesAsVariables) {
  const fs::path genes = write("genes.csv", ",s1,s2,s3\ng1,1,3,2\ng2,2,5,2\n");
  const Dataset turned = load(genes, {{"transpose", true}});
  EXPECT_EQ(turned.variable_names, (Names{"g1", "g2"}));
  EXPECT_EQ(turned.sample_names, (Names{"s1", "s2", "s3"}));
  const fs::path same = write("same.csv", "g1,g2\n1,2\n3,5\n2,2\n");
  EXPECT_EQ(turned.covariance->diagonal(), load(same).covariance->diagonal());
  const fs::path sparse = write("x.mtx",
                                "%%MatrixMarket matrix coordinate real general\n2 3 6\n"
                                "1 1 1\n1 2 3\n1 3 2\n2 1 2\n2 2 5\n2 3 2\n");
  EXPECT_LT(
      (load(sparse, {{"transpose", true}}).covariance->diagonal() - turned.covariance->diagonal())
          .norm(),
      1e-12);
}

TEST_F(TableChoices, TheTriangleOfASparseCovarianceIsMirroredTooOrAskedAbout) {
  const fs::path path = write("s.mtx",
                              "%%MatrixMarket matrix coordinate real general\n3 3 5\n"
                              "1 1 4\n2 1 1\n2 2 3\n3 2 .5\n3 3 2\n");
  EXPECT_NE(refusal(path, {{"kind", "covariance"}}).find("`triangle` lower"), std::string::npos);
  const Dataset lower = load(path, {{"kind", "covariance"}, {"triangle", "lower"}});
  Matrix expected(3, 3);
  expected << 4, 1, 0, 1, 3, .5, 0, .5, 2;
  EXPECT_EQ(lower.covariance->submatrix({0, 1, 2}), expected);
  const Dataset upper = load(path, {{"kind", "covariance"}, {"triangle", "upper"}});
  EXPECT_EQ(upper.covariance->submatrix({0, 1, 2}), Matrix(expected.diagonal().asDiagonal()));
}

TEST_F(TableChoices, OneTriangleOfACovarianceIsMirroredOrAskedAbout) {
  const Json covariance = {{"kind", "covariance"}};
  const fs::path blank = write("blank.csv", "1,,\n.5,1,\n.25,.5,1\n");
  const Dataset mirrored = load(blank, covariance);
  EXPECT_EQ(mirrored.covariance->submatrix({0, 2})(0, 1), .25);
  ASSERT_EQ(mirrored.notes.size(), 1U);
  EXPECT_NE(mirrored.notes[0].find("lower triangle"), std::string::npos);
  const fs::path zero = write("zero.csv", "1,.5,.25\n0,1,.5\n0,0,1\n");
  EXPECT_NE(refusal(zero, covariance).find("`triangle` upper"), std::string::npos);
  EXPECT_EQ(load(zero, {{"kind", "covariance"}, {"triangle", "upper"}})
                .covariance->submatrix({0, 2})(0, 1),
            .25);
  const fs::path hole = write("hole.csv", "1,.5,.25\n.5,1,\n.25,.5,1\n");
  const std::string message = refusal(hole, covariance);
  EXPECT_NE(message.find("row 2, column 3"), std::string::npos) << message;
  EXPECT_EQ(message.find("`missing`"), std::string::npos) << message;
  EXPECT_NE(refusal(hole, {{"kind", "covariance"}, {"missing", "mean"}})
                .find("missing: not with kind covariance"),
            std::string::npos);
}

TEST_F(TableChoices, AnIndefiniteCorrelationMatrixHasANearOneThatIsNone) {
  const fs::path path = write("c.csv", "1,.9,.2\n.9,1,.9\n.2,.9,1\n");
  EXPECT_NE(refusal(path, {{"kind", "covariance"}}).find("or `nearest`"), std::string::npos);
  const Dataset near = load(path, {{"kind", "covariance"}, {"nearest", true}});
  ASSERT_EQ(near.notes.size(), 1U);
  EXPECT_NE(near.notes[0].find("had the eigenvalue -0.177"), std::string::npos) << near.notes[0];
  const Matrix s = near.covariance->submatrix({0, 1, 2});
  EXPECT_EQ(s.diagonal(), Vector::Ones(3));
  EXPECT_GT(symmetric_eigenvalues(s)[0], -1e-12);
  EXPECT_NEAR(s(0, 1), .784634, 1e-5);
  // A semidefinite matrix stays as it is, without a note.
  const fs::path good = write("good.csv", "1,.5\n.5,1\n");
  EXPECT_TRUE(load(good, {{"kind", "covariance"}, {"nearest", true}}).notes.empty());
}

TEST(LowRankImputation, RecoversAMatrixOfThisRank) {
  Random random(3);
  const Index n = 60;
  const Index p = 12;
  Matrix left(n, 2);
  Matrix right(2, p);
  for (double& number : left.reshaped()) {
    number = random.normal();
  }
  for (double& number : right.reshaped()) {
    number = random.normal();
  }
  const Matrix whole = (left * right).rowwise() + Vector::LinSpaced(p, -3, 9).transpose();
  Matrix holed = whole;
  Matrix means = whole;
  for (Index j = 0; j < p; ++j) {
    for (Index i = 0; i < n; ++i) {
      if (random.uniform() < .1) {
        holed(i, j) = std::numeric_limits<double>::quiet_NaN();
        means(i, j) = whole.col(j).mean();
      }
    }
  }
  Matrix again = holed;
  const Imputation done = impute_low_rank(holed, 2);
  EXPECT_TRUE(done.has_converged);
  EXPECT_LT((holed - whole).cwiseAbs().maxCoeff(), 1e-6);
  EXPECT_GT((means - whole).cwiseAbs().maxCoeff(), .5);
  // Known values keep every byte, and the same missing values get the same numbers.
  impute_low_rank(again, 2);
  EXPECT_EQ(again, holed);
  for (Index j = 0; j < p; ++j) {
    EXPECT_EQ((holed.col(j).array() == whole.col(j).array()).count() > n / 2, true);
  }
}

TEST(LowRankImputation, OfColumnsThatDoNotVaryIsTheirNumber) {
  Matrix x = Matrix::Constant(4, 3, 7);
  x(1, 1) = x(2, 0) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(impute_low_rank(x, 2).has_converged);
  EXPECT_EQ(x, Matrix(Matrix::Constant(4, 3, 7)));
}

TEST(LowRankImputation, OfRankZeroIsTheMean) {
  Matrix x(3, 2);
  x << 1, 2, 3, std::numeric_limits<double>::quiet_NaN(), 5, 4;
  impute_low_rank(x, 0);
  EXPECT_EQ(x(1, 1), 3);
}

}  // namespace
}  // namespace spca
