#pragma once

/// Cross-validated error of a linear classifier on given features.

#include <vector>

#include "spca/algebra/covariance.h"
#include "spca/base/types.h"

namespace spca {

struct HeldOutError {
  double mean = kNotMeasured;            // of the folds' misclassification rates
  double standard_error = kNotMeasured;  // their standard deviation over the root of their number
  double balanced = kNotMeasured;  // mean over the classes of the share of each that is missed
};

/// `features` n x r, `labels` n. Folds: the samples of each class in a random order, dealt out to
/// min(10, n) folds in turns, so that every fold has the classes in the same shares. Each feature
/// is centred and divided by its standard deviation, and a linear support vector machine is trained
/// (LIBLINEAR, squared hinge loss, C = 1, with a bias; several classes one against the rest), both
/// on the samples outside the fold alone. Not measured with fewer than two samples or classes, or
/// where the program was built without LIBLINEAR.
HeldOutError held_out_error(const Matrix& features, const std::vector<int>& labels,
                            std::uint64_t seed);

/// The same with the p variables of the data as features; `covariance` has a data form. A variable
/// that has one value in more than half of the samples (0 in sparse data) is not centred but takes
/// that value for its zero, so that X stays as sparse as it is, and the machine stops at
/// LIBLINEAR's own tolerance, 1e-2 and not 1e-4. Not measured where more than kLargestFeatures
/// entries would be left.
HeldOutError held_out_error(const Covariance& covariance, const std::vector<int>& labels,
                            std::uint64_t seed);

inline constexpr Index kLargestFeatures = 30'000'000;  // half a gigabyte of LIBLINEAR's rows

/// The fold, 0-based, of each sample as above.
std::vector<int> stratified_folds(const std::vector<int>& labels, int folds, std::uint64_t seed);

/// Whether the program was built with LIBLINEAR.
bool has_linear_classifier();

}  // namespace spca
