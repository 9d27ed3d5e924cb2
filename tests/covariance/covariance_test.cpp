#include "spca/covariance/covariance.h"
#include "spca/covariance/covariance_dense.h"
#include "spca/covariance/covariance_explicit.h"
#include "spca/covariance/covariance_sparse.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <thread>

#include "spca/base/error.h"
#include "spca/base/random.h"
#include "spca/dense/dense_selections.h"
#include "spca/dense/sparsify.h"

namespace spca::covariance_test {
namespace {

/// Rounding of sums of at most 100 products of numbers near 1, for results of norm up to 100.
constexpr double kProductRounding = 1e-12;

/// Returns real numbers with many zeros. Columns differ in density, and every seventh is empty.
Matrix ragged_data(Index n, Index p) {
  Random random(5);
  Matrix data(n, p);
  for (Index j = 0; j < p; ++j) {
    const double density = j % 7 == 3 ? 0.0 : 1.0 / static_cast<double>(1 + j % 5);
    for (Index i = 0; i < n; ++i) {
      data(i, j) = random.uniform() < density ? 1 + random.normal() : 0.0;
    }
  }
  return data;
}

struct ShapeCase {
  Index n;
  Index p;
  bool centered;
  Scale scale;
  bool sparse;
};

std::string shape_name(const testing::TestParamInfo<ShapeCase>& info) {
  const ShapeCase& c = info.param;
  const char* const scales[] = {"n", "n_minus_1", "none"};
  return std::to_string(c.n) + "x" + std::to_string(c.p) + (c.centered ? "_centered" : "_raw") +
         "_" + scales[static_cast<int>(c.scale)] + (c.sparse ? "_sparse" : "_dense");
}

std::vector<ShapeCase> all_shapes() {
  std::vector<ShapeCase> cases;
  for (const auto& [n, p] : {std::pair<Index, Index>{9, 15}, {40, 12}, {2, 1}, {2, 5}}) {
    for (const bool centered : {true, false}) {
      for (const Scale scale : {Scale::kSamples, Scale::kSamplesMinusOne, Scale::kNone}) {
        for (const bool sparse : {true, false}) {
          cases.push_back({n, p, centered, scale, sparse});
        }
      }
    }
  }
  return cases;
}

class DataCovariance : public testing::TestWithParam<ShapeCase> {
 protected:
  DataCovariance() {
    const ShapeCase& c = GetParam();
    const Matrix data = ragged_data(c.n, c.p);
    const DataForm form{.centered = c.centered, .scale = c.scale};
    covariance_ = c.sparse ? make_covariance(SparseRows(data.sparseView()), form)
                           : make_covariance(data, form);
    double divisor = 1;
    if (c.scale == Scale::kSamples) {
      divisor = static_cast<double>(c.n);
    } else if (c.scale == Scale::kSamplesMinusOne) {
      divisor = static_cast<double>(c.n - 1);
    }
    form_ = data;
    if (c.centered) {
      form_.rowwise() -= data.colwise().mean().eval();
    }
    form_ /= std::sqrt(divisor);
    expected_ = form_.transpose() * form_;
    tolerance_ = kProductRounding * (1 + expected_.norm());
  }

  /// Returns a unit vector on every third variable from the first, with weights of both signs.
  Component sparse_vector() const {
    Random random(13);
    Component v;
    for (Index j = 0; j < GetParam().p; j += 3) {
      v.support.push_back(j);
    }
    v.values = Vector::NullaryExpr(v.cardinality(), [&](Index) { return random.normal(); });
    return normalized(v);
  }

