#include "spca/methods/pairs/pair_bound.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "spca/base/cardinality.h"
#include "spca/base/error.h"
#include "spca/dense/dense_decompositions.h"
#include "spca/dense/dense_products.h"
#include "spca/dense/dense_selections.h"

namespace spca {
namespace {

// The worth of a variable outside may always be this multiple of the bound that follows from its
// pairs with other variables outside. Chosen by trial, not measured.
constexpr double kPairsOutside = 1.1;
constexpr double kRatioAccuracy = 0.01;
// The rounding error relative to p times the sum of the norms of M and C, the largest |h_i| and, if
// supports may overlap, a bound on the payments.
constexpr double kRoundingOfNorms = 1e-15;
// At most this share of the norm of M is rounding in the entries of a variable.
constexpr double kLittleBeside = 1e-14;

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

Terms terms_of(const Matrix& matrix, const PairConditions& conditions, const PairProof& proof,
               const Vector& prices) {
  const Index p = matrix.rows();
  Terms terms{.m = matrix, .of = std::vector<std::vector<double>>(static_cast<std::size_t>(p))};
  for (Index l = 0; l < p; ++l) {
    for (Index i = 0; i < l; ++i) {
      const double product = proof.costs(i, l) * proof.costs(l, i);
      const bool is_pair = product > 0;
      if (is_pair) {
        const double t = std::copysign(std::sqrt(product), proof.costs(i, l));
        terms.m(i, l) -= t;
        terms.m(l, i) -= t;
      }
      // A negative price is a term of its own.
      if (is_pair || prices[l] < 0) {
        terms.of[static_cast<std::size_t>(i)].push_back(
            (is_pair ? std::abs(proof.costs(i, l)) : 0) - prices[l]);
      }
      if (is_pair || prices[i] < 0) {
        terms.of[static_cast<std::size_t>(l)].push_back(
            (is_pair ? std::abs(proof.costs(l, i)) : 0) - prices[i]);
      }
    }
  }
  for (std::vector<double>& of : terms.of) {
    truncate_to_largest(of, conditions.k - 1);
  }
  return terms;
}

/// Returns the (k - 1)-th largest term of each variable; 0 if it has fewer terms.
Vector last_terms(const Terms& terms, const PairConditions& conditions) {
  Vector last = Vector::Zero(terms.m.rows());
  for (Index l = 0; l < last.size(); ++l) {
    const std::vector<double>& of = terms.of[static_cast<std::size_t>(l)];
    if (!of.empty() && std::ssize(of) == conditions.k - 1) {
      last[l] = *std::min_element(of.begin(), of.end());
    }
  }
  return last;
}

/// Returns h with each of the k - 1 terms of a variable raised to its entry of `least` if smaller.
Vector added_by(const Terms& terms, const PairConditions& conditions, const Vector& prices,
                const Vector& least) {
  Vector added = -prices;
  for (Index i = 0; i < added.size(); ++i) {
    const std::vector<double>& of = terms.of[static_cast<std::size_t>(i)];
    for (const double term : of) {
      added[i] += std::max(term, least[i]);
    }
    added[i] += static_cast<double>(conditions.k - 1 - std::ssize(of)) * least[i];
  }
  return added;
}

/// The variables that are not part of S. A pair of them costs each of the two its own variance.
class OutsideTerms {
 public:
  OutsideTerms(const OutsideVariables& outside, const Matrix& matrix,
               const PairConditions& conditions, const Vector& prices)
      : outside_(outside),
        variances_(matrix.diagonal()),
        conditions_(conditions),
        prices_(prices) {}

