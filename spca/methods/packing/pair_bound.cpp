#include "spca/methods/packing/pair_bound.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "spca/algebra/dense_decompositions.h"
#include "spca/algebra/dense_products.h"
#include "spca/methods/packing/fantope_projection.h"
#include "spca/methods/packing/pair_projection.h"

namespace spca {
namespace {

// The weight of the distances, over the largest eigenvalue of S. It rises while the copies are so many times
// farther apart than their means move. It falls while they are less, or the bound rises again.
constexpr double kFirstWeight = 0.25;
constexpr double kFarApart = 4;
constexpr double kRise = 1.05;
constexpr double kNotApart = 2.2;
constexpr double kFall = 0.95;
// A step goes so many times as far as to the mean.
constexpr double kRelaxation = 1.5;
// (3) is computed after so many steps. If so many values in a row are not less by this share than
// the one before them, the search ends.
constexpr int kStepsABound = 10;
constexpr int kPatience = 5;
constexpr double kSmallestFall = 1e-4;
constexpr int kMostPairSteps = 2000;
// A variable outside may be worth so many times what its pairs with others outside make of it, at least.
constexpr double kPairsOutside = 1.1;
constexpr double kRatioAccuracy = 0.01;
// Places that are not taken keep so much of their worth until the next value.
constexpr double kFade = 0.95;
// Steps after which it shows what the variables outside cost.
constexpr int kTrialSteps = 100;
// Less than this is no multiplier of D, in the units of D.
constexpr double kLeastPart = 1e-12;
// Of the lengths of M and T, times p.
constexpr double kRounding = 1e-15;

struct Sizes {
  explicit Sizes(const std::vector<Index>& cardinality)
      : k(*std::max_element(cardinality.begin(), cardinality.end())), r(std::ssize(cardinality)) {}
  Index k;  // the largest
  Index r;
};

/// Keeps the `count` largest values that are positive, in any order.
void keep_largest(std::vector<double>& values, Index count) {
  std::erase_if(values, [](double value) { return !(value > 0); });
  if (count < std::ssize(values)) {
    std::nth_element(values.begin(), values.begin() + count, values.end(), std::greater<>());
    values.resize(static_cast<std::size_t>(count));
  }
}

/// M less what is added to its diagonal, and what bounds h.
struct Terms {
  Matrix m;
  std::vector<std::vector<double>> of;  // the k - 1 largest positive |C_il| - mu_l, and no others
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
    keep_largest(of, sizes.k - 1);
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

/// h if each of the k - 1 terms is as large as this at least.
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

/// The variables that are no part of S. Two of them take the variance of one each.
class OutsideTerms {
 public:
  OutsideTerms(const OutsideVariables& outside, const Matrix& matrix, const Sizes& sizes,
               const Vector& prices)
      : outside_(outside), variances_(matrix.diagonal()), sizes_(sizes), prices_(prices) {}