  std::shared_ptr<const Covariance> covariance_;
  Matrix form_;      // sqrt(scale) (X - 1m'), or sqrt(scale) X if not centred
  Matrix expected_;  // p x p
  double tolerance_ = 0;
};

TEST_P(DataCovariance, MultipliesAsTheMatrixDoes) {
  Random random(17);
  const Vector v = Vector::NullaryExpr(GetParam().p, [&](Index) { return random.normal(); });
  Vector out;
  covariance_->multiply(v, out);
  EXPECT_LE((out - expected_ * v).norm(), tolerance_ * v.norm());
  const Component sparse = sparse_vector();
  for (int repeat = 0; repeat < 2; ++repeat) {  // the second call may see scratch data of the first
    covariance_->multiply(sparse, out);
    EXPECT_LE((out - expected_ * to_dense(sparse, GetParam().p)).norm(), tolerance_);
  }
}

TEST_P(DataCovariance, MultipliesABlockAsItsColumns) {
  Random random(19);
  for (const Index columns : {1, 3, 4, 6, 9}) {
    const Matrix v =
        Matrix::NullaryExpr(GetParam().p, columns, [&](Index, Index) { return random.normal(); });
    const std::uint64_t before = covariance_->products();
    Matrix out;
    covariance_->multiply_block(v, out);
    EXPECT_LE((out - expected_ * v).norm(), tolerance_ * v.norm());
    EXPECT_EQ(covariance_->products() - before, static_cast<std::uint64_t>(columns));
  }
}

TEST_P(DataCovariance, GivesPartsOfTheMatrix) {
  EXPECT_EQ(covariance_->variables(), GetParam().p);
  EXPECT_EQ(covariance_->samples(), GetParam().n);
  const Component v = sparse_vector();
  const Matrix submatrix = covariance_->submatrix(v.support);
  EXPECT_EQ(submatrix, submatrix.transpose());
  EXPECT_LE((submatrix - expected_(v.support, v.support)).norm(), tolerance_);
  EXPECT_LE((covariance_->columns(v.support) - expected_(Eigen::all, v.support)).norm(),
            tolerance_);
  EXPECT_LE((covariance_->diagonal() - expected_.diagonal()).norm(), tolerance_);
  EXPECT_NEAR(covariance_->total_variance(), expected_.trace(), tolerance_);
  const Vector dense = to_dense(v, GetParam().p);
  EXPECT_NEAR(covariance_->quadratic_form(v), dense.dot(expected_ * dense), tolerance_);
}

TEST_P(DataCovariance, HasADataForm) {
  ASSERT_TRUE(covariance_->has_data_form());
  const Component v = sparse_vector();
  EXPECT_LE((covariance_->data_product(v) - form_ * to_dense(v, GetParam().p)).norm(), tolerance_);
  const Vector u = Vector::LinSpaced(GetParam().n, -1, 2);
  EXPECT_LE((covariance_->transpose_product(u) - form_.transpose() * u).norm(), tolerance_);
  const Matrix gram = covariance_->gram().value();
  EXPECT_EQ(gram, gram.transpose());
  EXPECT_LE((gram - form_ * form_.transpose()).norm(), tolerance_);
  EXPECT_LE((covariance_->squared_sample_norms() - gram.diagonal()).norm(), tolerance_);
  EXPECT_EQ(gram, covariance_->gram().value());
}

INSTANTIATE_TEST_SUITE_P(Shapes, DataCovariance, testing::ValuesIn(all_shapes()), shape_name);

TEST(Covariance, OfOneSampleIsItsOuterProductWhereNotCentred) {
  Matrix data(1, 3);
  data << 1, 0, -2;
  const Matrix expected = data.transpose() * data;
  const DataForm form{.centered = false, .scale = Scale::kSamples};
  for (const auto& s :
       {make_covariance(data, form), make_covariance(SparseRows(data.sparseView()), form)}) {
    EXPECT_EQ(s->columns({0, 1, 2}), expected);
  }
}

TEST(Covariance, OfAConstantColumnIsZeroWhereCentred) {
  Matrix data(4, 2);
  data << 3, 1, 3, 0, 3, 1, 3, 0;
  for (const auto& s :
       {make_covariance(data, {}), make_covariance(SparseRows(data.sparseView()), {})}) {
    EXPECT_EQ(s->diagonal()[0], 0);
    EXPECT_EQ(s->diagonal()[1], 0.25);
    EXPECT_EQ(s->submatrix({0, 1})(0, 1), 0);
  }
}

TEST(Covariance, CountsProductsOfBothKindsFromSeveralThreads) {
  constexpr int kProducts = 200;
  for (const bool sparse : {true, false}) {
    const Matrix data = ragged_data(30, 20);
    const auto s =
        sparse ? make_covariance(SparseRows(data.sparseView()), {}) : make_covariance(data, {});
    const Component v{.support = {0, 5, 8}, .values = Vector::Ones(3)};
    Vector expected;
    s->multiply(v, expected);
    const auto work = [&](int& mismatches) {
      Vector out;
      for (int i = 0; i < kProducts; ++i) {
        s->multiply(v, out);
        mismatches += out == expected ? 0 : 1;
        s->multiply(expected, out);
        s->gram();
      }
    };
    int mismatches[2] = {0, 0};
    std::thread other(work, std::ref(mismatches[0]));
    work(mismatches[1]);
    other.join();
    EXPECT_EQ(mismatches[0] + mismatches[1], 0);
    EXPECT_EQ(s->products(), 1U + 4U * kProducts);
  }
}

TEST(Covariance, SparseProductsOfMatricesOfDifferentSizeDoNotMeet) {
  const auto large = make_covariance(SparseRows(ragged_data(50, 10).sparseView()), {});
  const auto small = make_covariance(SparseRows(ragged_data(5, 10).sparseView()), {});
  const Component v{.support = {0, 1}, .values = Vector::Ones(2)};
  Vector first, again, out;
  large->multiply(v, first);
  small->multiply(v, out);
  large->multiply(v, again);
  EXPECT_EQ(first, again);
}

TEST(Covariance, RowsInMemoryOfTheCallerAreUsedThereAndKeptAlive) {
  const auto rows = std::make_shared<SparseRows>(ragged_data(50, 10).sparseView());
  rows->makeCompressed();
  const std::weak_ptr<SparseRows> watched = rows;
  const auto copied = make_covariance(*rows, {});
  auto mapped =
      make_mapped_covariance({rows->rows(), rows->cols(), rows->nonZeros(), rows->outerIndexPtr(),
                              rows->innerIndexPtr(), rows->valuePtr()},
                             rows, {});
  EXPECT_EQ(watched.use_count(), 2);
  const Vector v = Vector::LinSpaced(10, -1, 1);
  Vector expected, found;
  copied->multiply(v, expected);
  mapped->multiply(v, found);
  EXPECT_EQ(found, expected);
  EXPECT_EQ(mapped->diagonal(), copied->diagonal());
  EXPECT_EQ(mapped->columns({2, 5}), copied->columns({2, 5}));
  mapped.reset();
  EXPECT_EQ(watched.use_count(), 1);
}

TEST(ExplicitCovariance, IsTheMatrix) {
  const Matrix x = ragged_data(30, 8);
  const Matrix s = x.transpose() * x;
  const auto covariance = make_explicit_covariance(s);
  EXPECT_EQ(covariance->samples(), 0);
  EXPECT_FALSE(covariance->has_data_form());
  EXPECT_FALSE(covariance->gram().has_value());
  EXPECT_THROW(covariance->data_product({.support = {0}, .values = Vector::Ones(1)}),
               InternalError);
  const Component v{.support = {1, 6}, .values = Vector::Ones(2)};
  Vector out;
  covariance->multiply(v, out);
  EXPECT_LE((out - s.col(1) - s.col(6)).norm(), kProductRounding * s.norm());
  covariance->multiply(to_dense(v, 8), out);
  EXPECT_LE((out - s.col(1) - s.col(6)).norm(), kProductRounding * s.norm());
  EXPECT_LE((covariance->submatrix({1, 6}) - s({1, 6}, {1, 6})).norm(),
            kProductRounding * s.norm());
  EXPECT_LE((covariance->columns({7}) - s.col(7)).norm(), kProductRounding * s.norm());
  EXPECT_NEAR(covariance->quadratic_form(v), s(1, 1) + 2 * s(1, 6) + s(6, 6),
              kProductRounding * s.norm());
}

template <class Function>
std::string message_of(const Function& function) {
  try {
    function();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no InputError";
}

TEST(ExplicitCovariance, NamesTheEntryThatIsNotSymmetricOrNotFinite) {
  Matrix s = 2 * Matrix::Identity(8, 8);
  s(2, 6) = 0.2;
  s(6, 2) = 0.3;
  const std::string message = message_of([&] { make_explicit_covariance(s); });
  EXPECT_NE(message.find("entry (3,7) = 0.2 but (7,3) = 0.3"), std::string::npos) << message;
  s(6, 2) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NE(message_of([&] { make_explicit_covariance(s); }).find("entry (7,3) is nan"),
            std::string::npos);
  s(6, 2) = s(2, 6) * (1 + 1e-9);  // files print nine digits
  EXPECT_EQ(message_of([&] { make_explicit_covariance(s); }), "no InputError");
}

TEST(ExplicitCovariance, NamesTheEigenvalueOfAnIndefiniteMatrix) {
  Matrix s(2, 2);
  s << 1, 2, 2, 1;
  const std::string message = message_of([&] { make_explicit_covariance(s); });
  EXPECT_NE(message.find("smallest eigenvalue is -1;"), std::string::npos) << message;
  s << 0, 1, 1, 0;
  EXPECT_NE(message_of([&] { make_explicit_covariance(s); }).find("-1"), std::string::npos);
  s << 1, 1 + 5e-8, 1 + 5e-8, 1;  // its eigenvalue of -5e-8 is within the rounding of a file
  EXPECT_EQ(message_of([&] { make_explicit_covariance(s); }), "no InputError");
  s.setZero();
  EXPECT_EQ(message_of([&] { make_explicit_covariance(s); }), "no InputError");
}

TEST(ExplicitCovariance, NamesAnEntryThatIsTooLargeToSquare) {
  for (const double entry : {1e308, 1e151, 1e-151, 1e-320}) {
    const Matrix s = Matrix::Constant(2, 2, entry);
    EXPECT_NE(message_of([&] { make_explicit_covariance(s); }).find("its largest entry is"),
              std::string::npos)
        << entry;
  }
  EXPECT_EQ(message_of([] { make_explicit_covariance(Matrix::Constant(2, 2, 1e150)); }),
            "no InputError");
}

TEST(ExplicitCovariance, MustBeSquare) {
  const std::string message = message_of([] { make_explicit_covariance(Matrix::Ones(2, 3)); });
  EXPECT_NE(message.find("2 x 3"), std::string::npos) << message;
}

TEST(DataCovarianceInput, NamesRowAndColumnOfAnEntryThatIsNotFinite) {
  Matrix data = ragged_data(4, 5);
  data(2, 4) = std::numeric_limits<double>::infinity();
  for (const std::string& message :
       {message_of([&] { make_covariance(data, {}); }),
        message_of([&] { make_covariance(SparseRows(data.sparseView()), {}); })}) {
    EXPECT_NE(message.find("inf in row 3, column 5"), std::string::npos) << message;
  }
}

TEST(DataCovarianceInput, NeedsTwoSamplesToCentre) {
  EXPECT_NE(message_of([] { make_covariance(Matrix::Ones(1, 3), {}); }).find("1 row"),
            std::string::npos);
  EXPECT_NE(message_of([] {
              make_covariance(Matrix::Ones(1, 3),
                              {.centered = false, .scale = Scale::kSamplesMinusOne});
            }).find("n-1"),
            std::string::npos);
  EXPECT_NE(message_of([] { make_covariance(Matrix(0, 3), {}); }).find("0 rows"),
            std::string::npos);
  EXPECT_NE(message_of([] { make_covariance(SparseRows(3, 0), {}); }).find("0 columns"),
            std::string::npos);
}

Matrix standardised_values(Matrix data, bool is_sparse) {
  const DataForm form = {.centered = true, .standardized = true};
  const auto covariance = is_sparse ? make_covariance(SparseRows(data.sparseView()), form)
                                    : make_covariance(std::move(data), form);
  return covariance->submatrix(all_variables(covariance->variables()));
}

TEST(Standardised, ColumnsThatAreConstantButForRoundingAreSetAside) {
  Matrix data(6, 4);
  data << .3, .7, 1, 2,                                           //
      .30000000000000004, .7000000000000001, 2, 1, .3, .7, 3, 5,  //
      .30000000000000004, .7000000000000001, 5, 3, .3, .7, 8, 1,  //
      .30000000000000004, .7000000000000001, 1, 4;
  for (const bool is_sparse : {false, true}) {
    const Matrix s = standardised_values(data, is_sparse);
    EXPECT_EQ(s.topRows(2).cwiseAbs().maxCoeff(), 0);
    EXPECT_NEAR(s(2, 2), 1, 1e-15);
    EXPECT_NEAR(s(2, 3), -.32869, 1e-5);
  }
  // A deviation of a few units beside a mean of 1e12 is not rounding.
  const Matrix shifted = data.array() * 1 + 1e12;
  EXPECT_NEAR(standardised_values(shifted, false)(2, 3), -.32869, 1e-3);
}

// --dataset and --standardize change the form of data that are centred already.
TEST(Standardised, ConstantColumnsOfCentredDataAreSetAside) {
  Matrix data(6, 3);
  data << .3, 1, 1e9 + 2, .30000000000000004, 2, 1e9 + 1, .3, 3, 1e9 + 5,  //
      .30000000000000004, 5, 1e9 + 3, .3, 8, 1e9 + 1, .30000000000000004, 1, 1e9 + 4;
  for (const bool is_sparse : {false, true}) {
    const auto centred = is_sparse ? make_covariance(SparseRows(data.sparseView()), DataForm{})
                                   : make_covariance(Matrix(data), DataForm{});
    const Matrix s = centred->in_form({.standardized = true})->submatrix({0, 1, 2});
    EXPECT_EQ(s.row(0).cwiseAbs().maxCoeff(), 0) << is_sparse;
    EXPECT_NEAR(s(1, 1), 1, 1e-15) << is_sparse;
    EXPECT_NEAR(s(1, 2), -.32869, 1e-5) << is_sparse;
  }
}

TEST(Standardised, TheScaleOfColumnsDoesNotCount) {
  Matrix data(5, 3);
  data << 1, 2, 0, 3, 0, 1, 0, 5, 2, 4, 1, 0, 2, 2, 7;
  const Matrix expected = standardised_values(data, false);
  for (const double scale : {1e-170, 1e-300, 1e170, 1e300}) {
    for (const bool is_sparse : {false, true}) {
      Matrix scaled = data;
      scaled.col(0) *= scale;
      scaled.col(2) *= scale;
      EXPECT_LT((standardised_values(scaled, is_sparse) - expected).norm(), 1e-14)
          << scale << is_sparse;
    }
  }
}

TEST(DataCovarianceInput, RefusesNumbersWhoseSquaresVanish) {
  Matrix data(3, 2);
  data << 1e-170, 2e-170, 3e-170, 1e-170, 5e-170, 0;
  EXPECT_THROW(make_covariance(SparseRows(data.sparseView()), DataForm{}), InputError);
  EXPECT_THROW(make_covariance(std::move(data), DataForm{}), InputError);
}

TEST(Scale, IsReadFromItsName) {
  EXPECT_EQ(scale_from_name("n"), Scale::kSamples);
  EXPECT_EQ(scale_from_name("n-1"), Scale::kSamplesMinusOne);
  EXPECT_EQ(scale_from_name("none"), Scale::kNone);
  EXPECT_NE(message_of([] { scale_from_name("N"); }).find("accepted: n, n-1, none"),
            std::string::npos);
}

}  // namespace
}  // namespace spca::covariance_test
