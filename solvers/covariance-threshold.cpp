/// Covariance thresholding: the leading eigenvector of a soft-thresholded S.
///
/// Problem  maximise v'Sv  s.t. ||v||_2 = 1, ||v||_0 <= k; S = noise * I + sparse spikes + noise
/// Step     B = S - noise * I, each entry soft-thresholded at tau = `threshold` times the largest
///          |B_ij|, i != j. The k largest entries of the leading eigenvector of the result are
///          the support. The best of the answers for all `threshold` is kept
/// Stops    after one step for each `threshold`
/// Cost     2 p^2 entries of S, computed in blocks of columns; those above the least tau are
///          kept, 16 bytes each. Then Lanczos steps with them
/// Source   Deshpande, Montanari, Sparse PCA via covariance thresholding, NIPS 2014, Algorithm 1;
///          Krauthgamer, Nadler, Vilenchik, Annals of Statistics 43:3, 2015, which takes the k
///          largest entries
/// Differs  the papers have noise of variance one and tau = c / sqrt(n). Here the median variance
///          replaces the noise, and tau is relative to the largest entry, so that neither scale
///          nor n matters. Samples are not split, which only the first paper's analysis needs. The
///          support is refitted unless `refit` is false

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "spca/dense/sparsify.h"
#include "spca/solving/solver.h"
#include "spca/spectrum/eigenpairs.h"
#include "spca/spectrum/remaining_variance.h"

namespace spca::solver_covariance_threshold {
namespace {

struct CovarianceThresholdOptions {
  std::vector<double> threshold = {0.1, 0.3, 0.5};
  std::string noise = "median";
  bool refit = true;

  void describe(OptionVisitor& visit) {
    visit("threshold", threshold,
          "levels tau, as shares of the largest covariance of two variables; the best is kept",
          between(0, 1));
    visit("noise", noise, "amount subtracted from each variance: their median, or nothing",
          {"median", "none"});
    visit("refit", refit,
          "replace the loadings by the leading eigenvector of S restricted to their support");
  }
};

// The limits of effort below were chosen by trial, not measured.

// Number of columns of S that are formed at a time, p entries each.
constexpr Index kColumnsFormed = 64;
// At most this number of entries above the threshold: 1.6 GB.
constexpr std::size_t kMostKeptEntries = 100'000'000;
// At most this number of variables: two passes over p^2 entries take minutes.
constexpr Index kMostVariablesOfPasses = 50'000;

struct Entry {
  int row = 0;
  int column = 0;
  double value = 0;
};

/// Calls use(i, j, B_ij) for every pair i >= j, block by block. Returns false if the budget ends.
template <class Use>
bool for_each_entry(const Covariance& covariance, double noise, Budget& budget, Use use) {
  const Index p = covariance.variables();
  for (Index begin = 0; begin < p; begin += kColumnsFormed) {
    if (!budget.next()) {
      return false;
    }
    Support block(static_cast<std::size_t>(std::min(kColumnsFormed, p - begin)));
    std::iota(block.begin(), block.end(), begin);
    const Matrix columns = covariance.columns(block);
    for (Index t = 0; t < columns.cols(); ++t) {
      const Index j = begin + t;
      use(j, j, columns(j, t) - noise);
      for (Index i = j + 1; i < p; ++i) {
        use(i, j, columns(i, t));
      }
    }
  }
  return true;
}

/// A symmetric sparse matrix, given by the entries i >= j. It need not be positive semidefinite:
/// only its leading eigenvector is computed.
class SparseSymmetric final : public Covariance {
 public:
  SparseSymmetric(Index p, const std::vector<Entry>& entries, double level) : diagonal_(p) {
    std::vector<Eigen::Triplet<double>> triplets;
    for (const Entry& entry : entries) {
      const double value = std::copysign(std::max(std::abs(entry.value) - level, 0.0), entry.value);
      if (value != 0) {
        triplets.emplace_back(entry.row, entry.column, value);
        if (entry.row != entry.column) {
          triplets.emplace_back(entry.column, entry.row, value);
        }
      }
    }
    matrix_.resize(p, p);
    matrix_.setFromTriplets(triplets.begin(), triplets.end());
    for (Index j = 0; j < p; ++j) {
      diagonal_[j] = matrix_.coeff(j, j);
    }
  }
  bool is_zero() const { return matrix_.nonZeros() == 0; }
  Index variables() const override { return matrix_.rows(); }
  Index samples() const override { return 0; }
  const Vector& diagonal() const override { return diagonal_; }
  Matrix columns(const Support& support) const override {
    Matrix result(variables(), std::ssize(support));
    for (Index j = 0; j < result.cols(); ++j) {
      result.col(j) = matrix_.col(support[static_cast<std::size_t>(j)]);
    }
    return result;
  }
  Matrix submatrix(const Support& support) const override {
    return columns(support)(support, Eigen::all);
  }

