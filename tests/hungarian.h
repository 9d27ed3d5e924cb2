#pragma once

/// A literal implementation of Algorithms 2 and 4 of Asteris, Papailiopoulos, Kyrillidis, Dimakis,
/// NIPS 2015: the bipartite graph with k_j copies of column j, and its maximum-weight matching by
/// the Hungarian method. Tests and benchmarks compare spca/dense/assignment.h with it.

#include <algorithm>
#include <limits>
#include <vector>

#include "spca/base/types.h"

namespace spca::trial {

/// The graph of Algorithm 4: the weights of the edges between places, k_j for column j, and the p
/// variables.
struct BipartiteGraph {
  Matrix edges;              // places x p
  std::vector<Index> owner;  // the column of each place
};

inline BipartiteGraph bipartite_graph(const Matrix& weights, const std::vector<Index>& capacities) {
  BipartiteGraph graph;
  for (std::size_t j = 0; j < capacities.size(); ++j) {
    graph.owner.insert(graph.owner.end(), static_cast<std::size_t>(capacities[j]),
                       static_cast<Index>(j));
  }
  graph.edges.resize(static_cast<Index>(graph.owner.size()), weights.rows());
  for (std::size_t place = 0; place < graph.owner.size(); ++place) {
    graph.edges.row(static_cast<Index>(place)) = weights.col(graph.owner[place]).transpose();
  }
  return graph;
}

/// Returns the variable that a matching of maximum weight assigns to each place; places <=
/// variables. Prices of places and variables keep price_u + price_v >= weight on every edge, with
/// equality on matched edges. Each place is added by a shortest augmenting path in O(variables) per
/// step.
inline std::vector<Index> hungarian_matching(const Matrix& edges) {
  const Index places = edges.rows();
  const Index variables = edges.cols();
  constexpr Index kNone = -1;
  Vector place_price = Vector::Zero(places);
  Vector variable_price = Vector::Zero(variables);
  // The place of each variable, or kNone.
  std::vector<Index> match(static_cast<std::size_t>(variables), kNone);
  const auto at = [](Index i) { return static_cast<std::size_t>(i); };
  for (Index added = 0; added < places; ++added) {
    place_price[added] = edges.row(added).maxCoeff();
    Vector slack = Vector::Constant(variables, std::numeric_limits<double>::infinity());
    std::vector<Index> reached_from(at(variables), kNone);
    std::vector<bool> is_in_tree(at(variables), false);
    std::vector<Index> tree;
    Index place = added;
    Index parent = kNone;
    Index end = kNone;
    while (end == kNone) {
      Index nearest = kNone;
      for (Index v = 0; v < variables; ++v) {
        if (is_in_tree[at(v)]) {
          continue;
        }
        const double reduced = place_price[place] + variable_price[v] - edges(place, v);
        if (reduced < slack[v]) {
          slack[v] = reduced;
          reached_from[at(v)] = parent;
        }
        if (nearest == kNone || slack[v] < slack[nearest]) {
          nearest = v;
        }
      }
      const double step = slack[nearest];
      place_price[added] -= step;
      for (const Index v : tree) {
        place_price[match[at(v)]] -= step;
        variable_price[v] += step;
      }
      for (Index v = 0; v < variables; ++v) {
        slack[v] -= is_in_tree[at(v)] ? 0 : step;
      }
      is_in_tree[at(nearest)] = true;
      tree.push_back(nearest);
      parent = nearest;
      place = match[at(nearest)];
      end = place == kNone ? nearest : kNone;
    }
    for (Index v = end; v != kNone; v = reached_from[at(v)]) {
      const Index previous = reached_from[at(v)];
      match[at(v)] = previous == kNone ? added : match[at(previous)];
    }
  }
  std::vector<Index> variable_of(at(places), kNone);
  for (Index v = 0; v < variables; ++v) {
    if (match[at(v)] != kNone) {
      variable_of[at(match[at(v)])] = v;
    }
  }
  return variable_of;
}

/// Returns the supports of Algorithm 2, each in ascending order. Requires p >= the sum of the
/// capacities.
inline std::vector<Support> literal_supports(const Matrix& weights,
                                             const std::vector<Index>& capacities) {
  const BipartiteGraph graph = bipartite_graph(weights, capacities);
  const std::vector<Index> variable_of = hungarian_matching(graph.edges);
  std::vector<Support> supports(capacities.size());
  for (std::size_t place = 0; place < variable_of.size(); ++place) {
    supports[static_cast<std::size_t>(graph.owner[place])].push_back(variable_of[place]);
  }
  for (Support& support : supports) {
    std::sort(support.begin(), support.end());
  }
  return supports;
}

inline double assigned_weight(const Matrix& weights, const std::vector<Support>& supports) {
  double sum = 0;
  for (std::size_t j = 0; j < supports.size(); ++j) {
    for (const Index i : supports[j]) {
      sum += weights(i, static_cast<Index>(j));
    }
  }
  return sum;
}

}  // namespace spca::trial
