#include "spca/measure/component_count.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "spca/base/error.h"
#include "spca/base/interrupt.h"
#include "spca/base/sha256.h"
#include "spca/dense/dense_selections.h"
#include "spca/measure/permuted_columns.h"
#include "spca/measure/sample_folds.h"
#include "spca/spectrum/eigenpairs.h"

namespace spca {
namespace {

/// The quantile of the eigenvalues of permuted data that an eigenvalue must exceed.
constexpr double kQuantile = 0.95;
/// At least this share 1 - h_j (component_count.h) of a variable must lie outside the components. A
/// smaller share is rounding, and then only the mean of the variable predicts it.
constexpr double kLeastOutside = 1e-8;

Vector leading_values(const Covariance& covariance, Index count) {
  return leading_eigenpairs(covariance, count, Exact::kNearly, Copies::kAny).values;
}

Index largest_count(const Covariance& covariance, Index limit) {
  return std::min({limit, covariance.variables(), covariance.samples()});
}

/// The sum and the sum of squares of each column of B over each fold.
struct ColumnSums {
  Matrix sums;     // p x folds
  Matrix squares;  // p x folds
};

/// Reads B once, a column at a time: B is never dense.
ColumnSums column_sums(const Covariance& covariance, const std::vector<SampleFold>& folds) {
  const Index p = covariance.variables();
  ColumnSums all{.sums = Matrix::Zero(p, std::ssize(folds)),
                 .squares = Matrix::Zero(p, std::ssize(folds))};
  for (Index j = 0; j < p && !stop_requested(); ++j) {
    const Vector column =
        covariance.data_product({.support = {j}, .values = Vector::Constant(1, 1.0)});
    for (std::size_t f = 0; f < folds.size(); ++f) {
      const Vector own = selected_entries(column, folds[f].left_out);
      all.sums(j, static_cast<Index>(f)) = own.sum();
      all.squares(j, static_cast<Index>(f)) = own.array().square().sum();
    }
  }
  return all;
}

/// Returns true if of_samples() standardises each column again by the chosen samples: by its
/// deviation, or, for genotypes, by sqrt(2 f (1 - f)).
bool is_standardized(const Covariance& covariance) {
  const std::optional<DataView> view = data_of(covariance);
  return view && (view->form.standardized || view->genotypes != nullptr);
}

/// The samples of one fold, Z: centred and scaled by those of the other folds.
class LeftOutBlock {
 public:
  /// `training`: S of the samples kept.
  LeftOutBlock(const Covariance& covariance, const Covariance& training, const SampleFold& fold,
               const ColumnSums& sums, Index number)
      : covariance_(covariance), fold_(fold) {
    const Index p = covariance.variables();
    const auto kept = static_cast<double>(fold.kept.size());
    const auto left_out = static_cast<double>(fold.left_out.size());
    const Vector kept_sums = sums.sums.rowwise().sum() - sums.sums.col(number);
    const Vector kept_squares = sums.squares.rowwise().sum() - sums.squares.col(number);
    means_ = covariance.is_centered() ? Vector(kept_sums / kept) : Vector::Zero(p);
    squares_ = sums.squares.col(number).array() -
               2 * means_.array() * sums.sums.col(number).array() +
               left_out * means_.array().square();
    squares_ = squares_.cwiseMax(0);
    factors_ = Vector::Ones(p);
    if (is_standardized(covariance)) {
      const Vector variances = kept_squares.array() - kept * means_.array().square();
      // A column that is constant among the samples kept has no scale, and is not part of S there.
      factors_ = (variances.array() > kLeastOutside * kept_squares.array())
                     .select(variances.array().max(1e-300).rsqrt() * std::sqrt(kept), 0.0);
      // So far every column kept has variance one. In S a column of genotypes, which is divided by
      // sqrt(2 f (1 - f)), has another variance.
      factors_.array() *= training.diagonal().array().cwiseMax(0.0).sqrt();
    }
    squares_.array() *= factors_.array().square();
  }

  /// The sum of the squares of each column of Z.
  const Vector& squares() const { return squares_; }
  /// Z v.
  Vector product(const Vector& v) const {
    Component scaled{.support = all_variables(v.size()), .values = v.cwiseProduct(factors_)};
    const double centre = means_.dot(scaled.values);
    return selected_entries(covariance_.data_product(scaled), fold_.left_out).array() - centre;
  }

