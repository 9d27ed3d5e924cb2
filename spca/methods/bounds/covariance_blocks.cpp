#include "spca/methods/bounds/covariance_blocks.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>

#include "spca/dense/dense_selections.h"

namespace spca {
namespace {

/// Disjoint sets of variables.
class VariableSets {
 public:
  explicit VariableSets(Index p)
      : parent_(static_cast<std::size_t>(p)), size_(static_cast<std::size_t>(p), 1) {
    std::iota(parent_.begin(), parent_.end(), Index{0});
  }
  Index root(Index i) {
    while (parent(i) != i) {
      parent(i) = parent(parent(i));
      i = parent(i);
    }
    return i;
  }
  Index size(Index i) { return size_[static_cast<std::size_t>(root(i))]; }
  void join(Index a, Index b) {
    const Index kept = std::min(root(a), root(b));
    const Index joined = std::max(root(a), root(b));
    size_[static_cast<std::size_t>(kept)] += size_[static_cast<std::size_t>(joined)];
    parent(joined) = kept;
  }

 private:
  Index& parent(Index i) { return parent_[static_cast<std::size_t>(i)]; }
  std::vector<Index> parent_;
  std::vector<Index> size_;
};

/// Returns the sum of the `count` largest entries, and reorders them.
double sum_of_largest_entries(Vector& entries, Index count) {
  std::nth_element(entries.begin(), entries.begin() + count, entries.end(), std::greater<>());
  return entries.head(count).sum();
}

}  // namespace

std::vector<CovarianceEdge> spanning_tree(const Covariance& covariance, Budget& budget) {
  const Index p = covariance.variables();
  Vector nearest = Vector::Constant(p, -1);  // the largest |S_ij| to a variable of the tree
  std::vector<Index> neighbour(static_cast<std::size_t>(p), 0);
  std::vector<bool> inside(static_cast<std::size_t>(p), false);
  std::vector<CovarianceEdge> edges;
  Index added = 0;
  for (Index count = 1; count < p && budget.next(); ++count) {
    inside[static_cast<std::size_t>(added)] = true;
    const Matrix column = covariance.columns({added});
    Index next = -1;
    for (Index i = 0; i < p; ++i) {
      if (inside[static_cast<std::size_t>(i)]) {
        continue;
      }
      if (const double weight = std::abs(column(i, 0)); weight > nearest[i]) {
        nearest[i] = weight;
        neighbour[static_cast<std::size_t>(i)] = added;
      }
      if (next < 0 || nearest[i] > nearest[next]) {
        next = i;
      }
    }
    edges.push_back(
        {.weight = nearest[next], .a = neighbour[static_cast<std::size_t>(next)], .b = next});
    added = next;
  }
  std::sort(edges.begin(), edges.end(), [](const CovarianceEdge& x, const CovarianceEdge& y) {
    return std::tuple(-x.weight, x.a, x.b) < std::tuple(-y.weight, y.a, y.b);
  });
  return edges;
}

double epsilon_for(const std::vector<CovarianceEdge>& tree, Index p, double threshold,
                   Index largest) {
  VariableSets sets(p);
  for (const CovarianceEdge& edge : tree) {
    if (edge.weight <= threshold) {
      break;
    }
    sets.join(edge.a, edge.b);
    if (sets.size(edge.a) > largest) {
      return edge.weight;  // all edges of this weight are dropped
    }
  }
  return threshold;
}

std::vector<Support> blocks_of(const std::vector<CovarianceEdge>& tree, Index p, double epsilon) {
  VariableSets sets(p);
  for (const CovarianceEdge& edge : tree) {
    if (edge.weight > epsilon) {
      sets.join(edge.a, edge.b);
    }
  }
  std::vector<Support> blocks(static_cast<std::size_t>(p));
  for (Index i = 0; i < p; ++i) {
    blocks[static_cast<std::size_t>(sets.root(i))].push_back(i);
  }
  std::erase_if(blocks, [](const Support& block) { return block.size() < 2; });
  return blocks;
}

double row_sum_bound(const Covariance& covariance, Index k) {
  const Index p = covariance.variables();
  const Matrix matrix = covariance.submatrix(all_variables(p));
  double bound = -std::numeric_limits<double>::infinity();
  for (Index j = 0; j < p; ++j) {
    Vector others = matrix.col(j).cwiseAbs();
    others[j] = 0;
    bound = std::max(bound, matrix(j, j) + sum_of_largest_entries(others, std::min(k - 1, p - 1)));
  }
  return bound;
}

double remainder_bound(const Covariance& covariance, const std::vector<Index>& owner, Index k,
                       Budget& budget) {
  const Index p = covariance.variables();
  const Index count = std::min(k - 1, p - 1);
  double largest = 0;
  for (Index j = 0; j < p && count > 0; ++j) {
    if (!budget.next()) {
      return std::numeric_limits<double>::infinity();
    }
    Vector column = covariance.columns({j}).col(0).cwiseAbs();
    for (Index i = 0; i < p; ++i) {
      if (owner[static_cast<std::size_t>(i)] == owner[static_cast<std::size_t>(j)]) {
        column[i] = 0;
      }
    }
    largest = std::max(largest, sum_of_largest_entries(column, count));
  }
  return largest;
}

}  // namespace spca
