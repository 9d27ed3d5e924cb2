#include "spca/methods/pairs/pair_bound.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "spca/dense/dense_decompositions.h"
#include "spca/methods/pairs/pair_search.h"

namespace spca {
namespace {

// (3) is computed every kStepsABound steps, and for the mean of the proofs every kStepsAMean steps.
// The search ends after kBoundsWithoutGain values in a row that reduce the distance to `enough` by
// less than kSmallestShare: bench/notes/2026-11-23-branch-price.md, "a hundred steps".
constexpr int kStepsABound = 10;
constexpr int kStepsAMean = 50;
constexpr int kBoundsWithoutGain = 10;
constexpr double kSmallestShare = 0.01;
constexpr int kMostPairSteps = 2000;
// The variables outside count as cheap if they raise a term by at most this share of the possible
// improvement (bench/notes/2026-11-23-branch-price.md, "a hundredth of the remaining gap").
constexpr double kLittleOutside = 0.01;
// At least this multiple of the bound by its pairs with other outside variables is allowed for the
// worth of a variable outside. Chosen by trial, not measured.
constexpr double kPairsOutside = 1.1;
constexpr double kRatioAccuracy = 0.01;
// Number of steps after which the cost of the outside variables is measured.
constexpr int kTrialSteps = 100;
// The rounding error relative to p times the norms of M and T.
constexpr double kRoundingOfNorms = 1e-15;

struct Sizes {
  explicit Sizes(const std::vector<Index>& cardinality)
      : k(*std::max_element(cardinality.begin(), cardinality.end())), r(std::ssize(cardinality)) {}
  Index k;  // the largest cardinality
  Index r;
};

/// Keeps the `count` largest values that are positive, in any order.
void truncate_to_largest(std::vector<double>& values, Index count) {
  std::erase_if(values, [](double value) { return !(value > 0); });
  if (count < std::ssize(values)) {
    std::nth_element(values.begin(), values.begin() + count, values.end(), std::greater<>());
    values.resize(static_cast<std::size_t>(count));
  }
}

/// M without the terms that are added to its diagonal, and the terms that bound h.
struct Terms {
  Matrix m;
  std::vector<std::vector<double>> of;  // only the k - 1 largest positive |C_il| - mu_l
};

Terms terms_of(const Matrix& matrix, const Sizes& sizes, const PairProof& proof,
               const Vector& prices) {
  const Index p = matrix.rows();
  Terms terms{.m = matrix, .of = std::vector<std::vector<double>>(static_cast<std::size_t>(p))};
  for (Index l = 0; l < p; ++l) {
    for (Index i = 0; i < l; ++i) {
      const double product = proof.costs(i, l) * proof.costs(l, i);
      if (product > 0) {
        const double t = std::copysign(std::sqrt(product), proof.costs(i, l));
        terms.m(i, l) -= t;
        terms.m(l, i) -= t;
        terms.of[static_cast<std::size_t>(i)].push_back(std::abs(proof.costs(i, l)) - prices[l]);
        terms.of[static_cast<std::size_t>(l)].push_back(std::abs(proof.costs(l, i)) - prices[i]);
      }
    }
  }
  for (std::vector<double>& of : terms.of) {
    truncate_to_largest(of, sizes.k - 1);
  }
  return terms;
}

/// The (k - 1)-th largest term of each variable; 0 if it has fewer.
Vector last_terms(const Terms& terms, const Sizes& sizes) {
  Vector last = Vector::Zero(terms.m.rows());
  for (Index l = 0; l < last.size(); ++l) {
    const std::vector<double>& of = terms.of[static_cast<std::size_t>(l)];
    if (!of.empty() && std::ssize(of) == sizes.k - 1) {
      last[l] = *std::min_element(of.begin(), of.end());
    }
  }
  return last;
}

/// h if each of the k - 1 terms is at least as large as the entry of `least`.
Vector added_by(const Terms& terms, const Sizes& sizes, const Vector& prices, const Vector& least) {
  Vector added = -prices;
  for (Index i = 0; i < added.size(); ++i) {
    const std::vector<double>& of = terms.of[static_cast<std::size_t>(i)];
    for (const double term : of) {
      added[i] += std::max(term, least[i]);
    }
    added[i] += static_cast<double>(sizes.k - 1 - std::ssize(of)) * least[i];
  }
  return added;
}

/// The variables that are not part of S. A pair of them costs each the variance of one.
class OutsideTerms {
 public:
  OutsideTerms(const OutsideVariables& outside, const Matrix& matrix, const Sizes& sizes,
               const Vector& prices)
      : outside_(outside), variances_(matrix.diagonal()), sizes_(sizes), prices_(prices) {}