 private:
  const Covariance& covariance_;
  const SampleFold& fold_;
  Vector means_, squares_, factors_;
};

/// Returns the sums of squared errors of 0 ... r components, for loadings P of r columns:
///
///   sum_ij w_j (z_ij - (P P'z_i)_j)^2 = w'q - 2 sum_c t_c'Z(w o p_c) + <T'T, P'WP>
///
/// with w_j = 1 / (1 - h_j)^2, W = diag(w), q_j = ||column j of Z||^2, and T = Z P.
std::vector<double> squared_errors(const LeftOutBlock& block, const Matrix& loadings) {
  const Index most = loadings.cols();
  std::vector<double> errors = {block.squares().sum()};
  Vector inside = Vector::Zero(loadings.rows());  // h
  Matrix scores;
  for (Index r = 1; r <= most; ++r) {
    const Vector score = block.product(loadings.col(r - 1));
    scores.conservativeResize(score.size(), r);
    scores.col(r - 1) = score;
    inside += loadings.col(r - 1).cwiseAbs2();
    const Vector outside = 1 - inside.array();
    // A variable that only its mean predicts has the error of its mean.
    const Vector predicted = (outside.array() > kLeastOutside).cast<double>();
    const Vector weights =
        (predicted.array() > 0).select(outside.array().max(kLeastOutside).square().inverse(), 1.0);
    double error = weights.dot(block.squares());
    Matrix inner(r, r);
    for (Index c = 0; c < r; ++c) {
      const Vector weighted = weights.cwiseProduct(predicted).cwiseProduct(loadings.col(c));
      error -= 2 * scores.col(c).dot(block.product(weighted));
      inner.col(c) = loadings.leftCols(r).transpose() * weighted;
    }
    const Matrix gram = scores.transpose() * scores;
    error += gram.cwiseProduct(inner).sum();
    errors.push_back(std::max(0.0, error));
  }
  return errors;
}

}  // namespace

ParallelAnalysis parallel_analysis(const Covariance& covariance,
                                   const ComponentCountRequest& request) {
  ParallelAnalysis analysis;
  if (!covariance.has_data_form() || covariance.samples() == 0) {
    analysis.without = "S is given, not the data";
    return analysis;
  }
  const Index most = largest_count(covariance, request.most);
  const Vector values = leading_values(covariance, most);
  analysis.eigenvalues.assign(values.begin(), values.end());
  const PermutedColumns columns(covariance);
  if (request.permutations == 0 || !columns.is_possible()) {
    analysis.without =
        request.permutations == 0 ? "not asked for" : "the data are not held by rows";
    return analysis;
  }
  std::vector<std::vector<double>> drawn(static_cast<std::size_t>(most));
  for (Index i = 0; i < request.permutations; ++i) {
    if (stop_requested()) {
      analysis.without = "interrupted";
      return analysis;
    }
    const auto permuted = columns.draw(hash64(fmt::format("columns/{}/{}", request.seed, i)));
    const Vector found = leading_values(*permuted, most);
    for (Index j = 0; j < most; ++j) {
      drawn[static_cast<std::size_t>(j)].push_back(found[j]);
    }
    request.progress();
  }
  const auto count = static_cast<double>(request.permutations);
  const auto rank = static_cast<std::size_t>(std::ceil(kQuantile * (count + 1)));
  Index above = 0;
  for (std::size_t j = 0; j < drawn.size(); ++j) {
    std::vector<double>& null = drawn[j];
    std::sort(null.begin(), null.end());
    double sum = 0;
    for (const double value : null) {
      sum += value;
    }
    analysis.means.push_back(sum / count);
    analysis.limits.push_back(null[std::min(rank, null.size()) - 1]);
    const bool is_next = above == static_cast<Index>(j);
    above += is_next && analysis.eigenvalues[j] > analysis.limits[j] ? 1 : 0;
  }
  analysis.permutations = request.permutations;
  analysis.components = above;
  return analysis;
}

LeftOutEntries cross_validate_entries(const Covariance& covariance,
                                      const ComponentCountRequest& request) {
  LeftOutEntries result;
  result.without = reason_without_folds(covariance, request.folds);
  if (!result.without.empty()) {
    return result;
  }
  const std::vector<SampleFold> folds = sample_folds(
      covariance.samples(), request.folds, hash64(fmt::format("entries/{}", request.seed)));
  const ColumnSums sums = column_sums(covariance, folds);
  Index most = largest_count(covariance, request.most);
  for (const SampleFold& fold : folds) {
    most = std::min<Index>(most, std::ssize(fold.kept) - (covariance.is_centered() ? 1 : 0));
  }
  std::vector<std::vector<double>> ratios;  // by fold
  for (std::size_t f = 0; f < folds.size(); ++f) {
    if (stop_requested()) {
      result.without = "interrupted";
      return result;
    }
    const auto training = covariance.of_samples(folds[f].kept);
    if (training == nullptr) {
      result.without = "the data are not held by rows";
      return result;
    }
    const Matrix loadings =
        leading_eigenpairs(*training, most, Exact::kNearly, Copies::kAny).vectors;
    const LeftOutBlock block(covariance, *training, folds[f], sums, static_cast<Index>(f));
    std::vector<double> errors = squared_errors(block, loadings);
    if (!(errors[0] > 0)) {
      result.without = "samples that are left out do not vary";
      return result;
    }
    const double whole = errors[0];
    for (double& error : errors) {
      error /= whole;
    }
    ratios.push_back(std::move(errors));
    request.progress();
  }
  std::vector<MeanAndError> means;
  for (Index r = 0; r <= most; ++r) {
    std::vector<double> at_r;
    for (const std::vector<double>& fold : ratios) {
      at_r.push_back(fold[static_cast<std::size_t>(r)]);
    }
    means.push_back(mean_and_error(at_r));
    result.errors.push_back(means.back().mean);
    result.standard_errors.push_back(means.back().standard_error);
  }
  result.best =
      std::min_element(result.errors.begin(), result.errors.end()) - result.errors.begin();
  result.one_standard_error = static_cast<Index>(*first_near_least(means));
  return result;
}

}  // namespace spca
