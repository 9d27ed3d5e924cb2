/// Thousands of candidates are assigned on S_d and scored on S. Both steps skip irrelevant work:
/// the assignment reads a prefix of the rows, and the score reads a copy of S on the variables
/// found so far.

#include "spca/methods/joint/disjoint.h"

#include <algorithm>

#include "spca/dense/dense_products.h"
#include "spca/dense/sparsify.h"
#include "spca/spectrum/eigenpairs.h"

namespace spca {
namespace {

// Number of rows of the first prefix for each row that is to be chosen. Chosen by trial, not
// measured.
constexpr Index kFirstPrefix = 4;
// A row's computed weight may exceed its squared length by this share, which is rounding.
constexpr double kRoundingOfWeights = 1e-12;
constexpr int kUnknown = -1;

}  // namespace

SpanAssignment::SpanAssignment(const Matrix& factor, std::vector<Index> capacities)
    : order_(nonzero_rows(factor)), assignment_(std::move(capacities)) {
  const Vector squared = squared_row_norms(factor);
  // Falling length: the rows that can weigh most come first. Stable, so that ties keep the order of
  // the variables.
  std::stable_sort(order_.begin(), order_.end(),
                   [&](int a, int b) { return squared[a] > squared[b]; });
  rows_ = factor(order_, Eigen::all);
  lengths_ = squared(order_);
  prefix_ = std::min(rows_.rows(), kFirstPrefix * assignment_.places());
}

const std::vector<Support>& SpanAssignment::solve(const Matrix& directions) {
  for (;;) {
    set_product(weights_, rows_.topRows(prefix_), directions);
    // W_ij^2 = (V C)_ij^2 is the amount that row i adds to the value of component j.
    weights_ = weights_.cwiseAbs2();
    // A row outside the prefix matters only if its weight in some column exceeds `least`. Its
    // weight is at most its squared length, and the lengths fall. So the first row outside decides
    // for all of them.
    const double least = assignment_.select(weights_);
    if (prefix_ == rows_.rows() || lengths_[prefix_] * (1 + kRoundingOfWeights) < least) {
      break;
    }
    // The prefix that sufficed is kept for the next call, which then rarely has to double it again.
    prefix_ = std::min(2 * prefix_, rows_.rows());
  }
  supports_ = assignment_.assign(weights_);
  for (Support& support : supports_) {
    for (Index& i : support) {
      // Translates indices in `rows_` to variables.
      i = order_[static_cast<std::size_t>(i)];
    }
    std::sort(support.begin(), support.end());
  }
  return supports_;
}

KnownSubmatrix::KnownSubmatrix(const Covariance& covariance)
    : covariance_(covariance),
      position_(static_cast<std::size_t>(covariance.variables()), kUnknown) {}

void KnownSubmatrix::learn(const std::vector<Support>& supports) {
  Support fresh;
  for (const Support& support : supports) {
    for (const Index i : support) {
      int& position = position_[static_cast<std::size_t>(i)];
      // First come, first kept: supports that recur early are the ones that are scored most often.
      if (position == kUnknown && known() + std::ssize(fresh) < kLargestKnown) {
        position = static_cast<int>(known() + std::ssize(fresh));
        fresh.push_back(i);
      }
    }
  }
  if (fresh.empty()) {
    return;
  }
  const Index old = known();
  variables_.insert(variables_.end(), fresh.begin(), fresh.end());
  grow(known());
  // A few new variables are fetched as columns of S. Many are cheaper as one submatrix. Chosen by
  // trial, not measured.
  constexpr Index kManyShare = 4;
  if (std::ssize(fresh) > old / kManyShare) {
    Support sorted = variables_;
    std::sort(sorted.begin(), sorted.end());
    const Matrix all = covariance_.submatrix(sorted);
    std::vector<Index> positions;
    for (const Index i : sorted) {
      positions.push_back(position_[static_cast<std::size_t>(i)]);
    }
    matrix_(positions, positions) = all;
    return;
  }
  const Matrix columns = covariance_.columns(fresh);
  for (Index b = old; b < known(); ++b) {
    for (Index a = 0; a <= b; ++a) {
      matrix_(a, b) = matrix_(b, a) = columns(variables_[static_cast<std::size_t>(a)], b - old);
    }
  }
}

void KnownSubmatrix::grow(Index count) {
  if (count > matrix_.rows()) {
    // The capacity doubles, so that variables added one by one cost a bounded number of copies
    // each.
    matrix_.conservativeResize(std::min(std::max(2 * matrix_.rows(), count), kLargestKnown),
                               std::min(std::max(2 * matrix_.rows(), count), kLargestKnown));
  }
}

Matrix KnownSubmatrix::submatrix(const Support& support) const {
  std::vector<Index> positions;
  for (const Index i : support) {
    positions.push_back(position_[static_cast<std::size_t>(i)]);
    // If one variable is unknown, S itself is read; a mixture of both sources would save little.
    if (positions.back() == kUnknown) {
      return covariance_.submatrix(support);
    }
  }
  return matrix_(positions, positions);
}

void fill_up(std::vector<Support>& supports, const std::vector<Index>& cardinality,
             const Support& candidates) {
  Support used;
  for (const Support& support : supports) {
    used.insert(used.end(), support.begin(), support.end());
  }
  std::sort(used.begin(), used.end());
  auto next = candidates.begin();
  for (std::size_t j = 0; j < supports.size(); ++j) {
    for (; std::ssize(supports[j]) < cardinality[j]; ++next) {
      if (!std::binary_search(used.begin(), used.end(), *next)) {
        supports[j].push_back(*next);
      }
    }
    std::sort(supports[j].begin(), supports[j].end());
  }
}

std::vector<Component> components_on(const Covariance& covariance,
                                     const std::vector<Support>& supports,
                                     const std::vector<Index>& cardinality) {
  std::vector<Component> components(supports.size());
  for (std::size_t j = 0; j < supports.size(); ++j) {
    if (!supports[j].empty()) {
      // On S itself and without a start, so that the answer does not depend on how the supports
      // were found.
      components[j] = best_on_support(covariance, supports[j]).component;
    }
  }
  return components_in_order(covariance, std::move(components), cardinality);
}

std::vector<Component> components_in_order(const Covariance& covariance,
                                           std::vector<Component> components,
                                           const std::vector<Index>& cardinality) {
  struct Scored {
    double value = 0;
    Component component;
  };
  std::vector<bool> used(static_cast<std::size_t>(covariance.variables()), false);
  std::vector<Scored> scored(components.size());
  for (std::size_t j = 0; j < components.size(); ++j) {
    if (!components[j].support.empty()) {
      const double value = covariance.quadratic_form(components[j]);
      scored[j] = {.value = value, .component = std::move(components[j])};
    }
    for (const Index i : scored[j].component.support) {
      used[static_cast<std::size_t>(i)] = true;
    }
  }
  for (Scored& one : scored) {
    // A second pass, because the unused variable must not belong to a component further on.
    if (one.component.support.empty()) {
      const auto unused = std::find(used.begin(), used.end(), false) - used.begin();
      one.component = {.support = {unused}, .values = Vector::Ones(1)};
      one.value = covariance.diagonal()[unused];
      used[static_cast<std::size_t>(unused)] = true;
    }
  }
  std::vector<Component> ordered(scored.size());
  std::vector<bool> is_placed(scored.size(), false);
  // Cardinalities belong to positions, so only components of equal cardinality may be
  // exchanged.
  for (std::size_t slot = 0; slot < scored.size(); ++slot) {
    std::size_t best = scored.size();
    for (std::size_t j = 0; j < scored.size(); ++j) {
      if (!is_placed[j] && cardinality[j] == cardinality[slot] &&
          (best == scored.size() || scored[j].value > scored[best].value)) {
        best = j;
      }
    }
    is_placed[best] = true;
    ordered[slot] = std::move(scored[best].component);
  }
  return ordered;
}

Component best_on_sketch(const Matrix& factor, const Support& support) {
  if (support.empty()) {
    return {};
  }
  return loadings_of_direction(factor, support, best_direction(factor, support).c);
}

Component loadings_of_direction(const Matrix& factor, const Support& support, const Vector& c) {
  const Vector values = factor(support, Eigen::all) * c;
  Component component;
  std::vector<double> nonzeros;
  for (std::size_t i = 0; i < support.size(); ++i) {
    if (values[static_cast<Index>(i)] != 0) {
      component.support.push_back(support[i]);
      nonzeros.push_back(values[static_cast<Index>(i)]);
    }
  }
  component.values = Eigen::Map<const Vector>(nonzeros.data(), static_cast<Index>(nonzeros.size()));
  return normalized(std::move(component));
}

}  // namespace spca