 protected:
  void do_multiply(const Vector& v, Vector& out) const override { out = matrix_ * v; }
  void do_multiply(const Component& v, Vector& out) const override {
    out = matrix_ * to_dense(v, variables());
  }

 private:
  SparseColumns matrix_;
  Vector diagonal_;
};

double median_of(Vector values) {
  const Index middle = values.size() / 2;
  std::nth_element(values.begin(), values.begin() + middle, values.end());
  return values[middle];
}

/// The k largest entries of the leading eigenvector of B at this level; empty if all entries of B
/// are cut.
Component thresholded_component(const Covariance& covariance, const std::vector<Entry>& entries,
                                double level, Index k) {
  const SparseSymmetric left(covariance.variables(), entries, level);
  if (left.is_zero()) {
    return {};
  }
  Vector loadings = leading_eigenpairs(left, 1, Exact::kPairs, Copies::kAny).vectors.col(0);
  // As in threshold.cpp: an iterative eigensolver leaves rounding in the zeros.
  loadings = (covariance.diagonal().array() > 0).select(loadings, 0.0);
  return normalized(restrict_to(loadings, top_k(loadings, k)));
}

Solution solve_covariance_threshold(const Problem& problem,
                                    const CovarianceThresholdOptions& options, Budget& budget) {
  const Covariance& covariance = problem.covariance;
  const Index k = problem.cardinality[0];
  const Vector& variances = covariance.diagonal();
  if (!(variances.maxCoeff() > 0)) {
    return skipped(kNoVariance);
  }
  // If all entries of B are cut, no variable differs from noise; then the largest variances are
  // taken.
  Component best = best_on_support(covariance, top_k(variances.cwiseMax(0.0), k)).component;
  const double noise = options.noise == "median" ? median_of(variances) : 0;
  double largest = 0;
  bool is_complete = for_each_entry(covariance, noise, budget, [&](Index i, Index j, double value) {
    largest = i != j ? std::max(largest, std::abs(value)) : largest;
  });
  std::vector<Entry> entries;
  const double least =
      largest * *std::min_element(options.threshold.begin(), options.threshold.end());
  is_complete =
      is_complete && for_each_entry(covariance, noise, budget, [&](Index i, Index j, double value) {
        if (std::abs(value) > least && entries.size() <= kMostKeptEntries) {
          entries.push_back(
              {.row = static_cast<int>(i), .column = static_cast<int>(j), .value = value});
        }
      });
  budget.phases().finish("covariances");
  if (entries.size() > kMostKeptEntries) {
    return skipped(
        fmt::format("more than {} covariances exceed the least threshold; accepted: "
                    "a larger /options/threshold",
                    kMostKeptEntries));
  }
  double value = -std::numeric_limits<double>::infinity();
  for (const double share : options.threshold) {
    if (!is_complete || !budget.next()) {
      break;
    }
    Component found = thresholded_component(covariance, entries, share * largest, k);
    if (found.support.empty()) {
      continue;
    }
    if (options.refit) {
      found = best_on_support(covariance, found.support).component;
    }
    if (const double next = covariance.quadratic_form(found); next > value) {
      value = next;
      best = std::move(found);
    }
  }
  budget.phases().finish("eigenpairs");
  Solution solution = make_solution({std::move(best)}, budget);
  solution.facts = {{"entries", static_cast<double>(entries.size())}};
  return solution;
}

SPCA_SOLVER("covariance-threshold", solve_covariance_threshold,
            (Traits{.summary = "k largest loadings of a soft-thresholded covariance",
                    .problem = "max v'Sv  s.t. ||v|| = 1, ||v||_0 <= k",
                    .source = "Deshpande, Montanari, NIPS 2014; Krauthgamer, Nadler, Vilenchik, "
                              "Annals of Statistics 2015",
                    .largest_p = kMostVariablesOfPasses}));

}  // namespace
}  // namespace spca::solver_covariance_threshold
