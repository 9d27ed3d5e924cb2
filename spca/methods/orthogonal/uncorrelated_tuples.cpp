#include "spca/methods/orthogonal/uncorrelated_tuples.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "spca/base/binomial.h"
#include "spca/dense/dense_decompositions.h"
#include "spca/dense/dense_products.h"
#include "spca/dense/dense_selections.h"
#include "spca/dense/small_eigenpair.h"
#include "spca/methods/orthogonal/all_supports.h"
#include "spca/methods/orthogonal/certified_maximum.h"
#include "spca/methods/orthogonal/priced_problem.h"
#include "spca/methods/pools/pooled_relaxation.h"

namespace spca {
namespace {

// The limits of effort below were chosen by trial, not measured.

// At most this number of tuples are enumerated.
constexpr std::size_t kMostTuples = 200'000;
// If there are more, those for one of these shares of the gap are.
constexpr double kSharesOfTheGap[] = {1, 0.7, 0.5, 0.35, 0.25, 0.18, 0.125};
// The smoothing of a tuple's relaxation, as shares of its bound.
constexpr double kTupleSmoothing[] = {1e-2, 1e-3, 1e-4, 1e-6};

struct PricedChoice {
  double value = 0;  // lambda_max of S - Lambda_t on the support
  Support support = {};
};

struct Tuple {
  double total = 0;  // by the prices of all
  std::vector<const PricedChoice*> choices = {};
};

class TupleDivision {
 public:
  TupleDivision(const UncorrelatedTuples& asked, Budget& budget)
      : asked_(asked),
        budget_(budget),
        r_(asked.cardinality.size()),
        rounding_(kRoundingOfValues * static_cast<double>(r_ + 1) *
                  largest_magnitude(asked.matrix) * static_cast<double>(asked.matrix.rows())) {}

  double run() {
    if (!find_choices() || !find_most_tuples()) {
      return asked_.bound;
    }
    std::stable_sort(tuples_.begin(), tuples_.end(),
                     [](const Tuple& a, const Tuple& b) { return a.total > b.total; });
    double largest = level_;
    for (const Tuple& tuple : tuples_) {
      if (!(tuple.total > largest)) {
        break;
      }
      if (!budget_.next()) {
        largest = tuple.total;  // no later one has more
        break;
      }
      largest = std::max(largest, std::min(tuple.total, bound_of(tuple, largest)));
    }
    return std::min(asked_.bound, largest + rounding_);
  }

 private:
  /// Finds for each component the supports that may be in a tuple above the target. Returns false
  /// if there are too many supports, or no time.
  bool find_choices() {
    const Index p = asked_.matrix.rows();
    std::vector<double> most;
    for (std::size_t t = 0; t < r_; ++t) {
      const Index k = asked_.cardinality[t];
      if (binomial(p, k) > kMostSupportsEnumerated || budget_.is_time_up()) {
        return false;
      }
      const Matrix left =
          left_of(asked_.matrix, asked_.lift.lifted(asked_.factor, asked_.scales[t]));
      std::vector<PricedChoice> choices;
      for_all_supports(p, k, [&](const Support& support) {
        choices.push_back({small_leading_eigenvalue(left, support), support});
      });
      std::stable_sort(
          choices.begin(), choices.end(),
          [](const PricedChoice& a, const PricedChoice& b) { return a.value > b.value; });
      most.push_back(choices[0].value);
      choices_.push_back(std::move(choices));
    }
    rest_.assign(r_ + 1, 0);  // the most that the components from t on add
    for (std::size_t t = r_; t-- > 0;) {
      rest_[t] = rest_[t + 1] + most[t];
    }
    return true;
  }

  /// Finds the tuples above the least level for which they are few enough.
  bool find_most_tuples() {
    const double paid = asked_.factor.squaredNorm();
    for (const double share : kSharesOfTheGap) {
      tuples_.clear();
      level_ = std::lerp(paid + rest_[0], asked_.target, share);
      if (find_tuples(0, paid, {})) {
        return true;
      }
    }
    return false;
  }

  bool is_like_before(std::size_t t) const {
    return t > 0 && asked_.cardinality[t] == asked_.cardinality[t - 1] &&
           asked_.scales[t] == asked_.scales[t - 1];
  }

  /// Completes a tuple of the first t components in all ways. Returns false if there are too many.
  bool find_tuples(std::size_t t, double total, std::vector<const PricedChoice*> chosen) {
    if (t == r_) {
      tuples_.push_back({.total = total, .choices = std::move(chosen)});
      return tuples_.size() < kMostTuples;
    }
    // The order of supports does not matter for components that are alike.
    const std::ptrdiff_t begin = is_like_before(t) ? chosen.back() - choices_[t - 1].data() : 0;
    const PricedChoice* const last = choices_[t].data() + choices_[t].size();
    for (const PricedChoice* first = choices_[t].data() + begin;
         first != last && total + first->value + rest_[t + 1] > level_; ++first) {
      std::vector<const PricedChoice*> next = chosen;
      next.push_back(first);
      if (!find_tuples(t + 1, total + first->value, std::move(next))) {
        return false;
      }
    }
    return true;
  }

  /// Returns a bound on components of these supports; one that is at most `level` may be larger
  /// than it could be.
  double bound_of(const Tuple& tuple, double level) const {
    Support all;
    for (const PricedChoice* choice : tuple.choices) {
      all.insert(all.end(), choice->support.begin(), choice->support.end());
    }
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    const Matrix part = selected(asked_.matrix, all, all);
    const SymmetricEigenpairs pairs = symmetric_eigenpairs(part);
    const auto count = std::min(static_cast<Index>(r_), pairs.values.size());
    double least = pairs.values.tail(count).cwiseMax(0).sum();
    if (!(least > level)) {
      return least;
    }
    std::vector<double> limits;
    for (std::size_t t = 0; t < r_; ++t) {
      limits.push_back(
          std::min(asked_.limits[t],
                   small_leading_eigenvalue(asked_.matrix, tuple.choices[t]->support) + rounding_));
    }
    if (!(*std::min_element(limits.begin(), limits.end()) > 0)) {
      return least;
    }
    least = std::min(least, std::accumulate(limits.begin(), limits.end(), 0.0));
    std::vector<double> scales;
    for (const double limit : limits) {
      scales.push_back(limits[0] / limit);
    }
    const Matrix root = symmetric_root(pairs) / std::sqrt(limits[0]);
    PooledRelaxation relaxation(part, std::vector<double>(r_, 1.0),
                                PriceLift(root, asked_.of_loadings), scales);
    for (std::size_t t = 0; t < r_; ++t) {
      relaxation.add(t, positions_among(all, tuple.choices[t]->support));
    }
    PricePoint point{.factor = Matrix::Zero(asked_.of_loadings ? 2 * part.rows() : part.rows(), 1)};
    for (const double share : kTupleSmoothing) {
      if (least > level) {
        relaxation.minimise(point, {.mu = share * least, .enough = level});
        least = std::min(least, relaxation.value(point));
      }
    }
    return least;
  }

  const UncorrelatedTuples& asked_;
  Budget& budget_;
  std::size_t r_;
  double rounding_;
  std::vector<std::vector<PricedChoice>> choices_;  // of each component, descending
  std::vector<double> rest_;
  double level_ = 0;  // tuples at or below this are left out
  std::vector<Tuple> tuples_;
};

}  // namespace

double bound_by_tuples(const UncorrelatedTuples& tuples, Budget& budget) {
  return TupleDivision(tuples, budget).run();
}

}  // namespace spca