  /// Raises t where a variable would be worth more than `enough`, in proportion to its covariances.
  void raise(Vector& taken, double enough) {
    outside_.visit(variances_, [&](double variance, const Vector& entries) {
      // The pairs of a variable with others outside may exceed `enough` on their own.
      const double most =
          std::max(enough, kPairsOutside * static_cast<double>(sizes_.k) * variance);
      if (worth(variance, entries, taken) <= most) {
        return;
      }
      const auto is_enough = [&](double ratio) {
        raised_ = taken.cwiseMax(ratio * entries);
        return worth(variance, entries, raised_) <= most;
      };
      double low = 0;
      double high = 1;
      while (!is_enough(high)) {
        low = high;
        high *= 2;
      }
      while (high - low > kRatioAccuracy * high) {
        const double middle = 0.5 * (low + high);
        (is_enough(middle) ? high : low) = middle;
      }
      taken = taken.cwiseMax(high * entries);
    });
  }

  /// S_jj + h_j of each variable outside, if it exceeds `least`.
  std::vector<double> worths(const Vector& taken, double least) {
    std::vector<double> worths;
    double last = 0;
    outside_.visit(variances_, [&](double variance, const Vector& entries) {
      last = worth(variance, entries, taken);
      if (last > least) {
        worths.push_back(last);
      }
    });
    if (last > least) {  // the last call bounds all remaining variables
      worths.insert(worths.end(), static_cast<std::size_t>(sizes_.r), last);
    }
    return worths;
  }

 private:
  double worth(double variance, const Vector& entries, const Vector& taken) {
    terms_.assign(static_cast<std::size_t>(sizes_.k - 1), variance);
    for (Index l = 0; l < entries.size(); ++l) {
      if (entries[l] > 0) {
        const double term = entries[l] * entries[l] / taken[l] - prices_[l];
        if (term > variance) {
          terms_.push_back(term);
        }
      }
    }
    truncate_to_largest(terms_, sizes_.k - 1);
    return std::accumulate(terms_.begin(), terms_.end(), variance);
  }

  const OutsideVariables& outside_;
  Vector variances_;  // of the core
  const Sizes& sizes_;
  const Vector& prices_;
  std::vector<double> terms_;
  Vector raised_;
};

struct Bounded {
  double value = 0;
  Vector floors = {};  // the t raised by variables outside; 0: not raised
};

Bounded bound_at(const Matrix& matrix, const Sizes& sizes, const OutsideVariables& outside,
                 const PairProof& proof) {
  const Index p = matrix.rows();
  const Vector prices = proof.prices.cwiseMax(0.0);
  const Terms terms = terms_of(matrix, sizes, proof, prices);
  Vector added = added_by(terms, sizes, prices, Vector::Zero(p));
  if (!terms.m.allFinite() || !added.allFinite()) {  // products of costs may overflow
    return {.value = std::numeric_limits<double>::infinity(), .floors = Vector::Zero(p)};
  }
  const auto eigenvalues_with = [&](const Vector& diagonal) {
    Matrix m = terms.m;
    m.diagonal() += diagonal;
    const Vector all = symmetric_eigenvalues(m);
    return std::vector<double>(all.end() - sizes.r, all.end());
  };
  std::vector<double> largest = eigenvalues_with(added);
  Bounded bounded{.floors = Vector::Zero(p)};
  if (!outside.is_empty()) {
    OutsideTerms others(outside, matrix, sizes, prices);
    const Vector last = last_terms(terms, sizes);
    Vector taken = last;
    others.raise(taken, largest.front());
    if ((taken.array() > last.array()).any()) {
      bounded.floors = (taken.array() > last.array()).select(taken, 0);
      added = added_by(terms, sizes, prices, taken);
      largest = eigenvalues_with(added);
    }
    const std::vector<double> worths = others.worths(taken, largest.front());
    largest.insert(largest.end(), worths.begin(), worths.end());
    std::partial_sort(largest.begin(), largest.begin() + sizes.r, largest.end(), std::greater<>());
    largest.resize(static_cast<std::size_t>(sizes.r));
  }
  const double rounding = kRoundingOfNorms * static_cast<double>(p) *
                          (terms.m.norm() + proof.costs.norm() + added.cwiseAbs().maxCoeff());
  bounded.value = std::accumulate(largest.begin(), largest.end(), 0.0) + prices.sum() +
                  static_cast<double>(sizes.r) * rounding;
  return bounded;
}

/// The steps of the search, and the least bound of its proofs.
class PairDescent {
 public:
  PairDescent(const Matrix& matrix, const Sizes& sizes, const OutsideVariables& outside,
              double enough)
      : matrix_(matrix),
        sizes_(sizes),
        outside_(outside),
        enough_(enough),
        search_(matrix, sizes.k, sizes.r) {}