  /// Raises t where a variable would be worth more than `enough`, in proportion to its covariances.
  void raise(Vector& taken, double enough) {
    outside_.visit(variances_, [&](double variance, const Vector& entries) {
      // The pairs of a variable with others outside may exceed `enough` on their own.
      const double most =
          std::max(enough, kPairsOutside * static_cast<double>(conditions_.k) * variance);
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
      worths.insert(worths.end(), static_cast<std::size_t>(conditions_.r), last);
    }
    return worths;
  }

 private:
  double worth(double variance, const Vector& entries, const Vector& taken) {
    terms_.assign(static_cast<std::size_t>(conditions_.k - 1), variance);
    for (Index l = 0; l < entries.size(); ++l) {
      if (entries[l] > 0) {
        const double term = entries[l] * entries[l] / taken[l] - prices_[l];
        if (term > variance) {
          terms_.push_back(term);
        }
      }
    }
    truncate_to_largest(terms_, conditions_.k - 1);
    return std::accumulate(terms_.begin(), terms_.end(), variance);
  }

  const OutsideVariables& outside_;
  Vector variances_;  // of the core
  const PairConditions& conditions_;
  const Vector& prices_;
  std::vector<double> terms_;
  Vector raised_;
};

/// The variables whose entries beyond the diagonal of M are rounding, and the norm of these.
struct Rest {
  Support joined;  // the other variables
  Support alone;
  double norm = 0;
};

Rest rest_of(const Matrix& m) {
  Rest rest;
  const double little = kLittleBeside * m.norm();
  double squares = 0;
  for (Index i = 0; i < m.rows(); ++i) {
    const double beside =
        std::sqrt(m.col(i).head(i).squaredNorm() + m.col(i).tail(m.rows() - i - 1).squaredNorm());
    if (beside <= little) {
      squares += 2 * beside * beside;
      rest.alone.push_back(i);
    } else {
      rest.joined.push_back(i);
    }
  }
  rest.norm = std::sqrt(squares);
  return rest;
}

/// Returns the r largest eigenvalues, ascending, without the entries of the rest: an error of at
/// most its norm in each.
std::vector<double> largest_eigenvalues(const Matrix& m, const Rest& rest, Index r) {
  const Vector values =
      symmetric_eigenvalues(rest.alone.empty() ? m : selected(m, rest.joined, rest.joined));
  std::vector<double> all(values.begin(), values.end());
  for (const Index i : rest.alone) {
    all.push_back(m(i, i));
  }
  std::sort(all.begin(), all.end());
  return {all.end() - r, all.end()};
}

/// The bound without the variables that no support may have.
PairBoundAt bound_among(const Support& allowed, const Matrix& matrix,
                        const PairConditions& conditions, const OutsideVariables& outside,
                        const PairProof& proof) {
  SPCA_CHECK(outside.is_empty(), "variables outside are sorted by those of S");
  PairBoundAt bounded{.value = -std::numeric_limits<double>::infinity(),
                      .floors = Vector::Zero(matrix.rows())};
  if (std::ssize(allowed) >= conditions.r) {
    bounded.value =
        pair_bound_with_floors(selected(matrix, allowed, allowed), conditions.among(allowed),
                               outside, among(proof, allowed))
            .value;
  }
  return bounded;
}

}  // namespace

PairConditions::PairConditions(const std::vector<Index>& cardinality)
    : k(*std::max_element(cardinality.begin(), cardinality.end())),
      r(std::ssize(cardinality)),
      places(total_cardinality(cardinality)) {}

PairConditions PairConditions::shared(const std::vector<Index>& cardinality, Index p) {
  PairConditions conditions(cardinality);
  conditions.least = Vector::Zero(p);
  conditions.most = Vector::Constant(p, static_cast<double>(conditions.r));
  conditions.charges = Vector::Zero(p);
  return conditions;
}

PairConditions PairConditions::common(Index r, Index k, Index p) {
  PairConditions conditions = shared(std::vector<Index>(static_cast<std::size_t>(r), k), p);
  conditions.is_common = true;
  return conditions;
}

PairConditions PairConditions::charged(Index k, const Vector& charges) {
  PairConditions conditions = shared({k}, charges.size());
  conditions.charges = charges;
  return conditions;
}

PairConditions PairConditions::among(const Support& variables) const {
  PairConditions conditions = *this;
  conditions.least = selected_entries(least, variables);
  conditions.most = selected_entries(most, variables);
  conditions.charges = selected_entries(charges, variables);
  return conditions;
}

Support PairConditions::allowed_among(Support variables) const {
  std::erase_if(variables, [&](Index i) { return !(most[i] > 0); });
  return variables;
}

bool is_valid(const PairProof& proof, Index p) {
  return proof.costs.rows() == p && proof.costs.cols() == p && proof.prices.size() == p &&
         proof.costs.allFinite() && proof.prices.allFinite() && proof.union_factor.allFinite() &&
         (proof.union_factor.size() == 0 || proof.union_factor.rows() == p);
}

PairProof among(const PairProof& proof, const Support& variables) {
  PairProof some{.costs = selected(proof.costs, variables, variables),
                 .prices = selected_entries(proof.prices, variables)};
  if (proof.union_factor.size() > 0) {
    some.union_factor = proof.union_factor(variables, Eigen::all);
  }
  return some;
}

Vector pair_diagonal(const Matrix& matrix, const PairConditions& conditions,
                     const PairProof& proof) {
  const Terms terms = terms_of(matrix, conditions, proof, proof.prices);
  Vector diagonal =
      matrix.diagonal() + added_by(terms, conditions, proof.prices, Vector::Zero(matrix.rows()));
  if (proof.union_factor.size() > 0) {
    diagonal -= proof.union_factor.rowwise().squaredNorm();
  }
  return diagonal;
}

double least_pair_eigenvalue(const Matrix& matrix, const PairConditions& conditions,
                             const PairProof& proof) {
  Terms terms = terms_of(matrix, conditions, proof, proof.prices);
  terms.m.diagonal() += added_by(terms, conditions, proof.prices, Vector::Zero(matrix.rows()));
  if (proof.union_factor.size() > 0) {
    terms.m -= product_transposed(proof.union_factor, proof.union_factor);
  }
  return symmetric_eigenvalues(terms.m)[std::max<Index>(matrix.rows() - conditions.r, 0)];
}

Vector last_pair_terms(const Matrix& matrix, const PairConditions& conditions,
                       const PairProof& proof) {
  return last_terms(terms_of(matrix, conditions, proof, proof.prices), conditions);
}

double largest_payment(const Vector& prices, const Vector& of_union,
                       const PairConditions& conditions) {
  if (conditions.most.size() == 0) {
    return prices.sum();
  }
  const double left = static_cast<double>(conditions.places) - conditions.least.sum();
  if (left < 0) {
    return -std::numeric_limits<double>::infinity();
  }
  double total = 0;
  std::vector<double> payments;  // of the places that are left; the first of a variable pays most
  for (Index i = 0; i < prices.size(); ++i) {
    const bool is_taken = conditions.least[i] > 0;
    const double price = prices[i] - conditions.charges[i];
    total += conditions.least[i] * price + (is_taken ? of_union[i] : 0);
    const double step = conditions.is_common ? static_cast<double>(conditions.r) : 1;
    for (double n = conditions.least[i]; n < conditions.most[i]; n += step) {
      payments.push_back(step * price + (n > 0 ? 0 : of_union[i]));
    }
  }
  const Index places_of_one = conditions.is_common ? conditions.r : 1;
  truncate_to_largest(payments, static_cast<Index>(left) / places_of_one);
  return std::accumulate(payments.begin(), payments.end(), total);
}

PairBoundAt pair_bound_with_floors(const Matrix& matrix, const PairConditions& conditions,
                                   const OutsideVariables& outside, const PairProof& proof) {
  const Index p = matrix.rows();
  const bool is_shared = conditions.most.size() > 0;
  const Support allowed = is_shared ? conditions.allowed_among(all_variables(p)) : all_variables(p);
  if (std::ssize(allowed) < p || p < conditions.r) {
    return bound_among(allowed, matrix, conditions, outside, proof);
  }
  const Vector prices = is_shared ? proof.prices : Vector(proof.prices.cwiseMax(0.0));
  Terms terms = terms_of(matrix, conditions, proof, prices);
  Vector of_union = Vector::Zero(p);
  if (is_shared && proof.union_factor.size() > 0) {
    of_union = proof.union_factor.rowwise().squaredNorm();
    terms.m -= product_transposed(proof.union_factor, proof.union_factor);
  }
  Vector added = added_by(terms, conditions, prices, Vector::Zero(p));
  if (!terms.m.allFinite() || !added.allFinite()) {  // products of costs may overflow
    return {.value = std::numeric_limits<double>::infinity(), .floors = Vector::Zero(p)};
  }
  const Rest rest = rest_of(terms.m);
  const auto eigenvalues_with = [&](const Vector& diagonal) {
    Matrix m = terms.m;
    m.diagonal() += diagonal;
    return largest_eigenvalues(m, rest, conditions.r);
  };
  std::vector<double> largest = eigenvalues_with(added);
  PairBoundAt bounded{.floors = Vector::Zero(p)};
  if (!outside.is_empty()) {
    OutsideTerms others(outside, matrix, conditions, prices);
    const Vector last = last_terms(terms, conditions);
    Vector taken = last;
    others.raise(taken, largest.front());
    if ((taken.array() > last.array()).any()) {
      bounded.floors = (taken.array() > last.array()).select(taken, 0);
      added = added_by(terms, conditions, prices, taken);
      largest = eigenvalues_with(added);
    }
    const std::vector<double> worths = others.worths(taken, largest.front());
    largest.insert(largest.end(), worths.begin(), worths.end());
    std::partial_sort(largest.begin(), largest.begin() + conditions.r, largest.end(),
                      std::greater<>());
    largest.resize(static_cast<std::size_t>(conditions.r));
  }
  double norms = terms.m.norm() + proof.costs.norm() + added.cwiseAbs().maxCoeff();
  if (is_shared) {
    norms += static_cast<double>(conditions.places) *
                 (prices.cwiseAbs().maxCoeff() + conditions.charges.maxCoeff()) +
             of_union.sum();
  }
  const double rounding = kRoundingOfNorms * static_cast<double>(p) * norms;
  bounded.value = std::accumulate(largest.begin(), largest.end(), 0.0) +
                  largest_payment(prices, of_union, conditions) +
                  static_cast<double>(conditions.r) * (rounding + rest.norm);
  return bounded;
}

double pair_bound_under(const Matrix& matrix, const PairConditions& conditions,
                        const OutsideVariables& outside, const PairProof& proof) {
  return is_valid(proof, matrix.rows())
             ? pair_bound_with_floors(matrix, conditions, outside, proof).value
             : std::numeric_limits<double>::infinity();
}

double pair_bound_at(const Matrix& matrix, const std::vector<Index>& cardinality,
                     const OutsideVariables& outside, const PairProof& proof) {
  return pair_bound_under(matrix, PairConditions(cardinality), outside, proof);
}

}  // namespace spca