  /// Raises t where a variable would be worth more than `enough` otherwise, in the ratio of its covariances.
  void raise(Vector& taken, double enough) {
    outside_.visit(variances_, [&](double variance, const Vector& entries) {
      // Its pairs with others outside alone may be too much.
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

  /// S_jj + h_j of each, if it exceeds `least`.
  std::vector<double> worths(const Vector& taken, double least) {
    std::vector<double> worths;
    double last = 0;
    outside_.visit(variances_, [&](double variance, const Vector& entries) {
      last = worth(variance, entries, taken);
      if (last > least) {
        worths.push_back(last);
      }
    });
    if (last > least) {  // the last one speaks of all that follow
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
    keep_largest(terms_, sizes_.k - 1);
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
  Vector floors = {};  // what the variables outside raised t to; 0: it was enough
};

Bounded bound_at(const Matrix& matrix, const Sizes& sizes, const OutsideVariables& outside,
                 const PairProof& proof) {
  const Index p = matrix.rows();
  const Vector prices = proof.prices.cwiseMax(0.0);
  const Terms terms = terms_of(matrix, sizes, proof, prices);
  Vector added = added_by(terms, sizes, prices, Vector::Zero(p));
  if (!terms.m.allFinite() || !added.allFinite()) {  // products of costs may overflow
    return {.value = std::numeric_limits<double>::infinity()};
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
  const double rounding = kRounding * static_cast<double>(p) *
                          (terms.m.norm() + proof.costs.norm() + added.cwiseAbs().maxCoeff());
  bounded.value = std::accumulate(largest.begin(), largest.end(), 0.0) + prices.sum() +
                  static_cast<double>(sizes.r) * rounding;
  return bounded;
}

/// Alternating directions: copies of Y and D, one for each projection, and their means.
class PairSearch {
 public:
  PairSearch(const Matrix& matrix, const Sizes& sizes)
      : matrix_(matrix),
        fantope_(matrix.rows(), sizes.r),
        rows_(sizes.k),
        p_(matrix.rows()),
        k_(sizes.k),
        weight_(kFirstWeight * symmetric_eigenvalues(matrix)[p_ - 1]),
        floors_(Vector::Zero(p_)),
        mean_y_(Matrix::Zero(p_, p_)),
        mean_d_(mean_y_),
        beyond_{mean_y_, mean_y_, mean_y_, mean_y_, mean_y_},
        prices_(Vector::Zero(p_)) {}

  void step() {
    Matrix y = fantope_.project(symmetric_part(mean_y_ - beyond_.spectral) + matrix_ / weight_);
    Matrix pair_y = mean_y_ - beyond_.pair_y;
    Matrix pair_d = mean_d_ - beyond_.pair_d;
    for (Index l = 0; l < p_; ++l) {
      for (Index i = l + 1; i < p_; ++i) {
        project_pair(pair_y(i, l), pair_d(i, l), pair_d(l, i));
        pair_y(l, i) = pair_y(i, l);
      }
    }
    Matrix rows = Matrix(mean_d_ - beyond_.row).transpose();  // a row is a column
    Matrix columns = mean_d_ - beyond_.column;
    for (Index i = 0; i < p_; ++i) {
      rows.col(i).array() -= floors_[i] / weight_;
      rows(i, i) += static_cast<double>(k_) * floors_[i] / weight_;
      rows_.project(rows.col(i), i);
      prices_[i] = weight_ * project_on_simplex(columns.col(i));
    }
    rows.transposeInPlace();
    take_means(y, pair_y, pair_d, rows, columns);
  }

  /// So that copies come together about as fast as their means settle.
  void raise_weight() {
    if (apart_ > kFarApart * moved_) {
      multiply_weight(kRise);
    }
  }
  void lower_weight() {
    if (apart_ < kNotApart * moved_) {
      multiply_weight(kFall);
    }
  }

  /// From now on a place of D_i that is not taken is worth this much: a variable outside may have it.
  void take_floors(const Vector& floors) { floors_ = (kFade * floors_).cwiseMax(floors); }

  /// T is what the projection by eigenpairs leaves of S. Its parts are in the ratio of the multipliers of D.
  PairProof proof() const {
    PairProof proof{.costs = Matrix::Zero(p_, p_), .prices = prices_};
    for (Index l = 0; l < p_; ++l) {
      for (Index i = l + 1; i < p_; ++i) {
        const double ratio = std::sqrt(std::max(kLeastPart, beyond_.pair_d(i, l)) /
                                       std::max(kLeastPart, beyond_.pair_d(l, i)));
        const double t = weight_ * beyond_.spectral(i, l);
        proof.costs(i, l) = t * ratio;
        proof.costs(l, i) = t / ratio;
      }
    }
    return proof;
  }

 private:
  /// By how much the copies were beyond the means, summed up: the multipliers over the weight. Of
  /// the pairs the diagonal means nothing.
  struct Beyond {
    Matrix spectral;
    Matrix pair_y;
    Matrix pair_d;
    Matrix row;
    Matrix column;
  };

  void multiply_weight(double factor) {
    weight_ *= factor;
    for (Matrix* sums :
         {&beyond_.spectral, &beyond_.pair_y, &beyond_.pair_d, &beyond_.row, &beyond_.column}) {
      *sums /= factor;
    }
  }

  /// From the copies of Y and D, each where its projection put it.
  void take_means(Matrix& y, Matrix& pair_y, Matrix& pair_d, Matrix& rows, Matrix& columns) {
    const auto relax = [](Matrix& copy, const Matrix& mean, const Matrix& beyond) {
      copy = kRelaxation * copy + (1 - kRelaxation) * mean + beyond;
    };
    relax(y, mean_y_, beyond_.spectral);
    relax(pair_y, mean_y_, beyond_.pair_y);
    relax(pair_d, mean_d_, beyond_.pair_d);
    relax(rows, mean_d_, beyond_.row);
    relax(columns, mean_d_, beyond_.column);
    Matrix mean_y = (y + pair_y) / 2;
    Matrix mean_d = (pair_d + rows + columns) / 3;
    for (Index i = 0; i < p_; ++i) {
      mean_y(i, i) = mean_d(i, i) = (y(i, i) + rows(i, i) + columns(i, i)) / 3;
    }
    moved_ = std::sqrt(2 * (mean_y - mean_y_).squaredNorm() + 3 * (mean_d - mean_d_).squaredNorm());
    apart_ = 0;
    const auto take = [&](Matrix& beyond, const Matrix& copy, const Matrix& mean) {
      Matrix sums = copy - mean;
      apart_ = std::hypot(apart_, (sums - beyond).norm());
      beyond = std::move(sums);
    };
    take(beyond_.spectral, y, mean_y);
    take(beyond_.pair_y, pair_y, mean_y);
    take(beyond_.pair_d, pair_d, mean_d);
    take(beyond_.row, rows, mean_d);
    take(beyond_.column, columns, mean_d);
    mean_y_ = std::move(mean_y);
    mean_d_ = std::move(mean_d);
  }

  const Matrix& matrix_;
  FantopeProjection fantope_;
  RowProjection rows_;
  Index p_;
  Index k_;
  double weight_;
  Vector floors_;
  Matrix mean_y_;
  Matrix mean_d_;
  Beyond beyond_;
  Vector prices_;
  double apart_ = 0;
  double moved_ = 0;
};

}  // namespace

PairBound pair_bound(const Matrix& matrix, const std::vector<Index>& cardinality,
                     const OutsideVariables& outside, double enough,
                     const std::function<bool(double)>& keep_going) {
  PairBound best;
  if (!(matrix.diagonal().maxCoeff() > 0)) {
    return best;
  }
  const Sizes sizes(cardinality);
  PairSearch search(matrix, sizes);
  double notable = std::numeric_limits<double>::infinity();
  int waited = 0;
  for (int step = 1; step <= kMostPairSteps && waited < kPatience && keep_going(best.value);
       ++step) {
    search.step();
    if (step % kStepsABound != 0) {
      continue;
    }
    PairProof proof = search.proof();
    const Bounded bound = bound_at(matrix, sizes, outside, proof);
    if (bound.value < best.value) {
      best = {.value = bound.value, .proof = std::move(proof)};
    }
    search.take_floors(bound.floors);
    if (best.value <= enough) {
      break;
    }
    ++waited;
    if (best.value < notable * (1 - kSmallestFall)) {
      notable = best.value;
      waited = 0;
    }
    search.raise_weight();
    // Costs of variables outside follow a falling weight too slowly.
    if (bound.floors.maxCoeff() <= 0) {
      search.lower_weight();
    }
  }
  return best;
}

double share_of_outside(const Matrix& matrix, const std::vector<Index>& cardinality,
                        const OutsideVariables& outside, const std::function<bool()>& keep_going) {
  if (outside.is_empty() || !(matrix.diagonal().maxCoeff() > 0)) {
    return 0;
  }
  const Sizes sizes(cardinality);
  PairSearch search(matrix, sizes);
  for (int step = 1; step <= kTrialSteps; ++step) {
    if (!keep_going()) {
      return 0;
    }
    search.step();
    if (step % kStepsABound == 0) {
      search.take_floors(bound_at(matrix, sizes, outside, search.proof()).floors);
      search.raise_weight();
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