  const PairBound& best() const { return best_; }
  bool is_over() const { return best_.value <= enough_ || waited_ == kBoundsWithoutGain; }
  void step() { search_.step(); }

  /// `step`: the number of steps so far. The mean restarts when it covers half of them, to forget
  /// the first.
  void try_mean(Index step) {
    PairProof proof = search_.mean_proof();
    const double value = bound_at(matrix_, sizes_, outside_, proof).value;
    set_if_better(value, std::move(proof));
    if (2 * search_.steps_of_mean() >= step) {
      search_.begin_mean();
    }
  }

  void try_proof() {
    PairProof proof = search_.proof();
    const Bounded bound = bound_at(matrix_, sizes_, outside_, proof);
    set_if_better(bound.value, std::move(proof));
    search_.set_floors(bound.floors);
    set_weight(bound);
    wait();
  }

 private:
  void set_if_better(double value, PairProof proof) {
    if (value < best_.value) {
      best_ = {.value = value, .proof = std::move(proof)};
    }
  }

  /// With a large weight the bound falls fast at first and then rises again. The costs of outside
  /// variables adapt too slowly to a falling weight.
  void set_weight(const Bounded& bound) {
    const bool is_little_outside =
        bound.floors.maxCoeff() <= kLittleOutside * (bound.value - enough_);
    if (bound.value <= least_of_steps_) {
      least_of_steps_ = bound.value;
      search_.raise_weight_if_far();
      if (is_little_outside) {
        search_.lower_weight_if_near();
      }
    } else if (is_little_outside) {
      search_.lower_weight();
    }
  }

  void wait() {
    ++waited_;
    if (best_.value - enough_ < (1 - kSmallestShare) * (notable_ - enough_)) {
      notable_ = best_.value;
      waited_ = 0;
    }
  }

  const Matrix& matrix_;
  const Sizes& sizes_;
  const OutsideVariables& outside_;
  double enough_;
  PairSearch search_;
  PairBound best_;
  double least_of_steps_ = std::numeric_limits<double>::infinity();  // without those of the means
  double notable_ = std::numeric_limits<double>::infinity();
  int waited_ = 0;
};

}  // namespace

PairBound pair_bound(const Matrix& matrix, const std::vector<Index>& cardinality,
                     const OutsideVariables& outside, double enough,
                     const std::function<bool(double)>& keep_going) {
  if (!(matrix.diagonal().maxCoeff() > 0)) {
    return {};
  }
  const Sizes sizes(cardinality);
  PairDescent descent(matrix, sizes, outside, enough);
  for (int step = 1;
       step <= kMostPairSteps && !descent.is_over() && keep_going(descent.best().value); ++step) {
    descent.step();
    if (step % kStepsAMean == 0) {
      descent.try_mean(step);
    }
    if (step % kStepsABound == 0) {
      descent.try_proof();
    }
  }
  return descent.best();
}

double outside_bound_increase(const Matrix& matrix, const std::vector<Index>& cardinality,
                              const OutsideVariables& outside,
                              const std::function<bool()>& keep_going) {
  if (outside.is_empty() || !(matrix.diagonal().maxCoeff() > 0)) {
    return 0;
  }
  const Sizes sizes(cardinality);
  PairSearch search(matrix, sizes.k, sizes.r);
  for (int step = 1; step <= kTrialSteps; ++step) {
    if (!keep_going()) {
      return 0;
    }
    search.step();
    if (step % kStepsABound == 0) {
      search.set_floors(bound_at(matrix, sizes, outside, search.proof()).floors);
      search.raise_weight_if_far();
    }
  }
  const PairProof proof = search.proof();
  return bound_at(matrix, sizes, outside, proof).value /
             bound_at(matrix, sizes, OutsideVariables(), proof).value -
         1;
}

double pair_bound_at(const Matrix& matrix, const std::vector<Index>& cardinality,
                     const OutsideVariables& outside, const PairProof& proof) {
  const bool is_proof =
      proof.costs.rows() == matrix.rows() && proof.costs.cols() == matrix.cols() &&
      proof.prices.size() == matrix.rows() && proof.costs.allFinite() && proof.prices.allFinite();
  return is_proof ? bound_at(matrix, Sizes(cardinality), outside, proof).value
                  : std::numeric_limits<double>::infinity();
}

}  // namespace spca
