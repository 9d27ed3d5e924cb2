#pragma once

/// The subtrees of a branch and bound that are still open, by their bounds.

#include <iterator>
#include <map>
#include <memory>
#include <utility>

#include "spca/base/types.h"

namespace spca {

/// Sorted in descending order of bound and, among equals, by insertion, so that the order is
/// reproducible. `Node` may be an incomplete type in a header; a Node has a member `bound`.
template <class Node>
class OpenNodes {
 public:
  void push(std::unique_ptr<Node> node) {
    const Order order{-node->bound, pushed_++};
    nodes_.emplace(order, std::move(node));
  }
  /// The node of largest bound; it has to be searched before the bound of the tree can fall.
  std::unique_ptr<Node> pop_largest() { return pop(nodes_.begin()); }
  /// The node of smallest bound; it is likely to end soonest.
  std::unique_ptr<Node> pop_smallest() { return pop(std::prev(nodes_.end())); }
  /// Drops the nodes whose bound does not exceed `least`.
  void drop_up_to(double least) {
    while (!nodes_.empty() && !(-nodes_.rbegin()->first.first > least)) {
      nodes_.erase(std::prev(nodes_.end()));
    }
  }
  void clear() { nodes_.clear(); }

  /// Visits all nodes, in descending order of bound.
  template <class Visit>
  void for_each(const Visit& visit) const {
    for (const auto& [order, node] : nodes_) {
      visit(*node);
    }
  }

  bool empty() const { return nodes_.empty(); }
  std::size_t size() const { return nodes_.size(); }
  /// The largest bound; the set must not be empty.
  double largest_bound() const { return -nodes_.begin()->first.first; }

 private:
  using Order = std::pair<double, Index>;  // minus the bound, number
  using Nodes = std::map<Order, std::unique_ptr<Node>>;

  std::unique_ptr<Node> pop(typename Nodes::iterator position) {
    std::unique_ptr<Node> node = std::move(position->second);
    nodes_.erase(position);
    return node;
  }

  Nodes nodes_;
  Index pushed_ = 0;
};

}  // namespace spca
