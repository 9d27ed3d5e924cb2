#pragma once

/// The cross-validated error of a support vector machine, linear or Gaussian, on given features.

#include <vector>

#include "spca/base/types.h"
#include "spca/covariance/covariance.h"

namespace spca {

struct HeldOutError {
  double mean = kNotMeasured;            // of the folds' misclassification rates
  double standard_error = kNotMeasured;  // their standard deviation / the root of their number
  double balanced = kNotMeasured;        // mean over the classes of the misclassified share of each
};

/// A support vector machine, and how it is validated.
struct Machine {
  enum class Kernel {
    kLinear,    // LIBLINEAR, squared hinge loss, with a bias
    kGaussian,  // LIBSVM, hinge loss, exp(-d^2 / (2 width^2))
    kHinge,     // LIBSVM, hinge loss, x'y: linear, too, but without a penalty on the bias
  };
  Kernel kernel = Kernel::kLinear;
  double width = 1;
  double cost = 1;  // C
  /// If true, C is multiplied by n / (c n_j) for the n_j of n samples in class j of c, so that the
  /// classes weigh the same.
  bool balanced = false;
  /// If false, the machine sees the features as they are, neither centred nor scaled.
  bool scaled = true;
  /// If false, samples are dealt out to the folds at random, whatever their class.
  bool stratified = true;

  bool operator==(const Machine&) const = default;
};

/// Returns the error for `features`, n x r, and `labels`, n. The samples of each class, in random
/// order, are dealt out to min(10, n) folds in turns, so that every fold has the classes in about
/// the same proportions, unless `machine.stratified` is false. Each feature is centred and divided
/// by its standard deviation, unless `machine.scaled` is false, and the machine is trained (several
/// classes: LIBLINEAR one against the rest, LIBSVM one against one), both on the samples outside
/// the fold only. Not measured with fewer than two samples or classes, or if the program was built
/// without the library of the machine.
HeldOutError held_out_error(const Matrix& features, const std::vector<int>& labels,
                            std::uint64_t seed, const Machine& machine = {});

/// The same as held_out_error() above, with the p variables of the data as features; `covariance`
/// has a data form. A variable with one value in more than half of the samples (0 in sparse data)
/// is not centred; this value is subtracted instead, so that X stays sparse. LIBLINEAR stops at its
/// default tolerance, 1e-2, instead of 1e-4. Not measured if more than kLargestFeatures entries
/// would be left.
HeldOutError held_out_error(const Covariance& covariance, const std::vector<int>& labels,
                            std::uint64_t seed, const Machine& machine = {});

inline constexpr Index kLargestFeatures = 30'000'000;  // half a gigabyte of LIBLINEAR's rows

/// Returns the fold, 0-based, of each sample, as held_out_error() uses them.
std::vector<int> stratified_folds(const std::vector<int>& labels, int folds, std::uint64_t seed);

/// Returns true if the program was built with the library of this kernel.
bool has_classifier(Machine::Kernel kernel);
/// Returns true if the program was built with LIBLINEAR.
bool has_linear_classifier();

}  // namespace spca
